package analyze

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"

	"benchguide/study"
)

// Telemetry is what the GPUs did while a sample was measured.
type Telemetry struct {
	Sample    string `json:"sample"`
	Power     string `json:"power,omitempty"`     // fact: of all GPUs, mean over starts
	Energy    string `json:"energy,omitempty"`    // fact: for each output token
	Clock     string `json:"sm_clock,omitempty"`  // fact: mean clock of the SMs, of the GPU with the lowest one
	Cap       string `json:"power_cap,omitempty"` // fact: part of the time at the power limit
	Throttled string `json:"throttled,omitempty"` // fact: part of the time in which heat or a brake held a GPU back
	Cards     []Card `json:"cards,omitempty"`     // where the starts ran on GPUs that draw unlike power
}

// Prompts is what the clients were sent under one workload.
type Prompts struct {
	Workload string   `json:"workload"`
	Digests  []string `json:"digests,omitempty"` // as the starts recorded it: one, unless something went wrong
	File     string   `json:"file,omitempty"`    // relative to the study's folder
	Count    string   `json:"count,omitempty"`   // fact
}

// around lists what was in force around the starts, by name.
func (a *analysis) around() []Surrounding {
	values := map[string][]string{}
	first := map[string]map[string]study.Start{} // by name and value: a start that recorded it
	for _, s := range a.usable() {
		for name, v := range s.Attempt.Environment {
			if v == "" {
				continue // looked for, and not found
			}
			if first[name] == nil {
				first[name] = map[string]study.Start{}
			}
			if _, ok := first[name][v]; !ok {
				first[name][v], values[name] = s, append(values[name], v)
			}
		}
	}
	var list []Surrounding
	for _, name := range slices.Sorted(maps.Keys(values)) {
		s := Surrounding{Name: name, Values: slices.Sorted(slices.Values(values[name]))}
		if len(s.Values) > 1 {
			s.Count = a.count("run:"+notInID.ReplaceAllString(name, "_")+".values", len(s.Values), "different values of the starts")
		}
		if name == powerLimit {
			s.Facts = a.watts(s.Values, first[name])
		}
		list = append(list, s)
	}
	return list
}

// notInID is what the id of a fact cannot have: ids are taken apart, and stand in addresses.
var notInID = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// powerLimit is the name of the GPUs' power limit among the surroundings, and watts how
// its value is written.
const powerLimit = "power_limit"

var watts = regexp.MustCompile(`^(\d+(?:\.\d+)?)(?: ?W)?$`)

// watts states power limits as facts; none, where a value is no number of watts.
func (a *analysis) watts(values []string, first map[string]study.Start) []string {
	var facts []string
	for i, v := range values {
		m := watts.FindStringSubmatch(v)
		if m == nil {
			return nil
		}
		number, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			return nil
		}
		id := "run:" + powerLimit
		if len(values) > 1 {
			id += "." + strconv.Itoa(i+1)
		}
		s := first[v]
		facts = append(facts, a.facts.add(Fact{ID: id, Kind: Measured, Value: number, Unit: "W",
			Source: &Source{File: s.Dir + "/attempt.json", Line: keyLine(s.AttemptSource, "environment", powerLimit), Text: v}}))
	}
	return facts
}

// promptFiles lists the prompts of every workload that has them.
func (a *analysis) promptFiles() []Prompts {
	var list []Prompts
	for _, w := range a.study.Workloads {
		p := Prompts{Workload: w.ID}
		for _, s := range a.usable() {
			if digest := s.Attempt.Prompts[w.ID]; digest != "" {
				p.Digests = addOnce(p.Digests, digest)
			}
		}
		for _, f := range a.run.Prompts {
			if f.File == a.runFile(study.PromptFile(w.ID)) {
				p.File = f.File
				lines := len(bytes.Split(bytes.TrimSpace(f.Bytes), []byte("\n")))
				p.Count = a.facts.add(Fact{ID: "prompts/" + w.ID + ":count", Kind: Count, Value: float64(lines), Derived: true, Formula: "lines of the file",
					Source: &Source{File: f.File, Line: lines}})
			}
		}
		if p.File != "" || len(p.Digests) > 0 {
			list = append(list, p)
		}
	}
	return list
}

// telemetry says what the GPUs did during the trials of every configuration, workload by
// workload, so that the candidates of one load stand beside each other.
func (a *analysis) telemetry() []Telemetry {
	a.clocks()
	var list []Telemetry
	for _, s := range a.shownSamples() {
		t := Telemetry{Sample: s.ID, Power: a.meanOf(s, "power", a.powerOf), Energy: a.energy(s), Clock: a.meanOf(s, clockName, a.clockOf),
			Cap:       a.meanOf(s, "power_cap", func(t *Trial) string { return a.shareOf(t, "power_cap") }),
			Throttled: a.meanOf(s, "throttled", func(t *Trial) string { return a.shareOf(t, "throttled") }),
			Cards:     a.cards(s)}
		if t.Power+t.Energy+t.Clock+t.Cap+t.Throttled != "" {
			list = append(list, t)
		}
	}
	return list
}

// shownSamples are the samples of every stage's incumbent and candidates and of the cases'
// own sides, each once, by workload.
func (a *analysis) shownSamples() []*Sample {
	var list []*Sample
	for _, w := range a.study.Workloads {
		add := func(id string) {
			if s := a.samples[id]; s != nil && s.Workload == w.ID && !slices.Contains(list, s) {
				list = append(list, s)
			}
		}
		for _, st := range a.report.Stages {
			add(st.ID + "/" + study.IncumbentSide + "/" + w.ID)
			for _, c := range st.Candidates {
				add(c.Result + "/" + w.ID)
			}
		}
		for _, c := range a.report.Cases {
			add(c.Baseline)
			add(c.Optimized)
		}
	}
	return list
}

// powerOf states the mean power of all GPUs during a trial; "" where it was not measured.
func (a *analysis) powerOf(t *Trial) string {
	power, ok := a.made[t.ID].PowerWatts[t.Workload]
	if !ok || power <= 0 {
		return ""
	}
	return a.facts.add(Fact{ID: t.ID + ":power", Kind: Measured, Value: power, Unit: "W", Source: a.attemptSource(t, "power_watts", t.Workload)})
}

// shareOf states a part of a trial's time; "" where it was not recorded.
func (a *analysis) shareOf(t *Trial, name string) string {
	of := a.made[t.ID].Throttled
	if name == "power_cap" {
		of = a.made[t.ID].PowerCap
	}
	v, ok := of[t.Workload]
	if !ok || t.Repeat > 0 || !(v >= 0 && v <= 1) {
		return ""
	}
	return a.facts.add(Fact{ID: t.ID + ":" + name, Kind: Fraction, Value: v, Precision: 1, Source: a.attemptSource(t, name, t.Workload)})
}

// throttled warns of trials in which heat or a brake held a GPU back: they are slower than
// the configuration is, by an amount that nobody knows. That the power limit does so is
// how a GPU works, and is only shown.
func (a *analysis) throttled() {
	for _, id := range a.trialOrder {
		t := a.trialByID[id]
		if fact := a.shareOf(t, "throttled"); fact != "" && a.facts.value(fact) > 0 {
			at := a.attemptSource(t, "throttled", t.Workload)
			a.find(Finding{Code: CodeThrottled, Severity: SeverityCaution, Subject: t.ID, File: at.File, Line: at.Line,
				Facts: map[string]string{"Share": fact}, Names: map[string]string{"Trial": t.ID}})
		}
	}
}

// rehearsals refuses a run in which some starts were answered by a fake engine and some
// were not, or whose own word differs from that of its starts. Where all of them differ
// from it, the first is reported for all.
func (a *analysis) rehearsals() {
	var others []study.Start
	for _, s := range a.run.Starts {
		if s.Attempt.Rehearsed != (a.run.Info.Mark == study.MarkRehearsed) {
			others = append(others, s)
		}
	}
	if len(others) > 0 && len(others) == len(a.run.Starts) {
		others = others[:1]
	}
	for _, s := range others {
		a.find(Finding{Code: CodeRehearsalMixed, Severity: SeverityError, Subject: startID(s), File: s.Dir + "/attempt.json", Line: keyLine(s.AttemptSource, "rehearsed"),
			Names: map[string]string{"Start": startID(s), "Rehearsed": strconv.FormatBool(s.Attempt.Rehearsed), "Mark": cmp.Or(a.run.Info.Mark, "none")}})
	}
}

// attemptSource is the place in attempt.json at which a trial's start recorded something.
func (a *analysis) attemptSource(t *Trial, keys ...string) *Source {
	line := 1
	if s, ok := a.startOf(t); ok {
		line = keyLine(s.AttemptSource, keys...)
	}
	return &Source{File: path.Join(path.Dir(t.File), "attempt.json"), Line: line}
}

// keyLine is the line on which a path of keys stands in a JSON object; the first line
// where it does not.
func keyLine(source []byte, keys ...string) int {
	dec := json.NewDecoder(bytes.NewReader(source))
	for _, key := range keys {
		if token, err := dec.Token(); err != nil || token != json.Delim('{') || !seek(dec, key) {
			return 1
		}
	}
	return 1 + bytes.Count(source[:dec.InputOffset()], []byte("\n"))
}

// seek reads an object up to the value of a key, and returns false if it is not there.
func seek(dec *json.Decoder, key string) bool {
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return false
		}
		if token == key {
			return true
		}
		var skipped json.RawMessage
		if dec.Decode(&skipped) != nil {
			return false
		}
	}
	return false
}
