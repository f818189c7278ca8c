package parse

import (
	"strings"

	"benchguide/metric"
)

// oneBatchTable is the Markdown summary of SGLang's bench_one_batch_server: a row for
// each batch size. Its ITL is the batch divided by the decode rate.
func oneBatchTable() Format {
	p := producer{
		name: "sglang bench_one_batch_server", format: "sglang-one-batch-table", headless: true, rounded: true,
		labels: []label{
			{key: "batch size", setting: "batch_size"},
			{key: "input len", setting: "input_len"},
			{key: "latency (s)", id: metric.Duration},
			{key: "input throughput (tok/s)", setting: "prefill_throughput"},
			{key: "output throughput (tok/s)", setting: "decode_throughput"},
			{key: "acc length", id: metric.AcceptanceLength},
			{key: "acc rate", setting: "acceptance_rate"},
			{key: "itl (ms)", id: metric.Of(metric.Mean, metric.ITL)},
			{key: "input cost ($/1m)", setting: "input_cost_per_million"},
			{key: "output cost ($/1m)", setting: "output_cost_per_million"},
			{key: "input price ($/1m)", setting: "input_cost_per_million"},
			{key: "output price ($/1m)", setting: "output_cost_per_million"},
			{key: "cache hit rate", setting: "cache_hit_rate"},
		},
		versions: func(*block) string { return "v0.4.7 or later" },
		whole:    func(*block) bool { return true },
		means:    func(*Record, *block) []Definition { return []Definition{LatencyOfBatch, DecodeRateOnly, ITLPerToken} },
	}
	return Format{
		Name: p.format, Anchors: []string{"batch size |"},
		Sniff: func(line []byte) bool {
			cells := rowCells(cleanLine(string(line)))
			return len(cells) > 3 && key(cells[0]) == "batch size" && strings.Contains(strings.ToLower(string(line)), "latency (s)")
		},
		Read: p.readBatches,
	}
}

func (p producer) readBatches(in *Input, out *Output) {
	above, line := in.above()
	head := readPreface(above, line, "")
	labels := head.inherit(in)
	in.begin()
	g := &grid{file: in.File, first: in.line}
	for n := 0; n < maxBlockLines && in.takeRow(g); n++ {
	}
	for _, r := range g.rows[1:] {
		b := &block{file: in.File, first: r.line, last: r.line, closed: true}
		for i, name := range g.rows[0].cells {
			c := r.at(i)
			if _, ok := p.find(blockField{key: key(name)}); ok && c != "" && c != "n/a" && c != "N/A" {
				b.fields = append(b.fields, blockField{label: name, key: key(name), rest: c, line: r.line, cut: r.cut && i >= len(r.cells)-1})
			}
		}
		if len(b.fields) > 2 {
			out.Record(p.record(b, labels, head.settings))
		}
	}
}
