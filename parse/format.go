package parse

import "bytes"

// Format is one shape of output that the package reads. Formats live in one file
// each and are listed in formats; nothing registers itself.
//
// There are two kinds. A text format is found anywhere in a text: one of its
// Anchors stands in the first line of each result, Sniff is asked about that line,
// and Read reads one result from there. A document format has no anchors: Sniff is
// asked about the first bytes of the input, and Read takes all of it.
type Format struct {
	Name    string
	Anchors []string
	Sniff   func(b []byte) bool
	Read    func(in *Input, out *Output)
}

// Output collects what a format reads. Records are handed on as they are
// complete, so that an input of any size needs the memory of one result.
type Output struct {
	emit     func(Record)
	records  int
	problems []Problem
	requests func(o *object) // called instead of emit for each result with per-request data
}

// Record hands on a complete record.
func (o *Output) Record(r Record) {
	o.records++
	o.emit(r)
}

// Problem reports what is wrong with the input outside of any record.
func (o *Output) Problem(p Problem) { o.problems = append(o.problems, p) }

// formats lists what can be read. Order decides between text formats that share an anchor.
func formats() []Format {
	return []Format{
		servingText(),
		guidellmJSON(),
		guidellmYAML(),
		guidellmCSV(),
		guidellmConsole(),
		guidellmHTML(),
		aiperfJSON(),
		aiperfRecords(),
		aiperfCSV(),
		aiperfConsole(),
		genaiBenchJSON(),
		inferencePerfJSON(),
		inferencePerfText(),
		evalscopeJSON(),
		evalscopeConsole(),
		aisbenchConsole(),
		llmperfJSON(),
		hypercomputerText(),
		gpustackJSON(),
		llamaBenchFile(),
		llamaBenchTable(),
		vllmThroughput(),
		vllmLatency(),
		sglangOneBatch(),
		sglangOneBatchServer(),
		sglangMultiTurn(),
		trtllmBench(),
		mlperfSummary(),
		vllmSweep(),
		oneBatchTable(),
		servingTable(),
		jsonDocument(),
		jsonInText(),
		vllmSweepCSV(),
	}
}

// split separates document formats from text formats, in list order.
func split(all []Format) (documents, texts []Format) {
	for _, f := range all {
		if len(f.Anchors) == 0 {
			documents = append(documents, f)
		} else {
			texts = append(texts, f)
		}
	}
	return documents, texts
}

// anchors returns the distinct anchors of the text formats, in list order.
func anchors(texts []Format) []string {
	var all []string
	seen := map[string]bool{}
	for _, f := range texts {
		for _, a := range f.Anchors {
			if !seen[a] {
				seen[a] = true
				all = append(all, a)
			}
		}
	}
	return all
}

// begins reports whether a result of the format begins at the line.
func (f Format) begins(line []byte) bool {
	for _, a := range f.Anchors {
		if bytes.Contains(line, []byte(a)) {
			return f.Sniff(line)
		}
	}
	return false
}
