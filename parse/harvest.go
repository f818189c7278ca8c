package parse

import (
	"slices"
	"strings"
)

// state keeps a setting unless the text has stated it already. The client prints
// what it does after its arguments, so what it prints replaces them.
func (c *preface) state(s Setting) {
	c.settings = slices.DeleteFunc(c.settings, func(old Setting) bool { return old.Name == s.Name })
	c.settings = append(c.settings, s)
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
	case "maximum request concurrency", "max request concurrency", "max reqeuest concurrency":
		return Setting{Name: "max_concurrency", Text: rest}, true
	case "traffic ramp-up strategy":
		return Setting{Name: "ramp_up_strategy", Text: strings.TrimSuffix(rest, ".")}, true
	case "#input tokens":
		return Setting{Name: "dataset_input_tokens", Text: rest}, true
	case "#output tokens":
		return Setting{Name: "dataset_output_tokens", Text: rest}, true
	default:
		return Setting{}, false
	}
}

// loadArguments lists the arguments of clients that describe the load. Others,
// which may hold hosts, paths and keys, are not harvested.
func loadArguments() []string {
	return []string{
		"backend", "endpoint", "dataset_name", "num_prompts", "request_rate", "max_concurrency", "burstiness", "seed",
		"random_input_len", "random_output_len", "random_range_ratio", "random_prefix_len", "sharegpt_output_len",
		"num_warmups", "warmup_requests", "ignore_eos", "disable_ignore_eos", "disable_stream", "goodput",
		"percentile_metrics", "metric_percentiles", "input_len", "output_len", "batch_size",
	}
}

// argumentsOf returns what stands in the brackets of a client's Namespace(...) line.
func argumentsOf(s string) (string, bool) {
	s = strings.TrimPrefix(s, "benchmark_args=")
	inside, ok := strings.CutPrefix(s, "Namespace(")
	return strings.TrimSuffix(inside, ")"), ok
}

// arguments harvests the load from Python's print of a client's arguments.
func (c *preface) arguments(args string, line int) {
	for _, name := range loadArguments() {
		start := strings.Index(" "+args, " "+name+"=")
		if start < 0 || start > 0 && args[start-1] != ' ' {
			continue
		}
		value := args[start+len(name)+1:]
		if text, ok := pythonScalar(value); ok {
			c.state(Setting{Name: name, Text: text, Line: line})
		}
	}
}

// pythonScalar reads the number, word or string that s begins with. None is no
// statement, and neither is a value that is cut or has parts.
func pythonScalar(s string) (string, bool) {
	if quoted, ok := strings.CutPrefix(s, "'"); ok {
		text, _, closed := strings.Cut(quoted, "'")
		return text, closed && text != ""
	}
	text, _, _ := strings.Cut(s, ",")
	if text == "" || text == "None" || strings.ContainsAny(text, "[({<") {
		return "", false
	}
	return text, true
}

// isClient tells the command of a benchmark client from that of a server.
func isClient(command string) bool {
	for _, part := range []string{"vllm bench ", "benchmark_serving", "bench_serving", "benchmark.serving", "bench_one_batch", "bench_offline", "vllm-bench", "max benchmark"} {
		if strings.Contains(command, part) {
			return true
		}
	}
	return false
}

// flags harvests the load from a client's command line.
func (c *preface) flags(command string, line int) {
	words := strings.Fields(command)
	for i, w := range words {
		flag, ok := strings.CutPrefix(w, "--")
		if !ok {
			continue
		}
		name, value, joined := strings.Cut(flag, "=")
		name = strings.ReplaceAll(name, "-", "_")
		if !joined && i+1 < len(words) && !strings.HasPrefix(words[i+1], "--") {
			value = words[i+1]
		}
		if value != "" && slices.Contains(loadArguments(), name) {
			c.state(Setting{Name: name, Text: strings.Trim(value, `'"`), Line: line})
		}
	}
}

// labelAfter takes the line after a block that nothing above it names, when that
// line is a name that stands directly under the block and over a blank line. A
// name that stands over the next block belongs to that.
func labelAfter(in *Input, pre prefix) []string {
	here := in.mark()
	in.begin()
	l, ok := in.next()
	if !ok {
		return nil
	}
	kind, text := labelOf(unprefixed(pre.strip(cleanLine(l.Text))))
	after := in.mark()
	next, more := in.next()
	if (kind == tagLabel || kind == nameLabel) && l.Ended && (!more || cleanLine(next.Text) == "") {
		in.reset(after)
		return []string{text}
	}
	in.reset(here)
	return nil
}
