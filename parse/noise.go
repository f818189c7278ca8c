package parse

import "strings"

// isNoise recognises what servers and clients print around a block: log lines,
// progress bars, fences, rules, and the values of other blocks.
func isNoise(s string) bool {
	for _, start := range []string{
		"```", "~~~", "====", "----", "</", "INFO ", "INFO:", "WARNING", "ERROR ", "ERROR:", "DEBUG ", "Namespace(",
		"Starting ", "Initial test run", "Skipping endpoint", "Waiting for endpoint", "Will increase RPS",
		"Warming up", "Warmup ", "Failed requests during", "Error ", "tip:", "Script started", "Script done",
		"The above exception", "During handling", "Traceback ", "File \"", "✓", "0%|", "benchmark_args=",
		"Benchmark...", "Benchmark ...", "Server ready", "= ", "All requests completed", "Fail to set", "<",
	} {
		if strings.HasPrefix(s, start) {
			return true
		}
	}
	for _, part := range []string{"it/s", "s/it", "%|", " elapsed, "} {
		if strings.Contains(s, part) {
			return true
		}
	}
	if strings.HasPrefix(s, "# ") {
		return false
	}
	// "#Input tokens: 50561" is a value, whatever it begins with; so is a clock time.
	_, rest, ok := field(strings.TrimLeft(s, "#"))
	return ok && startsNumber(rest)
}

// isServerLog recognises the lines that a server writes for each request and each
// step, before they are cleaned: a level, a process or a date stands first.
func isServerLog(s string) bool {
	for _, start := range []string{"INFO:", "INFO ", "WARNING ", "DEBUG:", "DEBUG ", "(APIServer pid=", "(EngineCore", "(Worker", "(VllmWorker"} {
		if strings.HasPrefix(s, start) {
			return true
		}
	}
	return len(s) > 21 && s[0] == '[' && digitsEnd(s, 1) == 5 && s[5] == '-' && strings.IndexByte(s, ']') >= 20
}
