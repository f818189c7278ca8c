package analyze

import (
	"benchguide/metric"
)

// Kind says how a fact's number is read and printed.
type Kind string

// The kinds of facts.
const (
	Measured Kind = "measured" // a number in the metric's unit
	Ratio    Kind = "ratio"    // how much better: above 1 is better, in either direction
	Fraction Kind = "fraction" // a part of 1, printed as a percentage
	Count    Kind = "count"    // how many of something
	Declared Kind = "declared" // a number that the study states: prompts, GPUs
)

// Source is where a measured number stands: file and line of a raw output.
type Source struct {
	File string `json:"file"` // relative to the study's folder
	Line int    `json:"line"`
	Text string `json:"text,omitempty"` // the number as it stands there
}

// Fact is a number with an id, a unit and a source: a record's line, a line of
// study.yaml, or a formula over other facts.
type Fact struct {
	ID        string    `json:"id"`
	Kind      Kind      `json:"kind"`
	Value     float64   `json:"value"`
	Unit      string    `json:"unit,omitempty"`
	Metric    metric.ID `json:"metric,omitempty"`
	Precision int       `json:"precision"`
	Derived   bool      `json:"derived,omitempty"`
	Formula   string    `json:"formula,omitempty"`
	Inputs    []string  `json:"inputs,omitempty"` // ids of the facts that the formula is over
	Source    *Source   `json:"source,omitempty"`
}

// Facts is the set of a report's facts, in the order in which they were found.
type Facts struct {
	list  []Fact
	index map[string]int
}

// All returns the facts in order.
func (f *Facts) All() []Fact { return f.list }

// Get returns the fact with this id, and false when there is none.
func (f *Facts) Get(id string) (Fact, bool) {
	i, ok := f.index[id]
	if !ok {
		return Fact{}, false
	}
	return f.list[i], true
}

// Has reports whether all ids are facts.
func (f *Facts) Has(ids ...string) bool {
	for _, id := range ids {
		if _, ok := f.index[id]; !ok {
			return false
		}
	}
	return true
}

// add puts a fact into the set and returns its id. The first fact of an id stays:
// a later one of the same id is the same number, reached by another way.
func (f *Facts) add(fact Fact) string {
	if f.index == nil {
		f.index = map[string]int{}
	}
	if _, ok := f.index[fact.ID]; !ok {
		f.index[fact.ID] = len(f.list)
		f.list = append(f.list, fact)
	}
	return fact.ID
}

// value returns a fact's number; it panics if the id is not a fact, since ids are
// only ever passed on by code that added them.
func (f *Facts) value(id string) float64 {
	fact, ok := f.Get(id)
	if !ok {
		panic("no fact " + id)
	}
	return fact.Value
}

// Sources returns where a fact comes from: its own source, or those of all the
// facts beneath its formula, each once, in formula order.
func (f *Facts) Sources(id string) []Source {
	var sources []Source
	seen := map[Source]bool{}
	var walk func(id string)
	walk = func(id string) {
		fact, ok := f.Get(id)
		if !ok {
			return
		}
		if fact.Source != nil && !seen[*fact.Source] {
			seen[*fact.Source] = true
			sources = append(sources, *fact.Source)
		}
		for _, in := range fact.Inputs {
			walk(in)
		}
	}
	walk(id)
	return sources
}
