package render

import (
	"slices"
	"strings"
	"unicode"

	"benchguide/analyze"
	"benchguide/engine"
	"benchguide/render/gate"
	"benchguide/study"
)

// literals lists what a study's pages may print with digits in it that is no
// measurement: what the author declared, and the names that the study consists of.
// Deriving the names keeps authors from declaring each twice.
func literals(f *study.Folder, r *analyze.Report) []string {
	s := &f.Study
	list := slices.Clone(s.Literals)
	list = append(list, s.Model.ID, s.Model.Name, s.Hardware.GPU, s.Hardware.Short)
	for _, e := range engine.All() {
		if version, ok := s.Engines[e.ID]; ok {
			list = append(list, version, e.Name+" "+version)
		}
	}
	list = append(list, s.Title.ZH, s.Title.EN)
	for _, w := range s.Workloads {
		list = append(list, w.Name.ZH, w.Name.EN)
	}
	for _, st := range s.Stages {
		list = append(list, st.Title.ZH, st.Title.EN)
		for _, c := range append([]study.Candidate{s.Baseline}, st.Candidates...) {
			list = append(list, c.Name.ZH, c.Name.EN)
		}
	}
	for _, st := range r.Stages {
		for _, c := range st.Candidates {
			list = append(list, configurationNames(c.Configuration)...)
			list = append(list, c.Failure, c.Excluded)
			if c.VersusIncumbent != nil {
				for _, d := range c.VersusIncumbent.Ledger {
					list = append(list, ledgerText(d, d.Before), ledgerText(d, d.After), d.Before, d.After)
				}
			}
		}
	}
	for _, t := range r.Trials {
		list = append(list, startOf(t))
	}
	for _, b := range r.Bounds {
		list = append(list, b.GPU)
	}
	for _, found := range r.Findings {
		list = append(list, found.Names["Place"])
	}
	if r.Made != nil {
		list = append(list, sideNames(f)...)
	}
	for _, run := range f.Runs {
		list = append(list, run.Info.Client, dateText(ZH, run.Info.Date), dateText(EN, run.Info.Date))
		if i := run.Info.Imported; i != nil {
			list = append(list, i.Title.ZH, i.Title.EN)
		}
	}
	if p := s.Published; p != nil {
		list = append(list, p.Title.ZH, p.Title.EN)
		for _, c := range p.Claims {
			list = append(list, c.Where.ZH, c.Where.EN)
		}
	}
	return named(append(list, madeLiterals(r.Made)...))
}

// configurationNames are a configuration's model and its options as they are written.
func configurationNames(c analyze.Configuration) []string {
	list := []string{c.Model, c.Version, c.EngineName + " " + c.Version}
	e, ok := engine.Lookup(c.Engine)
	if !ok {
		return list
	}
	command, err := e.Parse(c.Command)
	if err != nil {
		return list
	}
	for _, flag := range command.Flags {
		list = append(list, flag.Name, flag.String())
		if flag.HasValue {
			list = append(list, flag.Value)
		}
	}
	return list
}

// named keeps what has a number and more than that: without a number nothing has to be
// declared, and a bare number, in digits or as a word, is no name. The result is sorted,
// each name once.
func named(list []string) []string {
	var kept []string
	for _, l := range list {
		l = strings.TrimSpace(l)
		digits := strings.ContainsFunc(l, unicode.IsDigit)
		if strings.ContainsFunc(l, unicode.IsLetter) && (digits || gate.HasNumber(l) && !gate.IsNumber(l)) {
			kept = append(kept, l)
		}
	}
	slices.Sort(kept)
	return slices.Compact(kept)
}
