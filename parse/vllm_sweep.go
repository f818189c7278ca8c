package parse

import (
	"regexp"
	"strings"

	"benchguide/metric"
)

// vllmSweep is the table that ends a sweep of vLLM's Rust client. It repeats values of
// the blocks above it, so that it is read only where there are none.
func vllmSweep() Format {
	p := producer{
		name: "vllm-bench (Rust) sweep", format: "vllm-sweep-table", headless: true,
		labels: []label{
			{key: "req/s", id: metric.RequestThroughput, decimals: 2},
			{key: "tok/s", id: metric.OutputThroughput, decimals: 2},
			{key: "total tok/s", id: metric.TotalThroughput, decimals: 2},
			{key: "ss req/s", setting: "steady.request_throughput"},
			{key: "ss out tok/s", setting: "steady.output_throughput"},
		},
		extra: func(f blockField) (label, bool) {
			stat, word, ok := statOf(strings.TrimSuffix(f.key, "(ms)"))
			q, known := map[string]metric.Quantity{"ttft": metric.TTFT, "tpot": metric.TPOT}[word]
			return label{key: f.key, id: metric.Of(stat, q), decimals: 2}, ok && known
		},
		versions: func(*block) string { return "main of 2026-07-17 or later" },
		whole:    func(*block) bool { return true },
		means: func(*Record, *block) []Definition {
			return []Definition{RatesByDuration, TPOTDecodeOnly, FailuresHidden}
		},
	}
	return Format{Name: p.format, Anchors: []string{" Sweep Summary "},
		Sniff: func(line []byte) bool {
			kind, title := rule(cleanLine(string(line)))
			return kind == sectionRule && title == "Sweep Summary"
		},
		Read: func(in *Input, out *Output) { p.readSweep(in, out) },
	}
}

func (p producer) readSweep(in *Input, out *Output) {
	repeats := out.records > 0
	columns := regexp.MustCompile(`Total tok/s|SS req/s|SS out tok/s|Req/s|Tok/s|P[0-9.]+ T[A-Z]+\(ms\)`)
	in.next()
	header, _ := in.next()
	names := columns.FindAllString(header.Text, -1)
	for range maxBlockLines {
		here := in.mark()
		l, ok := in.next()
		s := cleanLine(l.Text)
		cells := strings.Fields(s)
		if !ok || len(cells) < len(names) {
			in.reset(here)
			return
		}
		if kind, _ := rule(s); kind == closingRule {
			return
		}
		if isRuler(s) || repeats || len(names) == 0 || !l.Ended {
			continue
		}
		b := &block{file: in.File, first: l.No, last: l.No, closed: true}
		values := cells[len(cells)-len(names):]
		for i, name := range names {
			if values[i] != "-" {
				b.fields = append(b.fields, blockField{label: name, key: key(name), rest: values[i], line: l.No})
			}
		}
		out.Record(p.record(b, []string{strings.Join(cells[:len(cells)-len(names)], " ")}, nil))
	}
}
