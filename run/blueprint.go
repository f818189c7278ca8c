package run

import (
	"fmt"
	"strings"

	"benchguide/analyze"
	"benchguide/engine"
	"benchguide/study"
)

// Blueprint is what a run would do, as far as that is known: what later stages build on
// is decided on the way.
type Blueprint struct {
	Study     string              `json:"study"`
	Run       string              `json:"run,omitempty"` // that was begun, if any
	Stages    []BlueprintStage    `json:"stages"`
	Workloads []BlueprintWorkload `json:"workloads"` // each is measured once in every start
	Points    []int               `json:"looks"`     // after how many blocks a stage is looked at
	Confirm   int                 `json:"confirm"`   // blocks after a decision
	Ablation  bool                `json:"ablation"`
	Block     []string            `json:"next_block"` // refs that are started next, in their order
	Phase     string              `json:"next_phase,omitempty"`
	BlockTime float64             `json:"next_block_seconds,omitempty"`
	BlockCold float64             `json:"next_block_seconds_cold,omitempty"` // within that, for caches that may be empty
	Least     int                 `json:"least_starts"`                      // that are still to be made
	Most      int                 `json:"most_starts"`
	Each      float64             `json:"seconds_each"`           // on the average
	Once      float64             `json:"seconds_once,omitempty"` // for caches that the first starts fill, within the next two
	LeastTime float64             `json:"least_seconds"`
	MostTime  float64             `json:"most_seconds"`
	Measured  bool                `json:"measured"`           // that time comes from starts that were made
	Guess     string              `json:"guess,omitempty"`    // what it is from otherwise
	Imported  []string            `json:"imported,omitempty"` // runs that were published elsewhere, which none can go on with
	Made      int                 `json:"made"`
	Decided   []Decision          `json:"decided"`
	Idle      []IdleLook          `json:"idle_looks,omitempty"` // that cannot decide their stage
	Cut       []string            `json:"cut_blocks,omitempty"` // that stay unfinished, and why
	Stuck     string              `json:"stuck,omitempty"`
	Final     string              `json:"final"` // the command that the stages so far go on with
	Done      bool                `json:"done"`
}

// BlueprintStage is a stage with what is known of its commands.
type BlueprintStage struct {
	ID         string               `json:"id"`
	On         string               `json:"on,omitempty"` // the stage whose outcome it builds on and that is not decided
	Candidates []BlueprintCandidate `json:"candidates"`
}

// BlueprintCandidate is a configuration that a stage starts.
type BlueprintCandidate struct {
	Ref     string `json:"ref"`
	Command string `json:"command,omitempty"`   // where it is known
	Changes string `json:"changes,omitempty"`   // what it changes in what it builds on
	Result  string `json:"result,omitempty"`    // whose starts judge it, if not its own
	Problem string `json:"problem,omitempty"`   // why it has no command
	Large   bool   `json:"too_large,omitempty"` // its weights do not fit into the GPUs
}

// BlueprintWorkload is a load with its client's command.
type BlueprintWorkload struct {
	ID      string `json:"id"`
	Prompts int    `json:"prompts"`
	Command string `json:"command"`
}

// BlueprintOf works it out from what a run has come to. The run may not exist.
func BlueprintOf(f *study.Folder, run string, plan Plan, step Step) Blueprint {
	o := OutlookOf(f, run, plan, step)
	b := Blueprint{Study: f.ID, Points: plan.Points, Confirm: plan.Confirm, Ablation: plan.Ablation, Block: step.Pending(),
		Least: o.Least, Most: o.Most, Each: o.Each.Seconds(), Once: o.Once.Seconds(), LeastTime: o.LeastTime.Seconds(), MostTime: o.MostTime.Seconds(),
		BlockTime: o.Block.Seconds(), BlockCold: o.BlockCold.Seconds(),
		Idle: o.Idle, Cut: step.Cut, Measured: o.Measured, Guess: o.Guess, Decided: step.Decided, Stuck: step.Stuck, Done: step.Done()}
	if step.Start != nil {
		b.Phase = step.Start.Phase
	}
	for _, r := range f.Runs {
		if r.Info.Imported != nil {
			b.Imported = append(b.Imported, r.ID)
		}
	}
	if r, ok := f.Run(run); ok {
		b.Run, b.Made = run, len(r.Starts)
	}
	if step.Final.Engine.ID != "" {
		b.Final = step.Final.Text()
	}
	// Everything is filled in, whatever is missing: a plan is most wanted when something is.
	b.stages(&f.Study, step)
	for _, w := range f.Study.Workloads {
		b.Workloads = append(b.Workloads, BlueprintWorkload{w.ID, w.Prompts, w.Command})
	}
	return b
}

// stages derives commands for the stages that are decided and the one after them. What
// a later one builds on is not known.
func (b *Blueprint) stages(s *study.Study, step Step) {
	base, err := s.Derive(study.Configuration{}, s.Baseline)
	known := err == nil
	undecided := ""
	for i, st := range s.Stages {
		stage := BlueprintStage{ID: st.ID, On: undecided}
		if i == 0 {
			c := BlueprintCandidate{Ref: s.BaselineRef()}
			if known {
				c.Command, c.Large = base.Text(), analyze.TooLarge(s, base)
			} else {
				c.Problem = err.Error()
			}
			stage.Candidates = append(stage.Candidates, c)
		}
		// from: may name what stands above in the stage, and in the first one the baseline.
		derived := map[string]study.Configuration{s.Baseline.ID: base}
		for _, c := range st.Candidates {
			stage.Candidates = append(stage.Candidates, candidate(s, st, c, base, known, derived))
		}
		b.Stages = append(b.Stages, stage)
		// The first undecided stage is the last one whose incumbent is known.
		known = known && i < len(step.Decided)
		if i >= len(step.Decided) {
			undecided = st.ID
			continue
		}
		if d := step.Decided[i]; d.Changed {
			base = derived[lastOf(d.Adopted)]
		}
	}
}

// candidate is one configuration of a stage: its command where the incumbent is known, and
// otherwise what it changes. A change that does not fit its incumbent is shown as what it
// is, since here nothing has been started yet and it costs nothing to mend.
func candidate(s *study.Study, st study.Stage, c study.Candidate, base study.Configuration, known bool, derived map[string]study.Configuration) BlueprintCandidate {
	out := BlueprintCandidate{Ref: st.ID + "/" + c.ID, Result: c.Result}
	if !known {
		out.Changes = changesOf(c)
		return out
	}
	if c.From != "" {
		base = derived[c.From]
	}
	configuration, err := s.Derive(base, c)
	if err != nil {
		out.Problem = err.Error()
		return out
	}
	derived[c.ID] = configuration
	out.Command, out.Large = configuration.Text(), analyze.TooLarge(s, configuration)
	return out
}

// changesOf says what a candidate changes, as study.yaml does.
func changesOf(c study.Candidate) string {
	var parts []string
	add := func(name, value string) {
		if value != "" {
			parts = append(parts, name+" "+value)
		}
	}
	add("from", c.From)
	add("engine", c.Engine)
	add("version", c.Version)
	add("model", c.Model)
	add("remove", engine.Quote(c.Remove))
	add("set", engine.Quote(c.Set))
	add("add", engine.Quote(c.Add))
	add("command", c.Command)
	if len(c.Env) > 0 {
		add("env", fmt.Sprint(c.Env))
	}
	return strings.Join(parts, ", ")
}
