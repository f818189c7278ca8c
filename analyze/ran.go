package analyze

import (
	"slices"

	"benchguide/study"
)

// MadeSide is what exactly was run for one configuration, as its first start did.
type MadeSide struct {
	Ref     string            `json:"ref"`
	Engine  string            `json:"engine"`
	Other   bool              `json:"other,omitempty"` // neither the baseline nor the final configuration
	Start   int               `json:"start"`
	Derived string            `json:"derived"`           // the command that the study derives
	Ran     string            `json:"ran,omitempty"`     // the command that was run
	Clients map[string]string `json:"clients,omitempty"` // by workload; not of others, whose clients differ in names only
	Env     map[string]string `json:"env,omitempty"`     // of the configuration, and nothing else
	Server  map[string]string `json:"server,omitempty"`  // what the servers said was in force
	Against map[string]string `json:"against,omitempty"` // the same of the incumbent that the stage held it against, if that is of the same engine
}

// madeSides is what was run for the baseline and for the final configuration, and for
// every other candidate that was started.
func (a *analysis) madeSides() []MadeSide {
	var list []MadeSide
	for _, c := range a.report.sides() {
		sample := a.objectiveSample(c.Ref)
		if sample == nil {
			continue
		}
		first := a.trialByID[sample.Trials[0]]
		made := a.made[first.ID]
		list = append(list, MadeSide{Ref: c.Ref, Engine: c.Engine, Start: first.Start, Derived: c.Command, Ran: made.Ran, Clients: made.Clients, Env: made.Env, Server: a.inForce(sample)})
	}
	for _, st := range a.report.Stages {
		for _, c := range st.Candidates {
			shown := slices.ContainsFunc(list, func(s MadeSide) bool { return s.Ref == c.Ref })
			if side, ok := a.otherSide(c); ok && !shown {
				side.Against = a.incumbentInForce(st, c)
				list = append(list, side)
			}
		}
	}
	return list
}

// otherSide is what was run for a candidate that is on no side of the cases; false where
// it has no starts of its own. What its server would not run is worth knowing, too.
func (a *analysis) otherSide(c Candidate) (MadeSide, bool) {
	var first study.Start
	for _, s := range a.run.Starts {
		// Its first start, or its first valid one if there is one.
		if s.Ref() == c.Ref && (first.Dir == "" || first.Attempt.Invalid != "" && s.Attempt.Invalid == "") {
			first = s
		}
	}
	if first.Dir == "" {
		return MadeSide{}, false // the starts of another one judge it
	}
	server := first.Attempt.Server
	if s, ok := a.samples[c.Sample]; ok {
		server = a.inForce(s)
	}
	return MadeSide{Ref: c.Ref, Engine: c.Configuration.Engine, Other: true, Start: first.Number, Derived: c.Configuration.Command,
		Ran: first.Attempt.Ran, Env: first.Attempt.Env, Server: server}, first.Attempt.Ran != "" || len(server) > 0
}

// incumbentInForce is what the incumbent reported in the stage of a candidate. Its starts of another
// day may have recorded less. Arguments of another engine mean nothing beside those of this one.
func (a *analysis) incumbentInForce(st Stage, c Candidate) map[string]string {
	incumbent := a.incumbentSample(st)
	if incumbent == nil || a.configurations[st.Incumbent].Engine.ID != c.Configuration.Engine {
		return nil
	}
	return a.inForce(incumbent)
}

// inForce is what the servers of a sample said was in force; where its starts differ,
// every value is listed.
func (a *analysis) inForce(s *Sample) map[string]string {
	values := map[string][]string{}
	for _, id := range s.Trials {
		for name, v := range a.made[id].Server {
			values[name] = addOnce(values[name], v)
		}
	}
	return joined(values)
}
