package server

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"benchguide/run/machine"
	"benchguide/study"
)

// llamacpp runs `llama-server`.
type llamacpp struct{ openAI }

var _ Driver = llamacpp{}

// ID returns the engine's id in study.yaml.
func (llamacpp) ID() string { return "llama.cpp" }

// Launch serves under the name of this start. A name is an alias here: answers and
// /v1/models hold it.
func (llamacpp) Launch(c study.Configuration, m machine.Profile, at Place) (Launch, error) {
	l := newLauncher(c, m, at)
	l.refuse("-a") // the short form of --alias
	l.option("--alias", at.Name)
	l.option("--host", at.Host)
	l.option("--port", strconv.Itoa(at.Port))
	l.toggle("--metrics")
	return l.launch()
}

// Version is the build, as /props says it.
func (llamacpp) Version(ctx context.Context, t Target) (string, error) {
	var props struct {
		Build string `json:"build_info"`
	}
	_, err := t.getJSON(ctx, "/props", probeWait, &props)
	if absent(err) {
		return "", nil
	}
	return props.Build, err
}

// Metrics asks /metrics, which Launch has switched on.
func (llamacpp) Metrics(ctx context.Context, t Target) ([]byte, error) {
	return t.prometheus(ctx, "/metrics")
}

// Reset cannot be had; each request may refuse the cache for itself (cache_prompt).
func (llamacpp) Reset(context.Context, Target) error { return ErrNoReset }

// Grace is short: nothing is drained, and it ends within a second.
func (llamacpp) Grace() time.Duration { return 10 * time.Second }

// Dummy is not known: random weights are a file like any other.
func (llamacpp) Dummy(study.Configuration) bool { return false }

// Effective reads /props, which says little of how the model is run: threads, batch sizes
// and the type of the cache are not in it.
func (llamacpp) Effective(ctx context.Context, t Target) (map[string]string, []byte, error) {
	var object map[string]json.RawMessage
	raw, err := t.getJSON(ctx, "/props", infoWait, &object)
	if absent(err) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	return llamaEffective(raw), raw, nil
}

func llamaEffective(props []byte) map[string]string {
	s := settingsOf(props)
	s.take("dtype", "model_ftype")
	s.take("max_model_len", "default_generation_settings.n_ctx") // of one slot
	s.take("max_num_seqs", "total_slots")
	// speculative.types is left out: it says "none" of a server that speculates, too.
	return s.out
}
