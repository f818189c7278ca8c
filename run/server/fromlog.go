package server

import "regexp"

// Some of what endpoints do not say stands in the log. It is read where it is known how
// an engine writes it; what is not there stays missing.

// EffectiveFromLog returns what the log says of the configuration in force, under the
// names of Driver.Effective; nil if nothing.
func EffectiveFromLog(engineID string, log []byte) map[string]string {
	var out map[string]string
	switch engineID {
	case vllm{}.ID():
		out = vllmFromLog(log)
	case sglang{}.ID():
		out = sglangEffective(settings{fields: pythonFields(find(log, sglangArgsLine)), out: map[string]string{}})
	case llamacpp{}.ID():
		s := settings{fields: pythonFields(find(log, llamaSlotsLine)), out: map[string]string{}}
		s.take("max_num_seqs", "n_slots")
		s.take("max_model_len", "n_ctx_slot")
		out = s.out
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

var (
	sglangArgsLine = regexp.MustCompile(`server_args=ServerArgs\((.*)`)
	llamaSlotsLine = regexp.MustCompile(`initializing, (n_slots = .*)`)
)

// VersionFromLog returns the engine's version as its log says it; "" where it does not.
// SGLang's does not.
func VersionFromLog(engineID string, log []byte) string {
	for _, p := range versionLines()[engineID] {
		if v := find(log, p); v != "" {
			return v
		}
	}
	return ""
}

func versionLines() map[string][]*regexp.Regexp {
	return map[string][]*regexp.Regexp{
		vllm{}.ID(): {
			regexp.MustCompile(`Initializing an? (?:V1 )?LLM engine \(v([^)\s]+)\)`),
			regexp.MustCompile(`vLLM API server version (\S+)`),
			regexp.MustCompile(`█  version (\S+)`),
		},
		trtllm{}.ID():   {regexp.MustCompile(`TensorRT[- ]LLM version: (\S+)`)},
		llamacpp{}.ID(): {regexp.MustCompile(`(?m)^(?:\S+ I )?(?:\w+ +\w+: )?build: (\d+ \([0-9a-f]+\))`)},
	}
}

// The states of an engine's caches of compiled code, which decide how long a start takes.
const (
	CachesCold    = "cold"
	CachesWarm    = "warm"
	CachesUnknown = "unknown"
)

// CachesFromLog says whether a start found its graphs compiled. One graph that had to be
// compiled makes it cold. Only vLLM logs it; with compilation off, nothing is logged.
func CachesFromLog(engineID string, log []byte) string {
	if engineID != (vllm{}).ID() {
		return CachesUnknown
	}
	switch {
	case compiledLine.Match(log):
		return CachesCold
	case loadedLine.Match(log):
		return CachesWarm
	}
	return CachesUnknown
}

var (
	compiledLine = regexp.MustCompile(`Compiling a graph for .* takes|Cache the graph .* for later use`)
	loadedLine   = regexp.MustCompile(`Directly load (?:the compiled graph|AOT compilation)`)
)

// find returns what the first group of a pattern finds first, "" if nothing.
func find(log []byte, pattern *regexp.Regexp) string {
	if m := pattern.FindSubmatch(log); m != nil {
		return string(m[1])
	}
	return ""
}

// first returns the first text that says something.
func first(texts ...string) string {
	for _, s := range texts {
		if s != "" {
			return s
		}
	}
	return ""
}
