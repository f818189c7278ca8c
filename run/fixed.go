package run

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"benchguide/study"
)

// fixed returns what has changed in a part although the run holds it fast, and "" where
// nothing has. A run's prompts are made once, so that what they were made of is fixed from its
// beginning; what the starts that are there were made with is fixed by them. A start made
// otherwise could not be compared with these, whoever accepts that it is made.
func (d difference) fixed(starts []study.Start) string {
	word, ref, _ := strings.Cut(d.name, " ")
	gone, begun := d.now == nil, len(starts) > 0
	has := func(belongs func(study.Start) bool) bool { return slices.ContainsFunc(starts, belongs) }
	switch {
	case d.name == "the model":
		return d.but("shape") // is read by the page's bound only
	case word == "workload":
		return d.but()
	case word == "dataset":
		if d.before == nil || gone {
			return "" // of no workload, or that workload is named
		}
		return d.but()
	case d.name == "the plan of the run" && !begun:
		return d.only(func(member string) bool { return member == "seed" || member == "warmup" })
	case d.name == "the plan of the run":
		return d.but("blocks", "confirm", "screen", "ablation") // how many starts are made, and not how
	case !begun:
		return ""
	case d.name == "the hardware":
		return d.but("short") // a name for pages
	case d.name == "the engines":
		return d.only(func(id string) bool { return has(func(s study.Start) bool { return s.Attempt.Engine == id }) })
	case word == "stage":
		// Its order and its pick decide nothing about starts. Whether it is decided as it was before
		// is found out by going through the run.
		if gone && has(func(s study.Start) bool { return s.Stage == ref }) {
			return d.text()
		}
		return ""
	case word == "candidate":
		if !has(func(s study.Start) bool { return s.Ref() == ref }) {
			return ""
		}
		return d.but("same_as") // says what two candidates have in common, and changes neither
	}
	return d.but() // the objective, the baseline, and whatever somebody adds
}

// but names the difference by its members, without those that may change.
func (d difference) but(free ...string) string {
	return d.only(func(member string) bool { return !slices.Contains(free, member) })
}

// only names the difference by those of its members that are meant, "" if it has none.
func (d difference) only(meant func(member string) bool) string {
	if d.before == nil || d.now == nil {
		return d.text()
	}
	var list []string
	for _, m := range d.members() {
		if meant(m) {
			list = append(list, m)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf("%s (%s)", d.name, strings.Join(list, ", "))
}

// members lists the keys in which the two values differ, by name.
func (d difference) members() []string {
	var before, now map[string]json.RawMessage
	// Every part is an object; of one that is not, nothing is known to be the same.
	if json.Unmarshal(d.before, &before) != nil || json.Unmarshal(d.now, &now) != nil {
		return []string{"its value"}
	}
	keys := map[string]json.RawMessage{}
	maps.Copy(keys, before)
	maps.Copy(keys, now)
	return slices.DeleteFunc(slices.Sorted(maps.Keys(keys)), func(k string) bool { return bytes.Equal(before[k], now[k]) })
}
