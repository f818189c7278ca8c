package analyze

import (
	"cmp"
	"strings"
)

// commandAgrees reports starts of something else than the study derives. Where nobody
// wrote the command down, the study's word stands for its options, but engine and
// version must still be the same.
//
// The place is that of what called the starts by this configuration's name, if that is
// a key of the study: it may be what is out of date. Otherwise it is the attempt's file.
func (a *analysis) commandAgrees(s *Sample, c Configuration, named ...any) {
	for _, id := range s.Trials {
		t := a.trialByID[id]
		agrees := t.Fingerprint == c.Fingerprint || a.onlySpells(t.Ref, c.Fingerprint)
		if t.Fingerprint == "" {
			agrees = t.Engine == c.Engine && t.Version == c.Version
			t.Fingerprint = c.Fingerprint
			if derived, ok := a.configurations[c.Ref]; ok && agrees {
				t.configuration = &derived
			}
		}
		if agrees {
			continue
		}
		ran, derived := a.contrast(t, c)
		f := Finding{Code: CodeCommandDiffers, Severity: SeverityError, Subject: t.ID, File: attemptFile(t),
			Names: map[string]string{"Ran": ran, "Derived": derived, "For": c.Ref}}
		if len(named) > 0 {
			f.File = "study.yaml"
			f.Line, f.Column = a.folder.At(named...)
		}
		a.find(f)
	}
}

// contrast says what a start ran and what was derived for it, without what both have in
// common: of commands with twenty options nobody finds the one that differs.
func (a *analysis) contrast(t *Trial, c Configuration) (ran, derived string) {
	if t.configuration == nil || t.configuration.Engine.ID != c.Engine {
		return t.ran, c.EngineName + " " + c.Version
	}
	var before, after []string
	for _, d := range configurationDifferences(*t.configuration, a.configurations[c.Ref]) {
		before, after = d.typed(d.Before, before), d.typed(d.After, after)
	}
	return cmp.Or(strings.Join(before, " "), nothing), cmp.Or(strings.Join(after, " "), nothing)
}

// nothing stands for the side of a difference that has less than the other.
const nothing = "—"

// typed appends a value of the difference as it is typed.
func (d Difference) typed(value string, list []string) []string {
	switch {
	case value == "":
		return list
	case d.Kind == "option" && value == SwitchOn:
		return append(list, d.Name)
	case d.Kind == "variable":
		return append(list, d.Name+"="+value)
	}
	return append(list, strings.TrimSpace(d.Name+" "+value))
}

// onlySpells reports whether the study declares that a candidate spells the
// configuration with this fingerprint differently.
func (a *analysis) onlySpells(ref, fingerprint string) bool {
	original := a.spells(ref)
	return original != ref && a.configurations[original].Fingerprint() == fingerprint
}
