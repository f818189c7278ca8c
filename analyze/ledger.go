package analyze

import (
	"maps"
	"math"
	"slices"
	"strings"

	"benchguide/metric"
	"benchguide/study"
)

// Difference is one thing in which two sides of a comparison are not alike.
type Difference struct {
	Kind   string `json:"kind"` // engine, version, model, option, variable, environment, cache, sitting
	Name   string `json:"name,omitempty"`
	Before string `json:"before,omitempty"` // empty where that side does not have it
	After  string `json:"after,omitempty"`
	Effect Effect `json:"effect"`

	// Numbers of the trials, in place of Before and After.
	BeforeFact string `json:"before_fact,omitempty"`
	AfterFact  string `json:"after_fact,omitempty"`
}

// Effect is what a difference does to a comparison.
type Effect string

// The effects: a stage's own change is what is being measured; the rest is noted,
// cautioned about, or forbids to rank.
const (
	EffectChange  Effect = "change"
	EffectNote    Effect = "note"
	EffectCaution Effect = "caution"
	EffectRefusal Effect = "refusal"
)

// RefusedEnvironment is the reason for which results of unlike surroundings are not
// ranked: other GPUs, or another client that measures in its own way.
const RefusedEnvironment = "environment-differs"

// environmentEffects says what a difference in the surroundings of two starts does.
// What is not listed is noted.
func environmentEffects() map[string]Effect {
	return map[string]Effect{
		"gpu": EffectRefusal, "gpus": EffectRefusal, promptsKey: EffectRefusal, "client": EffectRefusal, "sampling": EffectRefusal, "dataset": EffectRefusal,
		"driver": EffectCaution, "cuda": EffectCaution, "power_limit": EffectCaution, "clocks": EffectCaution, "container": EffectCaution,
	}
}

// cacheGap is how far apart the prefix cache hits of two sides may be, as a part of
// the prompts' tokens, before the comparison carries a caution.
const cacheGap = 0.05

// ledger lists what differs between two sides: their configurations, and everything
// that the starts recorded of their surroundings.
func (a *analysis) ledger(against, t *Sample) []Difference {
	list := configurationDifferences(a.configurations[a.label(against.Ref, true)], a.configurations[a.label(t.Ref, true)])
	before, after := a.surroundings(against), a.surroundings(t)
	for _, key := range union(before, after) {
		if before[key] == after[key] {
			continue
		}
		effect, ok := environmentEffects()[key]
		if !ok {
			effect = EffectNote
		}
		list = append(list, Difference{Kind: "environment", Name: key, Before: before[key], After: after[key], Effect: effect})
	}
	if d, ok := a.cacheDifference(against, t); ok {
		list = append(list, d)
	}
	if x, y := a.sittings(against), a.sittings(t); x != y {
		list = append(list, Difference{Kind: "sitting", Before: x, After: y, Effect: EffectNote})
	}
	return list
}

// configurationDifferences lists the changes that are being measured.
func configurationDifferences(before, after study.Configuration) []Difference {
	var list []Difference
	add := func(kind, name, b, c string) {
		if b != c {
			list = append(list, Difference{Kind: kind, Name: name, Before: b, After: c, Effect: EffectChange})
		}
	}
	add("engine", "", before.Engine.ID, after.Engine.ID)
	add("version", "", before.Version, after.Version)
	add("model", "", before.Command.Model, after.Command.Model)
	x, y := optionValues(before), optionValues(after)
	for _, name := range union(x, y) {
		add("option", name, x[name], y[name])
	}
	for _, name := range union(before.Env, after.Env) {
		add("variable", name, before.Env[name], after.Env[name])
	}
	return list
}

// SwitchOn is the value of an option that takes none.
const SwitchOn = "on"

// optionValues are a command's options by canonical name; a switch has the value "on".
func optionValues(c study.Configuration) map[string]string {
	values := map[string]string{}
	for _, f := range c.Engine.Canonical(c.Command) {
		value := strings.Join(f.Values(), " ")
		if !f.HasValue {
			value = SwitchOn
		}
		if before, ok := values[f.Name]; ok {
			value = before + " " + value
		}
		values[f.Name] = value
	}
	return values
}

// surroundings is what all starts of a sample recorded alike; where they differ among
// themselves every value is listed.
func (a *analysis) surroundings(s *Sample) map[string]string {
	values := map[string][]string{}
	for _, id := range s.Trials {
		for key, v := range a.made[id].Environment {
			values[key] = addOnce(values[key], v)
		}
		if digest, ok := a.made[id].Prompts[s.Workload]; ok {
			values[promptsKey] = addOnce(values[promptsKey], digest)
		}
	}
	return joined(values)
}

// joined lists the values of each name in one text.
func joined(values map[string][]string) map[string]string {
	texts := map[string]string{}
	for key, list := range values {
		slices.Sort(list)
		texts[key] = strings.Join(list, ", ")
	}
	return texts
}

// promptsKey is the name of the prompts' digest among the surroundings of a start.
const promptsKey = "prompts"

// addOnce adds a value to a list that does not have it.
func addOnce(list []string, v string) []string {
	if slices.Contains(list, v) {
		return list
	}
	return append(list, v)
}

func (a *analysis) sittings(s *Sample) string {
	var list []string
	for _, id := range s.Trials {
		if sitting := a.made[id].Sitting; sitting != "" && !slices.Contains(list, sitting) {
			list = append(list, sitting)
		}
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// cacheDifference compares the prefix cache hits of two sides, where both have them: a
// side whose prompts were answered from the cache did less work. Where the engine's
// hits are not known for both, the prompts that were sent before stand for them.
func (a *analysis) cacheDifference(against, t *Sample) (Difference, bool) {
	for _, of := range []struct {
		name string
		fact func(*Trial) string
	}{{"cache_hits", func(t *Trial) string { return t.CacheHits }}, {"sent_before", a.sentFact}} {
		x, y := a.meanOf(against, of.name, of.fact), a.meanOf(t, of.name, of.fact)
		if x != "" && y != "" {
			return Difference{Kind: "cache", BeforeFact: x, AfterFact: y, Effect: EffectRefusal},
				math.Abs(a.facts.value(x)-a.facts.value(y)) > cacheGap
		}
	}
	return Difference{}, false
}

// sentFact is the part of a trial's prompts that its start was sent before: nothing,
// where no earlier trial sent them.
func (a *analysis) sentFact(t *Trial) string {
	if t.SentBefore != "" {
		return t.SentBefore
	}
	if _, counted := t.Values[metric.InputTokens]; !counted && t.data == "" {
		return ""
	}
	return a.sent(t, 0, nil)
}

// meanOf states the mean of a fact of trials over a sample's starts; "" unless every one
// has it.
func (a *analysis) meanOf(s *Sample, name string, of func(*Trial) string) string {
	var inputs []string
	sum := 0.0
	for _, id := range s.Trials {
		fact := of(a.trialByID[id])
		if fact == "" {
			return ""
		}
		inputs, sum = append(inputs, fact), sum+a.facts.value(fact)
	}
	if len(inputs) == 1 {
		return inputs[0]
	}
	one, _ := a.facts.Get(inputs[0])
	return a.facts.add(Fact{ID: s.ID + ":" + name, Kind: one.Kind, Unit: one.Unit, Value: sum / float64(len(inputs)), Precision: one.Precision, Derived: true,
		Formula: "mean over starts", Inputs: inputs})
}

// refusal returns the reason of the first difference that forbids to rank, or "".
func refusal(list []Difference) string {
	for _, d := range list {
		switch {
		case d.Effect == EffectRefusal && d.Kind == "cache":
			return RefusedCache
		case d.Effect == EffectRefusal:
			return RefusedEnvironment
		}
	}
	return ""
}

// union lists the keys of both maps, sorted.
func union(x, y map[string]string) []string {
	keys := slices.Collect(maps.Keys(x))
	for k := range y {
		if _, ok := x[k]; !ok {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}
