package parse

import "strings"

// isNoise recognises what servers and clients print around a block: log lines,
// progress bars, fences, rules, and the values of other blocks.
func isNoise(s string) bool {
	for _, prefix := range []string{
		"```", "~~~", "====", "----", "</", "INFO ", "INFO:", "WARNING", "ERROR ", "ERROR:", "DEBUG ", "Namespace(",
		"Starting ", "Initial test run", "Skipping endpoint", "Waiting for endpoint", "Will increase RPS",
		"Warming up", "Warmup ", "Failed requests during", "Error ", "tip:", "Script started", "Script done",
		"The above exception", "During handling", "Traceback ", "File \"", "✓", "0%|",
	} {
		if strings.HasPrefix(s, prefix) {
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

// loadSetting recognises the load that a client states before it starts. These
// lines repeat labels of the block with other values, so they are no values.
func loadSetting(s string) (Setting, bool) {
	label, rest, ok := field(s)
	if !ok || rest == "" {
		return Setting{}, false
	}
	switch key(label) {
	case "traffic request rate":
		return Setting{Name: "request_rate", Text: strings.TrimSuffix(rest, ".")}, true
	case "burstiness factor":
		return Setting{Name: "burstiness", Text: rest}, true
	case "maximum request concurrency":
		return Setting{Name: "max_concurrency", Text: rest}, true
	case "traffic ramp-up strategy":
		return Setting{Name: "ramp_up_strategy", Text: strings.TrimSuffix(rest, ".")}, true
	default:
		return Setting{}, false
	}
}
