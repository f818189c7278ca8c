package parse

// vllmSince lists labels that date a block from below: the tag that printed them first.
// Percentiles and E2EL have been a choice of the user's since v0.6.0.
func vllmSince() []struct{ key, version string } {
	return []struct{ key, version string }{
		{"acceptance rate (%)", "v0.14.0"},
		{"rtfx (inverse real-time factor)", "v0.17.0"},
		{"failed requests", "v0.11.1"},
		{"peak concurrent requests", "v0.11.0"},
		{"request rate configured (rps)", "v0.10.1"},
		{"maximum request concurrency", "v0.10.1"},
		{"request goodput (req/s)", "v0.6.4"},
		{"mean e2el (ms)", "v0.6.0"},
		{"total token throughput (tok/s)", "v0.6.0"},
		{"mean itl (ms)", "v0.5.0"},
	}
}

// vllmAlways lists labels that every later tag prints, with the last tag before it:
// a complete block without one of them is at most as new as that.
func vllmAlways() []struct{ key, version string } {
	return []struct{ key, version string }{
		{"failed requests", "v0.11.0"},
		{"peak concurrent requests", "v0.10.2"},
		{"total token throughput (tok/s)", "v0.5.5"},
	}
}

// vllmVersions infers the client's version range from what a block prints and does
// not print. It returns "" when the two contradict each other, as in a block from
// which lines were taken out by hand.
func vllmVersions(b *block) string {
	from, to := "v0.4.0", ""
	for _, s := range vllmSince() {
		if b.has(s.key) && older(from, s.version) {
			from = s.version
		}
	}
	if !b.closed {
		return from + " or later" // what is absent may have been cut off
	}
	for _, a := range vllmAlways() {
		if !b.has(a.key) && (to == "" || older(a.version, to)) {
			to = a.version
		}
	}
	from, to = narrowByCapital(b, from, to)
	switch {
	case to == "":
		return from + " or later"
	case from == to:
		return from
	case older(to, from):
		return ""
	default:
		return from + " to " + to
	}
}

// narrowByCapital uses that "Total Token throughput" lost its second capital in v0.13.0.
func narrowByCapital(b *block, from, to string) (string, string) {
	for _, f := range b.fields {
		switch {
		case f.label == "Total Token throughput (tok/s)" && (to == "" || older("v0.12.0", to)):
			to = "v0.12.0"
		case f.label == "Total token throughput (tok/s)" && older(from, "v0.13.0"):
			from = "v0.13.0"
		}
	}
	return from, to
}

// older compares tags of the form v0.N.P.
func older(a, b string) bool {
	x, y := tag(a), tag(b)
	for i := range x {
		if x[i] != y[i] {
			return x[i] < y[i]
		}
	}
	return false
}

func tag(v string) (parts [3]int) {
	i := 0
	for _, r := range v {
		switch {
		case r == '.' && i < len(parts)-1:
			i++
		case r >= '0' && r <= '9':
			parts[i] = 10*parts[i] + int(r-'0')
		}
	}
	return parts
}
