package server

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"benchguide/run/machine"
	"benchguide/study"
)

// trtllm runs `trtllm-serve`.
//
// No TensorRT-LLM ran where this was written: options and endpoints are those of its
// documentation and source (1.0 to 1.4), and the tests hold this file against a server
// that was made after them. Versions before 1.1 lack --served_model_name and refuse it;
// such a start fails with "No such option", which is told apart from a bad candidate by
// nothing but that text.
type trtllm struct{ openAI }

var _ Driver = trtllm{}

// ID returns the engine's id in study.yaml.
func (trtllm) ID() string { return "tensorrt-llm" }

// Launch serves under the name of this start. Its options have underscores, and take no
// dashes for them.
func (trtllm) Launch(c study.Configuration, m machine.Profile, at Place) (Launch, error) {
	l := newLauncher(c, m, at)
	l.option("--served_model_name", at.Name)
	l.option("--host", at.Host)
	l.option("--port", strconv.Itoa(at.Port))
	l.offline()
	return l.launch()
}

// Version asks /version.
func (trtllm) Version(ctx context.Context, t Target) (string, error) {
	return t.version(ctx, "/version")
}

// Metrics never asks /metrics: it is JSON, and reading takes away what was read. The
// Prometheus endpoint is there only with return_perf_metrics.
func (trtllm) Metrics(ctx context.Context, t Target) ([]byte, error) {
	return t.prometheus(ctx, "/prometheus/metrics")
}

// Reset cannot be had; block reuse can be switched off in the file of extra options.
func (trtllm) Reset(context.Context, Target) error { return ErrNoReset }

// Grace allows for MPI workers to end.
func (trtllm) Grace() time.Duration { return 60 * time.Second }

// Dummy is not known: load_format stands in a file of extra options, which may lie on
// another machine.
func (trtllm) Dummy(study.Configuration) bool { return false }

// Effective keeps the answer and reads nothing from it: /server_info tells of
// disaggregation, and the engine's options are in the log and in the command.
func (trtllm) Effective(ctx context.Context, t Target) (map[string]string, []byte, error) {
	var object map[string]json.RawMessage
	raw, err := t.getJSON(ctx, "/server_info", infoWait, &object)
	if absent(err) {
		return nil, nil, nil
	}
	return nil, raw, err
}
