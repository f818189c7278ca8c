package parse

import (
	"bytes"
	"strings"
)

// llama-bench measures how fast a model reads and writes without a server, so there
// are no requests and no latencies. It is recognised in each of its formats and
// refused by its name.

// refuseLlamaBench says what the input is and what would be read instead.
func refuseLlamaBench(file string, line int, out *Output) {
	out.Problem(newProblem(CodeUnsupported, file, line,
		"this was printed by llama-bench, which runs a model without a server", "give the output of a serving benchmark, such as vllm bench serve against llama-server"))
}

// llamaBenchFile recognises llama-bench's CSV, JSON, JSONL and SQL.
func llamaBenchFile() Format {
	return Format{
		Name: "llama-bench-file",
		Sniff: func(head []byte) bool {
			return jsonHas(head, "build_commit", "avg_ts") || bytes.HasPrefix(head, []byte("build_commit,")) || bytes.Contains(head, []byte("TABLE IF NOT EXISTS llama_bench"))
		},
		Read: func(in *Input, out *Output) { refuseLlamaBench(in.File, in.line, out) },
	}
}

// llamaBenchTable recognises the Markdown table that llama-bench prints.
func llamaBenchTable() Format {
	return Format{
		Name:    "llama-bench-table",
		Anchors: []string{"| backend "}, // long, since the shortest anchor sets the pace of the search
		Sniff: func(line []byte) bool {
			cells := cellsOf(clean(string(line)))
			return len(cells) > 4 && cells[0] == "model" && contains(cells, "backend") && contains(cells, "test") && cells[len(cells)-1] == "t/s"
		},
		Read: func(in *Input, out *Output) {
			refuseLlamaBench(in.File, in.line, out)
			for _, ok := in.next(); ok && strings.HasPrefix(clean(string(in.peek())), "|"); {
				_, ok = in.next()
			}
		},
	}
}
