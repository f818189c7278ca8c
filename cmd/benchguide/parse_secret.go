package main

import (
	"slices"
	"strings"

	"benchguide/parse"
	"benchguide/parse/secret"
)

// cleanRecord replaces the secrets in a record's texts. The name of the file stays,
// since it is what the user typed, and so do values: numbers after known labels.
func cleanRecord(r parse.Record) parse.Record {
	r.Labels, r.Values = slices.Clone(r.Labels), slices.Clone(r.Values)
	r.Settings, r.Unknown, r.Problems = slices.Clone(r.Settings), slices.Clone(r.Unknown), slices.Clone(r.Problems)
	var texts texts
	for i := range r.Labels {
		texts.add("", &r.Labels[i])
	}
	for i := range r.Values {
		texts.add("", &r.Values[i].Note)
	}
	for i := range r.Settings {
		texts.add(r.Settings[i].Name+"=", &r.Settings[i].Text)
	}
	for i := range r.Unknown {
		texts.add("", &r.Unknown[i].Text)
	}
	for i := range r.Problems {
		texts.add("", &r.Problems[i].Message)
	}
	texts.clean()
	return r
}

func cleanProblem(p parse.Problem) parse.Problem {
	p.Message = secret.String(p.Message)
	return p
}

// texts are cleaned together, a line each, since that is faster than one by one.
type texts struct {
	prefixes []string // the name of a setting says what its text is
	places   []*string
}

func (t *texts) add(prefix string, place *string) {
	if *place != "" {
		t.prefixes = append(t.prefixes, prefix)
		t.places = append(t.places, place)
	}
}

func (t *texts) clean() {
	var all strings.Builder
	for i, place := range t.places {
		all.WriteString(t.prefixes[i] + *place + "\n")
	}
	clean, done := secret.Clean([]byte(all.String()))
	if len(done) == 0 {
		return
	}
	rest := string(clean)
	for i, place := range t.places {
		// Cleaning keeps line ends, so each text has as many lines as before.
		var text string
		for range strings.Count(*place, "\n") + 1 {
			line, after, _ := strings.Cut(rest, "\n")
			text, rest = text+line+"\n", after
		}
		*place = strings.TrimSuffix(strings.TrimPrefix(text, t.prefixes[i]), "\n")
	}
}
