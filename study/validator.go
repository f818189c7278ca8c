package study

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// idPattern keeps ids usable as folder names, fact ids and anchors.
var idPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*$`)

// idHint says what an id may be.
const idHint = "use small letters, digits, dots and dashes"

// validator collects problems with their places in study.yaml. It runs on studies
// that decoding found faults in, so that all faults are reported together; what could
// not be read is not judged a second time.
type validator struct {
	f        *Folder
	decoding []Problem // what decoding found
	problems []Problem

	// These tell lists that were read in full: what such a list lacks is missing, and
	// not only misspelt.
	allDatasets, allWorkloads, allEngines, allRefs bool
}

func newValidator(f *Folder, decoding []Problem) *validator {
	v := &validator{f: f, decoding: decoding}
	s := &f.Study
	v.allEngines = v.read("engines")
	v.allDatasets = v.readIDs(len(s.Datasets), "datasets")
	v.allWorkloads = v.readIDs(len(s.Workloads), "workloads")
	v.allRefs = v.read("baseline", "id") && v.readIDs(len(s.Stages), "stages")
	for i, st := range s.Stages {
		v.allRefs = v.allRefs && v.readIDs(len(st.Candidates), "stages", i, "candidates")
	}
	return v
}

// add reports a problem with a value, unless decoding could not read that value.
func (v *validator) add(message, hint string, at ...any) {
	if v.read(at...) {
		v.list(message, hint, at...)
	}
}

// list reports a problem at a place, whatever decoding found there.
func (v *validator) list(message, hint string, at ...any) {
	v.problems = append(v.problems, v.f.positions.Problem(message, hint, at...))
}

// read reports whether decoding read the value at a path.
func (v *validator) read(at ...any) bool {
	if !v.f.positions.Has(at...) {
		return false
	}
	where := v.path(at...)
	return !slices.ContainsFunc(v.decoding, func(p Problem) bool { return p.Path == where && !isAbout(p) })
}

// isAbout tells a problem with the keys of a mapping, whose values were read, from one
// with the value itself.
func isAbout(p Problem) bool { return strings.Contains(p.Message, "has no key") }

// clean reports whether decoding found nothing at a path or beneath it.
func (v *validator) clean(at ...any) bool {
	where := v.path(at...)
	return !slices.ContainsFunc(v.decoding, func(p Problem) bool {
		return p.Path == where || strings.HasPrefix(p.Path, where+".") || strings.HasPrefix(p.Path, where+"[")
	})
}

func (v *validator) path(at ...any) string { return v.f.positions.Problem("", "", at...).Path }

// readIDs reports whether a list was read with the ids of all its n items.
func (v *validator) readIDs(n int, at ...any) bool {
	if !v.read(at...) {
		return false
	}
	for i := range n {
		if !v.read(append(slices.Clone(at), i, "id")...) {
			return false
		}
	}
	return true
}

func (v *validator) id(id string, seen map[string]bool, at ...any) {
	switch {
	case !idPattern.MatchString(id):
		v.add(fmt.Sprintf("%q cannot be an id", id), idHint, at...)
	case seen[id]:
		v.add(fmt.Sprintf("id %q is used twice", id), "", at...)
	}
	seen[id] = true
}

func (v *validator) reserved(id string, names []string, at ...any) {
	if slices.Contains(names, id) {
		v.add(fmt.Sprintf("id %q is reserved", id), "choose another", at...)
	}
}

func (v *validator) engineRef(id string, at ...any) {
	if _, ok := v.f.Study.Engines[id]; id != "" && !ok && v.allEngines {
		v.add(fmt.Sprintf("engine %q has no version under engines", id), "add it there with the version that is run", at...)
	}
}

func (v *validator) workloadRef(id string, at ...any) {
	if _, ok := v.f.Study.Workload(id); !ok && v.allWorkloads {
		v.add(fmt.Sprintf("workload %q is not declared", id), "declare it under workloads", at...)
	}
}

// resultRef checks that "stage/candidate" names something that has results.
func (v *validator) resultRef(ref string, at ...any) {
	if refs := v.f.Study.Refs(); v.allRefs && !slices.Contains(refs, ref) {
		v.add(fmt.Sprintf("%q names no candidate", ref), `write stage/candidate, such as "`+refs[0]+`"`, at...)
	}
}
