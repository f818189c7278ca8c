package analyze

// Open is a stage that its run has not decided, as the run counts: only it knows when it
// looks at a stage, and which candidates are still in play. What the starts of such a stage
// say so far is shown; it adopts nothing, whatever they say, since the run may yet say
// something else.
type Open struct {
	Stage  string // "" where there is none
	Blocks int    // starts that each configuration in play has
	Looked int    // with how many the run looked at it last; 0 before that
	Tested bool   // there were enough starts to test something at that look
	Next   int    // with how many the stage may be decided
	Most   int    // with how many it is decided in any case
}

// OpenStage is the stage that the run has not decided.
type OpenStage struct {
	Stage  string `json:"stage"`
	Blocks string `json:"blocks"`           // fact: that are there
	Looked string `json:"looked,omitempty"` // fact: after which the run looked at it last
	Tested bool   `json:"tested,omitempty"` // there were enough starts to test something at that look
	Next   string `json:"next"`             // fact: after which it may be decided
	Most   string `json:"most"`             // fact: after which it is decided in any case
}

// openStage states how far the run has come with the stage that it has not decided. There
// may be nothing of it that can be shown: then the report does not have the stage.
func (a *analysis) openStage() {
	if a.open.Stage == "" {
		return
	}
	const id = "run:open.blocks"
	a.report.Open = &OpenStage{Stage: a.open.Stage,
		Blocks: a.count(id, a.open.Blocks, "valid starts that each configuration of the stage that is still in play has"),
		Next:   a.count(id+".next", a.open.Next, "the next look of the run at which the rule can decide"),
		Most:   a.count(id+".most", a.open.Most, "the last look of the run"),
		Tested: a.open.Tested,
	}
	if a.open.Looked > 0 {
		a.report.Open.Looked = a.count(id+".looked", a.open.Looked, "the latest look of the run, which did not decide")
	}
}

// leaveOpen keeps the incumbent, and takes back what is no verdict yet. What would not run,
// or was given up, stays that.
func (a *analysis) leaveOpen(out *Stage, k int) {
	out.Open = true
	out.TieGroup = []string{out.Incumbent}
	for i := range out.Candidates {
		if c := &out.Candidates[i]; c.VersusIncumbent != nil {
			c.Verdict = Undecided
		}
	}
	a.versusAdopted(out, nil, k)
}
