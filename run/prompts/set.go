package prompts

import "benchguide/bench"

// Schema is the version of prompts.json.
const Schema = 1

// IndexFile says what the lists are; each lies beside it in a file of its own.
const IndexFile = "prompts.json"

// Set is the prompts of a run: the warm-up, then the workloads in the study's order.
type Set struct {
	Seed  int
	Lists []List
}

// List is the prompts of one workload, in the order in which they are sent.
type List struct {
	Name    string // the workload's id, or study.WarmupPrompts
	Prompts []bench.Prompt

	Input   int    // tokens of all prompts, as counted; 0 where they were not
	Counted string // how: ByFile, ByServer or Roughly

	Dataset   string // id in study.yaml
	Source    string // SHA-256 of the file that the prompts come from; empty for made-up ones
	Synthetic string // how made-up prompts were made; empty for those of a file
	Replaced  int    // secrets that were replaced in these prompts
}

// How tokens were counted.
const (
	ByFile   = "tokenizer file"
	ByServer = "server tokenizer"
	Roughly  = "approximate: four bytes a token"
	Unread   = "; the model's tokenizer.json is of a kind that is not read here" // behind one of the others
)

// Output is the sum of the answers' lengths.
func (l List) Output() int {
	sum := 0
	for _, p := range l.Prompts {
		sum += p.Output
	}
	return sum
}

// List returns the list of a name, and false when there is none.
func (s Set) List(name string) (List, bool) {
	for _, l := range s.Lists {
		if l.Name == name {
			return l, true
		}
	}
	return List{}, false
}

// FileName is the name of a list's file.
func FileName(list string) string { return list + ".jsonl" }
