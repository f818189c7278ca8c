package parse

import (
	"slices"
	"strconv"
	"strings"

	"benchguide/metric"
)

// producer is one of the tools that print the "Serving Benchmark Result" block: how
// to know it, what its labels mean, and which of its versions print them. A new
// producer is a new value of this type, in a file of its own.
type producer struct {
	format     string // name of the format, "" for the block family's
	name       string
	owns       func(b *block) bool // its tell-tale
	labels     []label
	quantity   map[string]metric.Quantity       // what its words for the distributions mean
	versions   func(b *block) string            // the versions that print these labels, "" if none
	whole      func(b *block) bool              // nothing is missing at the end of the block
	headless   bool                             // it prints no header line
	extra      func(f blockField) (label, bool) // labels with names or numbers in them
	extraFirst bool                             // extra goes before the labels
	means      func(r *Record, b *block) []Definition
	finish     func(r *Record, b *block) // corrects what the labels alone cannot tell
	rounded    bool                      // numbers may have fewer decimals than the tool prints
	refusal    string                    // code of the problem for a block that is recognised and not read
	hint       string                    // what to do about a refusal
}

// label is the meaning of one label of a producer.
type label struct {
	key      string // lower case, single spaces
	id       metric.ID
	setting  string  // name of the setting, for a label that is no metric
	unit     string  // printed after the value, "" when it stands in the label
	scale    float64 // from the printed unit to the metric's; 0 stands for 1
	decimals int     // the tool prints at least so many; 0 for counts
	heading  bool    // the label has no value
	percent  int     // of labels printed twice: shareOnly or countOnly
}

// A label that is printed once with a count and once with a share is two labels.
const (
	shareOnly = 1 // the value ends in %
	countOnly = 2 // the value does not
)

// fits reports whether the label has the meaning for what stands after it.
func (l label) fits(f blockField) bool {
	share := strings.HasSuffix(strings.TrimSpace(f.rest), "%")
	return l.percent == 0 || share == (l.percent == shareOnly)
}

// find returns the meaning of a field's label, and false when the producer does not print it.
func (p producer) find(f blockField) (label, bool) {
	k := f.key
	if p.extraFirst {
		if l, ok := p.extra(f); ok {
			return l, true
		}
	}
	for _, l := range p.labels {
		if l.key == k && l.fits(f) {
			return l, true
		}
	}
	if l, ok := p.statistic(k); ok {
		return l, true
	}
	if p.extra != nil && !p.extraFirst {
		if l, ok := p.extra(f); ok {
			return l, true
		}
	}
	if n, ok := strings.CutPrefix(k, "position "); ok {
		if position, err := strconv.Atoi(n); err == nil && position >= 0 && strconv.Itoa(position) == n {
			return label{key: k, id: metric.AcceptanceAt(position), decimals: 2}, true
		}
	}
	return label{}, false
}

// statistic reads labels such as "mean ttft (ms)", "p99.9 itl (ms)" and "std dev e2el (ms)".
func (p producer) statistic(k string) (label, bool) {
	stat, word, ok := statOf(k)
	if !ok {
		return label{}, false
	}
	word, ok = strings.CutSuffix(word, " (ms)")
	if !ok {
		return label{}, false
	}
	quantity, ok := p.quantity[word]
	if !ok {
		return label{}, false
	}
	return label{key: k, id: metric.Of(stat, quantity), decimals: 2}, true
}

// statOf cuts "std dev e2el (ms)" into the statistic and what it is one of.
func statOf(k string) (metric.Stat, string, bool) {
	stat, word, ok := strings.Cut(strings.Replace(k, "std dev ", "std ", 1), " ")
	if !ok {
		return "", "", false
	}
	return metric.Stat(stat), word, isStat(stat)
}

// isStat recognises "mean", "median", "std", "min", "max" and percentiles such as "p99.9".
func isStat(s string) bool {
	switch metric.Stat(s) {
	case metric.Mean, metric.Median, metric.Std, metric.Min, metric.Max:
		return true
	}
	if digits, ok := strings.CutPrefix(s, "p"); !ok || digits == "" || digitsEnd(digits, 0) == 0 {
		return false
	}
	_, ok := metric.Lookup(metric.Of(metric.Stat(s), metric.TTFT))
	return ok
}

// settingOf reads "mean input length" as the setting input_length.mean: a measured
// statistic of something that is no canonical metric.
func settingOf(k string, words map[string]string) (label, bool) {
	stat, word, ok := statOf(k)
	if !ok {
		return label{}, false
	}
	name, ok := words[word]
	return label{key: k, setting: name + "." + string(stat)}, ok
}

// family is everyone who prints the block, the most particular first; the last one
// owns what no other does.
type family []producer

func servingFamily() family {
	return append(refused(),
		gpustackText(), sglangOffline(), sglangServing(), fastDeploy(), modular(), trtllmServing(),
		vllmMultiTurn(), vllmRust(), vllm03(), vllm01(), inferenceX(), benchguide(), vllm())
}

func (f family) of(b *block) producer {
	for _, p := range f {
		if p.owns(b) {
			return p
		}
	}
	return f[len(f)-1]
}

// maxKnown bounds how many labels are remembered; a text of other things has no more.
const maxKnown = 2000

// knower returns a function that reports whether some producer prints a label. It
// remembers what it has found, since blocks repeat their labels.
func (f family) knower() func(field blockField) bool {
	seen := map[string]bool{}
	return func(field blockField) bool {
		k := field.key + "\x00" + field.section + "\x00" + field.part
		known, ok := seen[k]
		if !ok {
			if len(seen) >= maxKnown {
				clear(seen)
			}
			known = slices.ContainsFunc(f, func(p producer) bool {
				_, found := p.find(field)
				return found
			})
			seen[k] = known
		}
		return known
	}
}
