package parse

import "bytes"

// guidellmYAML reads the same reports as guidellmJSON, written as YAML.
func guidellmYAML() Format {
	return Format{
		Name: "guidellm-yaml",
		Sniff: func(head []byte) bool {
			head = bytes.TrimPrefix(head, []byte("\ufeff"))
			return (bytes.HasPrefix(head, []byte("benchmarks:\n")) || bytes.HasPrefix(head, []byte("args:\n"))) &&
				bytes.Contains(head, []byte("\n- ")) &&
				(bytes.Contains(head, []byte("guidellm")) || bytes.Contains(head, []byte("strategy:")))
		},
		Read: readGuideLLMYAML,
	}
}

// readGuideLLMYAML reads the report and says where it ends too early.
func readGuideLLMYAML(in *Input, out *Output) {
	// Keys are sorted, so that a benchmark with its type has all that is read of it.
	d := readYAML(in, skipsInGuideLLM, func(n *node) bool { return n.has("type_") && n.has("metrics") })
	guidellmReport(d, "guidellm-yaml", out)
	if list := d.root.get("benchmarks").elements(); len(list) > 0 && !list[len(list)-1].closed {
		out.Problem(newProblem(CodeTruncated, in.File, in.line, "the YAML text ends inside a benchmark", "copy the file again; benchmarks that are not complete are left out"))
	}
}
