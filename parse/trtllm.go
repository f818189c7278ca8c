package parse

import (
	"strings"

	"benchguide/metric"
)

// trtllmServing is TensorRT-LLM's benchmark_serving: vLLM's block with a rate per
// user, standard deviations, and sections of its own. A banner about failed
// requests may stand inside it, in lines of "=" that end nothing.
func trtllmServing() producer {
	p := vllm()
	p.name = "tensorrt-llm benchmark_serving"
	p.labels = append(vllmLabels(),
		label{key: "total requests", id: metric.TotalRequests},
		label{key: "user throughput (tok/s)", id: metric.UserThroughput, decimals: 2},
		label{key: "total energy (j)", id: metric.Energy, decimals: 4},
		label{key: "output tokens per second per watt (tps/w)", id: metric.OutputTokensPerWatt, decimals: 4},
		label{key: "total gpu power (w)", id: metric.GPUPower, decimals: 4})
	tellTales := []string{"user throughput (tok/s)", "total requests", "mean request ar", "total energy (j)"}
	p.means = familyMeans
	p.owns = func(b *block) bool { return b.hasAny(tellTales...) }
	p.extra = func(f blockField) (label, bool) {
		l, ok := settingOf(f.key, map[string]string{"request ar": "request_acceptance"})
		if !ok && strings.HasPrefix(f.section, "avg decoded tokens per iter") {
			stat, _, isStat := statOf(f.key + " x")
			l, ok = label{key: f.key, setting: "decoded_tokens_per_iteration." + string(stat)}, isStat
		}
		return l, ok
	}
	p.versions = func(b *block) string {
		switch {
		case b.hasAny("total requests", "total energy (j)"):
			return "after v1.0"
		case b.has("mean request ar"):
			return "about v1.0"
		default:
			return ""
		}
	}
	return p
}
