package parse

import (
	"strings"

	"benchguide/metric"
)

// trtllmBench is the report of trtllm-bench: banners of "=" with sections between,
// and distributions whose lines begin with a tag. Old reports print other sections
// and mean the output rate by their "Total Token Throughput".
func trtllmBench() Format {
	f := lineFormat{anchors: []string{"= PERFORMANCE OVERVIEW", "= THROUGHPUT OVERVIEW", "= REQUEST DETAILS", "= GENERAL OVERVIEW"}, idle: 4}
	f.producer = producer{
		name: "trtllm-bench", format: "trtllm-bench-text", headless: true,
		labels: append(trtllmBenchLabels(), trtllmOldLabels()...),
		extra:  trtllmBreakdown,
		versions: func(b *block) string {
			switch {
			case b.hasSection("throughput overview"):
				return "v0.12.0 to v0.15.0"
			case b.hasAny("per user output speed [1/tpot] (tokens/sec/user)", "per gpu output throughput (tokens/sec/gpu)"):
				return "v0.20.0 or later"
			default:
				return "v0.16.0 or later"
			}
		},
		whole: func(b *block) bool { return b.hasAny("total latency (ms)") },
		means: func(*Record, *block) []Definition {
			return []Definition{RatesByDuration, TPOTDecodeOnly, FailuresHidden}
		},
		finish: func(r *Record, _ *block) { deriveTokens(r) },
	}
	f.sniff = func(s string) bool {
		for _, a := range f.anchors {
			if strings.HasPrefix(s, a) {
				return true
			}
		}
		return false
	}
	f.take = f.producer.takeReport
	f.ready = func(b *block) bool { return b.hasAny("request throughput (req/sec)") }
	return f.format()
}

func (b *block) hasSection(title string) bool {
	for _, t := range b.titles {
		if t == title {
			return true
		}
	}
	return false
}

// takeReport reads a line of the report. A second overview of one kind begins another.
func (p producer) takeReport(b *block, s string, l Line) int {
	if title, ok := strings.CutPrefix(s, "= "); ok {
		title = key(title)
		if b.hasSection(title) || title == "request details" && b.hasSection("performance overview") {
			return lineOutside
		}
		b.section = title
		b.titles = append(b.titles, title)
		return lineTaken
	}
	if kind, _ := rule(s); kind == closingRule {
		return lineIdle
	}
	if title, ok := strings.CutPrefix(s, "-- "); ok {
		b.section = key(strings.TrimRight(title, "- "))
		return lineTaken
	}
	if strings.HasPrefix(s, "```") || strings.HasPrefix(s, "#") {
		return lineOutside
	}
	if kind := p.known(b, s, l); kind != lineIdle {
		return kind
	}
	if s != "" {
		b.other = append(b.other, Unknown{Text: s, Line: l.No})
	}
	return lineIdle
}

func trtllmBenchLabels() []label {
	mean := func(q metric.Quantity) metric.ID { return metric.Of(metric.Mean, q) }
	return []label{
		{key: "number of requests", id: metric.TotalRequests},
		{key: "number of concurrent requests", id: metric.MeanConcurrency, decimals: 4},
		{key: "average input length (tokens)", setting: "input_length.mean"},
		{key: "average output length (tokens)", setting: "output_length.mean"},
		{key: "tp size", setting: "tp_size"},
		{key: "pp size", setting: "pp_size"},
		{key: "ep size", setting: "ep_size"},
		{key: "max runtime batch size", setting: "max_batch_size"},
		{key: "max runtime tokens", setting: "max_num_tokens"},
		{key: "scheduling policy", setting: "scheduling_policy"},
		{key: "kv memory percentage", setting: "kv_memory_percentage"},
		{key: "issue rate (req/sec)", setting: "issue_rate"},
		{key: "request throughput (req/sec)", id: metric.RequestThroughput, decimals: 4},
		{key: "total output throughput (tokens/sec)", id: metric.OutputThroughput, decimals: 4},
		{key: "per user output throughput [w/ ctx] (tps/user)", id: metric.UserThroughput, decimals: 4},
		{key: "per user output throughput (tokens/sec/user)", id: metric.UserThroughput, decimals: 4},
		{key: "per gpu output throughput (tps/gpu)", id: metric.GPUThroughput, decimals: 4},
		{key: "per gpu output throughput (tokens/sec/gpu)", id: metric.GPUThroughput, decimals: 4},
		{key: "total latency (ms)", id: metric.Duration, scale: 0.001, decimals: 4},
		{key: "average request latency (ms)", id: mean(metric.E2E), decimals: 4},
		{key: "average time-to-first-token [ttft] (ms)", id: mean(metric.TTFT), decimals: 4},
		{key: "average time-per-output-token [tpot] (ms)", id: mean(metric.TPOT), decimals: 4},
		{key: "per user output speed (tps/user)", setting: "output_speed_per_user"},
		{key: "per user output speed [1/tpot] (tokens/sec/user)", setting: "output_speed_per_user"},
	}
}

// trtllmOldLabels are those of v0.12 to v0.15. What it calls inter-token latency is
// the mean over requests that others call TPOT.
func trtllmOldLabels() []label {
	return []label{
		{key: "token throughput (tokens/sec)", id: metric.OutputThroughput, decimals: 4},
		{key: "generation token throughput (tokens/sec)", setting: "generation_throughput"},
		{key: "average time-to-first-token (ms)", id: metric.Of(metric.Mean, metric.TTFT), decimals: 4},
		{key: "average inter-token latency (ms)", id: metric.Of(metric.Mean, metric.TPOT), decimals: 4},
		{key: "acceptance rate (speculative)", setting: "accepted_tokens_per_step"},
	}
}

// trtllmBreakdown reads "[TPOT] P50    : 204.0463", and the one label whose meaning
// depends on its section.
func trtllmBreakdown(f blockField) (label, bool) {
	if f.key == "total token throughput (tokens/sec)" {
		id := metric.TotalThroughput
		if f.section == "throughput overview" {
			id = metric.OutputThroughput
		}
		return label{key: f.key, id: id, decimals: 4}, true
	}
	stat, ok := trtllmStat(f.key)
	if !ok {
		return label{}, false
	}
	tag, _, tagged := strings.Cut(strings.TrimPrefix(f.key, "["), "]")
	if !tagged || !strings.HasPrefix(f.key, "[") {
		if !strings.HasSuffix(f.section, "breakdown") {
			return label{}, false
		}
		name := strings.ReplaceAll(strings.TrimSuffix(f.section, " breakdown"), " ", "_")
		return label{key: f.key, setting: name + "." + string(stat)}, true
	}
	quantity, ok := map[string]metric.Quantity{"tpot": metric.TPOT, "ttft": metric.TTFT, "latency": metric.E2E}[tag]
	if !ok {
		return label{key: f.key, setting: tag + "." + string(stat)}, true
	}
	return label{key: f.key, id: metric.Of(stat, quantity), decimals: 4}, true
}

func trtllmStat(k string) (metric.Stat, bool) {
	if _, after, ok := strings.Cut(k, "] "); ok {
		k = after
	}
	k = strings.TrimSuffix(k, " (ms)")
	switch k {
	case "minimum", "min":
		return metric.Min, true
	case "maximum", "max":
		return metric.Max, true
	case "average", "avg":
		return metric.Mean, true
	}
	stat, _, ok := statOf(k + " x")
	return stat, ok
}

// deriveTokens computes token counts from the mean lengths.
func deriveTokens(r *Record) {
	requests, ok := r.Number(metric.TotalRequests)
	if !ok {
		return
	}
	for _, s := range r.Settings {
		n, kind := readNumber(s.Text)
		switch {
		case kind != isNumber:
		case s.Name == "input_length.mean":
			r.derived(metric.InputTokens, float64(int64(requests*n.value+0.5)), metric.TotalRequests)
		case s.Name == "output_length.mean":
			r.derived(metric.OutputTokens, float64(int64(requests*n.value+0.5)), metric.TotalRequests)
		}
	}
}
