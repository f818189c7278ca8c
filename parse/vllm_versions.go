package parse

// vllmDating dates the blocks of vLLM's Python client. Percentiles and E2EL have
// been a choice of the user's since v0.6.0; "Total Token throughput" lost its
// second capital in v0.13.0.
func vllmDating() dating {
	return dating{
		first: "v0.4.0",
		since: []dated{
			{"probe requests completed", "v0.26.1"},
			{"committed throughput (tok/s)", "v0.24.0"},
			{"rtfx (inverse real-time factor)", "v0.17.0"},
			{"acceptance rate (%)", "v0.14.0"},
			{"failed requests", "v0.11.1"},
			{"peak concurrent requests", "v0.11.0"},
			{"request rate configured (rps)", "v0.10.1"},
			{"maximum request concurrency", "v0.10.1"},
			{"request goodput (req/s)", "v0.6.4"},
			{"mean e2el (ms)", "v0.6.0"},
			{"total token throughput (tok/s)", "v0.6.0"},
			{"mean itl (ms)", "v0.5.0"},
		},
		until: []dated{{"input token throughput (tok/s)", "v0.5.5"}},
		always: []dated{
			{"failed requests", "v0.11.0"},
			{"peak concurrent requests", "v0.10.2"},
			{"total token throughput (tok/s)", "v0.5.5"},
		},
		spelt: []datedSpelling{
			{"Total Token throughput (tok/s)", "", "v0.12.0"},
			{"Total token throughput (tok/s)", "v0.13.0", ""},
		},
	}
}
