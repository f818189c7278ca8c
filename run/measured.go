package run

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"benchguide/run/disk"
	"benchguide/study"
)

// PlanFile keeps what the study asked for when the run began.
const PlanFile = "plan.json"

// Measured is the part of a study that decides what is measured and how. Texts, cases,
// claims and prices are not in it: they may change while a run lasts.
type Measured struct {
	Source string `json:"study_sha256"` // of study.yaml as it then was, to tell that texts have changed
	Parts  []Part `json:"parts"`
}

// Part is one thing of a study that can change, under the name by which a person knows it.
type Part struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

// MeasuredBy takes a study apart.
func MeasuredBy(f *study.Folder) Measured {
	s := &f.Study
	sum := sha256.Sum256(f.Source)
	m := Measured{Source: hex.EncodeToString(sum[:])}
	// What is taken out here may change while a run lasts. Whatever somebody adds to these
	// types is in until it is taken out: a run that stops for no reason is a nuisance, one
	// that mixes two studies is worthless.
	hardware, objective, plan := s.Hardware, s.Objective, study.RunPlan{}
	hardware.Price, objective.Text = nil, study.Text{}
	if s.Run != nil {
		plan = *s.Run
	}
	model := s.Model
	model.Name = ""
	m.add("the model", model)
	m.add("the hardware", hardware)
	m.add("the objective", objective)
	m.add("the engines", s.Engines)
	m.add("the plan of the run", plan)
	for _, d := range s.Datasets {
		m.add("dataset "+d.ID, struct{ File string }{d.File})
	}
	for _, w := range s.Workloads {
		w.Name, w.Derived = study.Text{}, nil
		m.add("workload "+w.ID, w)
	}
	m.add("the baseline", bare(s.Baseline))
	for _, st := range s.Stages {
		m.stage(st)
	}
	return m
}

func (m *Measured) stage(st study.Stage) {
	var ids []string
	for _, c := range st.Candidates {
		ids = append(ids, c.ID)
	}
	pick := ""
	if st.Pick != nil {
		pick = st.Pick.Candidate
	}
	// The list of ids keeps the order and shows what was added or taken away; what each
	// candidate is stands beside it, so that the message can name the one that changed.
	m.add("stage "+st.ID, struct {
		Candidates []string
		Pick       string
	}{ids, pick})
	for _, c := range st.Candidates {
		m.add("candidate "+st.ID+"/"+c.ID, bare(c))
	}
}

// bare is a candidate without its texts.
func bare(c study.Candidate) study.Candidate {
	c.Name, c.Note = study.Text{}, nil
	if c.SameAs != nil {
		c.SameAs = &study.SameAs{Candidate: c.SameAs.Candidate}
	}
	return c
}

func (m *Measured) add(name string, value any) {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err) // texts, numbers, lists and maps of texts only
	}
	m.Parts = append(m.Parts, Part{name, data})
}

// Digest identifies what is measured.
func (m Measured) Digest() string {
	h := sha256.New()
	for _, p := range m.Parts {
		fmt.Fprintf(h, "%d %s %d %s\n", len(p.Name), p.Name, len(p.Value), p.Value)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// difference is a part in which two differ. A side that has no such part is nil.
type difference struct {
	name        string
	before, now json.RawMessage
}

// text names it.
func (d difference) text() string {
	switch {
	case d.before == nil:
		return d.name + " (new)"
	case d.now == nil:
		return d.name + " (gone)"
	}
	return d.name
}

// differences lists the parts in which two differ, in the order of the study as it is now,
// those that are gone last. A stage that came or went is listed without its candidates.
func (m Measured) differences(now Measured) []difference {
	before, after := m.byName(), now.byName()
	var list []difference
	for _, p := range now.Parts {
		old, was := before[p.Name]
		if !was && p.within(before) || was && !bytes.Equal(old, p.Value) {
			list = append(list, difference{p.Name, old, p.Value})
		}
	}
	for _, p := range m.Parts {
		if _, left := after[p.Name]; !left && p.within(after) {
			list = append(list, difference{p.Name, p.Value, nil})
		}
	}
	return list
}

func (m Measured) byName() map[string]json.RawMessage {
	parts := map[string]json.RawMessage{}
	for _, p := range m.Parts {
		parts[p.Name] = p.Value
	}
	return parts
}

// within reports whether a part has its place among others: a candidate has none where its
// stage is missing.
func (p Part) within(parts map[string]json.RawMessage) bool {
	ref, candidate := strings.CutPrefix(p.Name, "candidate ")
	stage, _, _ := strings.Cut(ref, "/")
	_, there := parts["stage "+stage]
	return !candidate || there
}

// write puts it into a run's folder, one part a line, so that two can be compared.
func (m Measured) write(dir string) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\"study_sha256\": %q, \"parts\": [", m.Source)
	for i, p := range m.Parts {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "\n  {\"name\": %q, \"value\": %s}", p.Name, p.Value)
	}
	b.WriteString("\n]}\n")
	return disk.Write(filepath.Join(dir, PlanFile), b.Bytes())
}

func readMeasured(dir string) (Measured, error) {
	var m Measured
	name := filepath.Join(dir, PlanFile)
	data, err := os.ReadFile(name)
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return m, fmt.Errorf("%s: %w; restore it, or begin another run with --name", name, err)
	}
	// Compact form, in which the values were compared and digested.
	for i := range m.Parts {
		var b bytes.Buffer
		if err := json.Compact(&b, m.Parts[i].Value); err != nil {
			return m, err
		}
		m.Parts[i].Value = b.Bytes()
	}
	return m, nil
}
