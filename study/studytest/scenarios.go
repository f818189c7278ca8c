package studytest

import (
	"fmt"
	"strings"
)

// Scenario is a study of one kind of trouble or of none, whose pages must build.
type Scenario struct {
	Name  string
	Study Blocks
}

// Fleet returns a plan of one stage whose candidates have these names.
func Fleet(ids ...string) Plan {
	stage := Stage{ID: "one"}
	for i, id := range ids {
		stage.Candidates = append(stage.Candidates, Candidate{ID: id, YAML: fmt.Sprintf("add: --max-num-seqs %d", i+1)})
	}
	return Plan{Stages: []Stage{stage}}
}

// Gains are the true gains of the candidates of Winner.
func Gains() map[string]float64 {
	return map[string]float64{"fast": 0.10, "flat": 0.001, "slow": -0.06, "same": 0}
}

// Winner returns three blocks of four candidates, one of which is 10 % faster.
func Winner() Blocks { return Fleet("fast", "flat", "slow", "same").Blocks(3, Noisy(Gains())) }

// WithCase gives a study a case on the main workload between two of its configurations.
func (b Blocks) WithCase(baseline, optimized string) Blocks {
	b.Plan.Cases = append(b.Plan.Cases, Case{Workload: "main", YAML: "baseline: " + baseline + "\noptimized: " + optimized})
	return b
}

// Confirmed is Winner with starts that came after the decision, in which the winner
// gains less.
func Confirmed() Blocks {
	b := Winner().WithCase("one/base", "one/fast")
	value := Noisy(map[string]float64{"fast": 0.08})
	for block := 4; block <= 6; block++ {
		b.Add("one/base", block, Throughput(value("base", block)), `"phase": "confirm"`)
		b.Add("one/fast", block, Throughput(value("fast", block)), `"phase": "confirm"`)
	}
	return b
}

// TwoStages returns a study whose second stage, in another sitting on a machine that is
// 20 % slower, measured the incumbent again.
func TwoStages() Blocks {
	b := Winner()
	b.Each(`"sitting": "first"`, All)
	b.Plan.Stages = append(b.Plan.Stages, Stage{ID: "next", Candidates: []Candidate{
		{ID: "more", YAML: "add: --block-size 32"}, {ID: "less", YAML: "add: --block-size 8"}}})
	value := Noisy(map[string]float64{"incumbent": 0.10, "more": 0.10 + 0.08, "less": 0.10 - 0.08})
	for block := 1; block <= 3; block++ {
		for _, id := range []string{"incumbent", "more", "less"} {
			b.Add("next/"+id, block, Throughput(0.8*value(id, block)), `"sitting": "second"`)
		}
	}
	return b.WithCase("one/base", "next/more")
}

// CasesOfStages is TwoStages with cases that name no results: those of the stages are
// theirs. Nothing was measured under the other workload.
func CasesOfStages() Blocks {
	b := TwoStages()
	b.Plan.Cases = []Case{{Workload: "main", YAML: ""}, {Workload: "other", YAML: ""}}
	return b
}

// Stopped is TwoStages as it stands when the run ended in the middle of the last one.
func Stopped() Blocks {
	b := CasesOfStages()
	b.Drop("next/less")
	return b
}

// Scenarios lists studies of several starts, in all of which every page must build.
func Scenarios() []Scenario {
	with := func(b Blocks, change func(*Blocks)) Blocks {
		change(&b)
		return b
	}
	hits := func(v float64) string { return fmt.Sprintf(`"cache_hits": {"main": %v}`, v) }
	return []Scenario{
		{"winner", Winner()},
		{"winner with a case", Winner().WithCase("one/base", "one/fast")},
		{"confirmed", Confirmed()},
		{"two stages and sittings", TwoStages()},
		{"cases of the stages", CasesOfStages()},
		{"stopped before the last stage", Stopped()},
		{"no gain", Fleet("slow", "less", "same").Blocks(3, Noisy(map[string]float64{"slow": -0.06, "less": -0.08}))},
		{"too few starts", Fleet("fast").Blocks(2, Noisy(Gains()))},
		{"one start a side", Fleet("fast", "slow").Blocks(1, Noisy(Gains()))},
		{"nothing comparable", with(Fleet("fast").Blocks(3, Noisy(Gains())), func(b *Blocks) { b.Each(`"environment": {"gpu": "other"}`, Of("one/fast")) })},
		{"answers unlike the declared ones", with(Winner(), func(b *Blocks) {
			b.Edit = []string{"concurrency: 4,", "concurrency: 4, input_tokens: 200, output_tokens: 400,"}
		})},
		{"made by benchguide", Made()},
		{"made, odd surroundings", with(Made(), func(b *Blocks) { b.Each(odd, All) })},
		{"made, rehearsed", with(Made(), func(b *Blocks) { b.Mark = "rehearsed" })},
		{"one candidate fails", with(Winner(), func(b *Blocks) {
			b.Drop("one/slow")
			b.Fail("one/slow", 1, "CUDA out of memory. Tried to allocate 2.50 GiB")
		})},
		{"every candidate fails", with(Winner(), func(b *Blocks) {
			for _, id := range []string{"fast", "flat", "slow", "same"} {
				b.Drop("one/" + id)
				b.Fail("one/"+id, 1, "error: unrecognized arguments: --max-num-seqs")
			}
		})},
		{"one candidate is invalid", with(Winner(), func(b *Blocks) { b.Each(`"invalid": "2 other processes held the GPU"`, Of("one/flat")) })},
		{"limit broken", with(Winner(), func(b *Blocks) { b.Edit = Limits("{metric: mean_tpot, at_most: 7}") })},
		{"limit kept", with(Winner(), func(b *Blocks) { b.Edit = Limits("{metric: error_rate, at_most: 0}") })},
		{"limit not measured", with(Winner(), func(b *Blocks) { b.Edit = Limits("{metric: p90_tpot, at_most: 50}") })},
		{"driver differs", with(Winner(), func(b *Blocks) {
			b.Each(`"environment": {"driver": "580.1"}`, func(s Start) bool { return s.Ref != "one/fast" })
			b.Each(`"environment": {"driver": "580.2"}`, Of("one/fast"))
		})},
		{"cache differs", with(Winner(), func(b *Blocks) {
			b.Each(hits(0.17), func(s Start) bool { return s.Ref != "one/fast" })
			b.Each(hits(0.96), Of("one/fast"))
		})},
		{"price and power", with(Winner().WithCase("one/base", "one/fast"), func(b *Blocks) { b.Edit = Price("2.5"); b.Each(`"power_watts": {"main": 500}`, All) })},
		{"price alone", with(Winner().WithCase("one/base", "one/fast"), func(b *Blocks) { b.Edit = Price("2.5") })},
		{"accepted", with(Winner(), func(b *Blocks) {
			b.Each(`"environment": {"driver": "580.2"}`, Of("one/fast"))
			b.Plan.YAML = "accept:\n  - {code: environment-differs, reason: {zh: 驱动只差补丁版本, en: Only the driver's patch level differs}}\n"
		})},
		{"dummy weights", with(TwoStages(), func(b *Blocks) { b.Mark = "dummy-weights" })},
		{"simulated", with(Winner(), func(b *Blocks) { b.Mark = "simulated" })},
		{"latency", with(Winner().WithCase("one/base", "one/fast"), func(b *Blocks) { b.Plan.Goal = "latency"; b.faster() })},
		{"all requests failed", with(Winner(), func(b *Blocks) { b.change("one/slow", func(t *Trial) { *t = Dead() }) })},
		{"some requests failed", with(Winner(), func(b *Blocks) { b.change("one/fast", func(t *Trial) { t.Completed, t.Failed = 90, 10 }) })},
	}
}

// Named returns the study of a scenario.
func Named(name string) Blocks {
	for _, s := range Scenarios() {
		if s.Name == name {
			return s.Study
		}
	}
	panic("no scenario " + name)
}

// Drop takes the starts of a configuration away.
func (b *Blocks) Drop(ref string) {
	var kept []Start
	for _, s := range b.Starts {
		if s.Ref != ref {
			kept = append(kept, s)
		}
	}
	b.Starts = kept
}

// change changes the trials of a configuration on the main workload.
func (b *Blocks) change(ref string, how func(*Trial)) {
	for i, s := range b.Starts {
		if s.Ref == ref {
			t := s.Trials["main"]
			how(&t)
			b.Starts[i].Trials = map[string]Trial{"main": t}
		}
	}
}

// faster makes the latencies of all trials follow their throughput.
func (b *Blocks) faster() {
	for i, s := range b.Starts {
		t := s.Trials["main"]
		t.TTFT, t.TPOT = t.TTFT*1000/t.Total, t.TPOT*1000/t.Total
		b.Starts[i].Trials = map[string]Trial{"main": t}
	}
}

// Dead returns what a client prints whose server has died: a complete block of zeros.
func Dead() Trial { return Trial{Failed: 100, Concurrency: 4, Duration: 0.5} }

// Text returns a file of a study, for tests that look at what was written.
func (b Blocks) Text(name string) string {
	if f, ok := b.FS()[Dir+"/"+strings.TrimPrefix(name, "/")]; ok {
		return string(f.Data)
	}
	return ""
}
