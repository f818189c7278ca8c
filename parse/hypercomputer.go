package parse

import (
	"strings"

	"benchguide/metric"
)

// hypercomputerText reads what AI-Hypercomputer's inference-benchmark prints: lines
// of "label: value" below a title with the model, rates a minute or a second.
func hypercomputerText() Format {
	return Format{
		Name:    "hypercomputer-text",
		Anchors: []string{"====Result for Model:"},
		Sniff:   func(line []byte) bool { return hypercomputerModel(clean(string(line))) != "" },
		Read:    readHypercomputer,
	}
}

// hypercomputerModel returns the model of a title line, or "".
func hypercomputerModel(s string) string {
	model, ok := strings.CutPrefix(s, "====Result for Model:")
	model, closed := strings.CutSuffix(model, "====")
	if !ok || !closed {
		return ""
	}
	return strings.TrimSpace(model)
}

// readHypercomputer reads the lines below a title, to the first that is none of the tool.
func readHypercomputer(in *Input, out *Output) {
	r := Record{Format: "hypercomputer-text", Producer: "ai-hypercomputer inference-benchmark", File: in.File, Line: in.line}
	r.Labels = labelsAbove(in)
	in.begin()
	first, _ := in.next()
	r.Settings = append(r.Settings, Setting{"model", hypercomputerModel(clean(first.Text)), first.No})
	r.EndLine = first.No
	for range maxIdle {
		here := in.mark()
		l, ok := in.next()
		label, rest, isField := field(clean(l.Text))
		if !ok || !isField || !hypercomputerField(&r, label, rest, l) {
			in.reset(here)
			break
		}
		r.EndLine = l.No
	}
	if len(r.Values) == 0 {
		out.Problem(newProblem(CodeTruncated, in.File, r.EndLine, "this result has no values below its title", "copy the output again"))
		return
	}
	dropUnmeasured(&r)
	out.Record(r)
}

// hypercomputerField reads one line, and returns false for one that is not the result's.
func hypercomputerField(r *Record, label, rest string, l Line) bool {
	key := key(label)
	number, unit, _ := strings.Cut(rest, " ")
	s := stated{label, number, unit, l.No}
	switch {
	case strings.HasPrefix(key, "average "), isOneOf(key, "errors", "cost $/1k tokens", "slo met count", "queries/sec"):
		return true
	case !l.Ended:
		r.Problems = append(r.Problems, newProblem(CodeCutValue, r.File, l.No, "the input ends inside this line, so it is left out", "copy the output again"))
		return true
	case key == "successful/total requests":
		done, total, ok := strings.Cut(rest, "/")
		if ok {
			r.measure(metric.CompletedRequests, stated{label, done, "", l.No})
			r.measure(metric.TotalRequests, stated{label, total, "", l.No})
		}
		return ok
	case key == "total time", key == "total time (seconds)":
		r.measure(metric.Duration, s)
		return true
	}
	id, ok := map[string]metric.ID{
		"output_tokens/min": metric.OutputThroughput, "input_tokens/min": metric.InputThroughput, "tokens/min": metric.TotalThroughput,
		"output_tokens/sec": metric.OutputThroughput, "input_tokens/sec": metric.InputThroughput, "tokens/sec": metric.TotalThroughput,
	}[key]
	if !ok { // requests a minute count those that failed too
		return isOneOf(key, "requests/min", "requests/sec")
	}
	_, per, _ := strings.Cut(key, "/")
	s.unit = map[string]string{"min": "tokens/min", "sec": "tokens/sec"}[per]
	r.measure(id, s)
	return true
}
