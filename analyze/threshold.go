package analyze

import "benchguide/analyze/stat"

// Threshold is what decided a stage by the rule for several starts: how large a gain had to
// be, and why. A stage is judged by its own starts and those of the stages before it, so
// its spread is not the one of the whole run.
type Threshold struct {
	Low    string `json:"low"`    // fact: what a gain over the incumbent had to exceed
	High   string `json:"high"`   // fact: the same for the candidate of which it had to be the largest
	Basis  Basis  `json:"basis"`  // of High
	Spread string `json:"spread"` // fact: residual spread between the starts
	DF     string `json:"df"`     // fact: its degrees of freedom
}

// Basis is what a threshold follows from.
type Basis string

// The bases of a threshold.
const (
	LeastGain   Basis = "least-gain"   // the rule's own: noise alone would ask for less
	FromSpread  Basis = "spread"       // the spread between starts
	LeastSpread Basis = "least-spread" // the least spread that the rule believes, since starts lie nearer together
)

// threshold states what decided a stage; nil where nothing was tested by that rule.
func (a *analysis) threshold(st *Stage) *Threshold {
	var low, high *Candidate
	for i := range st.Candidates {
		c := &st.Candidates[i]
		if v := c.VersusIncumbent; v == nil || v.Refused != "" || v.Metric != st.Metric || v.Test == nil || v.Test.TooFew {
			continue
		}
		if low == nil || c.VersusIncumbent.Floor < low.VersusIncumbent.Floor {
			low = c
		}
		if high == nil || c.VersusIncumbent.Floor > high.VersusIncumbent.Floor {
			high = c
		}
	}
	if high == nil {
		return nil
	}
	// All candidates of a stage are judged by one model, so that they have one spread.
	key := a.keyOf(pair{prefix: high.Ref}, st.Metric, a.incumbentSample(*st), a.samples[high.Sample])
	m := a.fitted(key)
	spread, _ := m.model.Spread()
	prefix := "stage/" + st.ID + ":spread." + string(st.Metric)
	out := &Threshold{Low: low.VersusIncumbent.Gains[0].Bar, High: high.VersusIncumbent.Gains[0].Bar, Basis: basisOf(high.VersusIncumbent.Floor, spread)}
	out.Spread, out.DF = a.spreadFacts(m, st.Metric, prefix, prefix+":df")
	return out
}

// basisOf tells a threshold that is the rule's least gain from one that noise asks for.
func basisOf(floor, spread float64) Basis {
	rule := stat.DefaultRule()
	switch {
	case floor <= rule.Delta*(1+1e-9): // it went through a logarithm
		return LeastGain
	case spread < rule.SMin:
		return LeastSpread
	}
	return FromSpread
}
