package analyze

import (
	"slices"
	"strconv"
	"time"

	"benchguide/engine"
	"benchguide/study"
)

// Made is how a run of benchguide's own was carried out: what its attempts recorded of
// themselves. What was not recorded is absent.
type Made struct {
	Began        string        `json:"began,omitempty"` // RFC 3339
	Ended        string        `json:"ended,omitempty"`
	Starts       string        `json:"starts"`             // fact: starts whose results may be used, or that would not run
	SetAside     string        `json:"set_aside"`          // fact: attempts that were spoilt or invalid
	Sittings     string        `json:"sittings,omitempty"` // fact
	Seed         string        `json:"seed,omitempty"`     // fact
	Measured     string        `json:"measured,omitempty"` // fact: part of the servers' time in which a client measured
	Surroundings []Surrounding `json:"surroundings,omitempty"`
	Engines      []Booted      `json:"engines,omitempty"`
	Sides        []MadeSide    `json:"sides,omitempty"` // the baseline, the final configuration if it is another, then every other that was started
	Prompts      []Prompts     `json:"prompts,omitempty"`
	Telemetry    []Telemetry   `json:"telemetry,omitempty"`
	Sweeps       []SweepPoint  `json:"sweeps,omitempty"`
	List         []MadeStart   `json:"list"` // every start, in order
}

// Surrounding is something that was in force around the starts: driver, power limit. Where
// the starts differ, all values are there.
type Surrounding struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
	Count  string   `json:"count,omitempty"` // fact: how many values, where there are several
	Facts  []string `json:"facts,omitempty"` // the values as facts, where they are numbers with a unit
}

// Booted is how the servers of one version of an engine were started.
type Booted struct {
	Engine  string   `json:"engine"`
	Version string   `json:"version"`
	Images  []string `json:"images,omitempty"` // digests of container images
	Starts  string   `json:"starts"`           // fact
	Ready   []Ready  `json:"ready,omitempty"`
}

// Ready is how long an engine's servers took to be ready in one state of the caches.
type Ready struct {
	Caches string `json:"caches"` // cold, warm or unknown
	Starts string `json:"starts"` // fact
	Median string `json:"median"` // fact
}

// MadeStart is one start with how it went.
type MadeStart struct {
	Ref     string `json:"ref"`
	Number  int    `json:"number"`
	Dir     string `json:"dir"`
	Began   string `json:"began,omitempty"`
	Caches  string `json:"caches,omitempty"`
	Ready   string `json:"ready,omitempty"` // fact
	Invalid string `json:"invalid,omitempty"`
	Failure string `json:"failure,omitempty"`
}

// madeHere says how the run was carried out, unless somebody else did that.
func (a *analysis) madeHere() {
	if a.run.Info.Imported != nil || !slices.ContainsFunc(a.run.Starts, study.Start.Own) {
		return
	}
	m := &Made{}
	a.counts(m)
	m.Surroundings = a.around()
	m.Engines = a.booted()
	m.Sides = a.madeSides()
	m.Prompts = a.promptFiles()
	m.Telemetry = a.telemetry()
	m.Sweeps = a.sweeps()
	a.report.Made = m
}

// usable are the starts that the page's numbers may rest on.
func (a *analysis) usable() []study.Start {
	return slices.DeleteFunc(slices.Clone(a.run.Starts), func(s study.Start) bool { return s.Attempt.Invalid != "" })
}

// counts fills in when the run took place and how many starts it had.
func (a *analysis) counts(m *Made) {
	var sittings []string
	for _, s := range a.run.Starts {
		if s.Attempt.Sitting != "" {
			sittings = addOnce(sittings, s.Attempt.Sitting)
		}
		m.List = append(m.List, a.madeStart(s))
		if t := s.Attempt.Times; t != nil {
			m.Began, m.Ended = earlier(m.Began, t.Began), later(m.Ended, t.Ended)
		}
	}
	usable := len(a.usable())
	m.Starts = a.count("run:starts", usable, "starts that are not invalid")
	m.SetAside = a.count("run:set_aside", len(a.run.Starts)-usable+len(a.run.Spoilt), "invalid starts + spoilt attempts")
	if len(sittings) > 0 {
		m.Sittings = a.count("run:sittings", len(sittings), "different sittings of the starts")
	}
	if seed := a.run.Info.Seed; seed != nil {
		line, _ := a.run.At("seed")
		m.Seed = a.facts.add(Fact{ID: "run:seed", Kind: Declared, Value: float64(*seed), Source: &Source{File: a.runFile("run.yaml"), Line: line}})
	}
	m.Measured = a.measuredShare()
}

// count states how many of something there are on disk.
func (a *analysis) count(id string, n int, of string) string {
	return a.facts.add(Fact{ID: id, Kind: Count, Value: float64(n), Derived: true, Formula: of})
}

func (a *analysis) madeStart(s study.Start) MadeStart {
	m := MadeStart{Ref: s.Ref(), Number: s.Number, Dir: s.Dir, Caches: s.Attempt.Caches, Invalid: s.Attempt.Invalid}
	if s.Attempt.Failure != nil {
		m.Failure = s.Attempt.Failure.Reason
	}
	if t := s.Attempt.Times; t != nil {
		m.Began = t.Began
		if t.Ready > 0 {
			m.Ready = a.startFact(s, "ready", t.Ready, "times", "ready_seconds")
		}
	}
	return m
}

// startFact states a number of seconds that a start recorded.
func (a *analysis) startFact(s study.Start, name string, seconds float64, keys ...string) string {
	return a.facts.add(Fact{ID: startID(s) + ":" + name, Kind: Measured, Value: seconds, Unit: "s", Precision: 1,
		Source: &Source{File: s.Dir + "/attempt.json", Line: keyLine(s.AttemptSource, keys...)}})
}

func startID(s study.Start) string { return s.Ref() + "/start-" + strconv.Itoa(s.Number) }

// runFile is the name of a file of the run.
func (a *analysis) runFile(name string) string { return "runs/" + a.run.ID + "/" + name }

// measuredShare is the part of the time in which servers were ready that a client
// measured in: the rest is warm-up, the clients' own start, and what lies between them.
func (a *analysis) measuredShare() string {
	var inputs []string
	measured, served := 0.0, 0.0
	for _, s := range a.usable() {
		t := s.Attempt.Times
		if t == nil || t.Ready <= 0 || len(t.Measured) == 0 {
			continue
		}
		seconds := between(t.Began, t.Ended) - t.Ready
		if seconds <= 0 {
			continue // a clock that was set back
		}
		sum := 0.0
		for _, workload := range union(nil, keysOf(t.Measured)) {
			sum += t.Measured[workload]
			inputs = append(inputs, a.startFact(s, "measured."+workload, t.Measured[workload], "times", "measured_seconds", workload))
		}
		if sum > seconds {
			continue // the clocks of server and client disagree
		}
		inputs = append(inputs, a.startFact(s, "served", seconds, "times", "began"))
		measured, served = measured+sum, served+seconds
	}
	if served == 0 {
		return ""
	}
	return a.facts.add(Fact{ID: "run:measured", Kind: Fraction, Value: measured / served, Derived: true,
		Formula: "seconds in which clients measured / seconds from ready to the end of the attempt, over all starts", Inputs: inputs})
}

// keysOf gives the keys of a map of numbers the shape that union takes.
func keysOf(m map[string]float64) map[string]string {
	keys := map[string]string{}
	for k := range m {
		keys[k] = ""
	}
	return keys
}

// booted says for every engine how its servers were started, in the engines' fixed order:
// each version by itself, since they differ in how long they take to be ready.
func (a *analysis) booted() []Booted {
	var list []Booted
	for _, e := range engine.All() {
		var versions []string
		for _, s := range a.usable() {
			if s.Attempt.Engine == e.ID {
				versions = addOnce(versions, s.Attempt.Version)
			}
		}
		for _, version := range versions {
			id := "run:engine." + e.ID
			if len(versions) > 1 {
				id += "." + version
			}
			list = append(list, a.bootedOf(e.ID, version, id))
		}
	}
	return list
}

func (a *analysis) bootedOf(engine, version, id string) Booted {
	b := Booted{Engine: engine, Version: version}
	ready := map[string][]string{}
	starts := 0
	for _, s := range a.usable() {
		if s.Attempt.Engine != engine || s.Attempt.Version != version {
			continue
		}
		starts++
		if s.Attempt.Image != "" {
			b.Images = addOnce(b.Images, s.Attempt.Image)
		}
		if fact := startID(s) + ":ready"; a.facts.Has(fact) {
			ready[s.Attempt.Caches] = append(ready[s.Attempt.Caches], fact)
		}
	}
	b.Starts = a.count(id+".starts", starts, "starts of the engine that are not invalid")
	for _, state := range []string{study.CachesCold, study.CachesWarm, study.CachesUnknown, ""} {
		if facts := ready[state]; len(facts) > 0 {
			b.Ready = append(b.Ready, a.ready(id, state, facts))
		}
	}
	return b
}

func (a *analysis) ready(id, state string, facts []string) Ready {
	if state == "" {
		state = study.CachesUnknown
	}
	var seconds []float64
	for _, fact := range facts {
		seconds = append(seconds, a.facts.value(fact))
	}
	return Ready{
		Caches: state,
		Starts: a.facts.add(Fact{ID: id + ".starts." + state, Kind: Count, Value: float64(len(facts)), Derived: true, Formula: "count", Inputs: facts}),
		Median: a.facts.add(Fact{ID: id + ".ready." + state, Kind: Measured, Value: median(seconds), Unit: "s", Precision: 1, Derived: true,
			Formula: "median over starts", Inputs: facts}),
	}
}

// earlier and later compare two times in RFC 3339; what is no such time is passed over.
func earlier(x, y string) string {
	return chosen(x, y, func(a, b time.Time) bool { return b.Before(a) })
}

func later(x, y string) string { return chosen(x, y, func(a, b time.Time) bool { return b.After(a) }) }

func chosen(x, y string, better func(a, b time.Time) bool) string {
	b, err := time.Parse(time.RFC3339, y)
	if err != nil {
		return x
	}
	a, err := time.Parse(time.RFC3339, x)
	if err != nil || better(a, b) {
		return y
	}
	return x
}

// between is the time from one moment to another in seconds; 0 if one is not known.
func between(from, to string) float64 {
	a, err1 := time.Parse(time.RFC3339, from)
	b, err2 := time.Parse(time.RFC3339, to)
	if err1 != nil || err2 != nil {
		return 0
	}
	return b.Sub(a).Seconds()
}
