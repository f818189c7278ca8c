package parse

import "benchguide/metric"

// gpustackText is the block that GPUStack's documentation renders from GuideLLM's
// reports. Its words are GuideLLM's: what it calls inter-token latency is the mean
// over requests that others call TPOT, what it calls TPOT includes the time to
// first token, and its peak rate is an artefact without meaning.
func gpustackText() producer {
	p := vllm()
	p.name = "gpustack performance lab (guidellm)"
	p.owns = func(b *block) bool { return b.hasAny("mean latency(s)", "median latency(s)", "p99 latency(s)") }
	p.versions = func(*block) string { return "guidellm v0.4.0 to v0.6.1" }
	p.quantity = map[string]metric.Quantity{"ttft": metric.TTFT, "itl": metric.TPOT}
	p.labels = []label{{key: "peak output token throughput (tok/s)", setting: "peak_output_throughput_artefact"}}
	for _, l := range vllmLabels() {
		if l.id != metric.PeakOutputRate {
			p.labels = append(p.labels, l)
		}
	}
	for _, stat := range []metric.Stat{metric.Mean, metric.Median, metric.Pct(90), metric.Pct(95), metric.Pct(99)} {
		p.labels = append(p.labels, label{
			key: string(stat) + " latency(s)", id: metric.Of(stat, metric.E2E), scale: 1000, decimals: 2,
		})
	}
	p.extra = func(f blockField) (label, bool) {
		return settingOf(f.key, map[string]string{"tpot (ms)": "time_per_output_token_with_ttft_ms"})
	}
	p.means = func(*Record, *block) []Definition {
		return []Definition{ITLAsTPOT, TPOTLastToken, TPOTWithTTFT, RatesOverstated, TokensEstimated, FailuresHidden}
	}
	return p
}
