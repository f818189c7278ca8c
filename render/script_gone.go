package render

import (
	"fmt"
	"slices"
	"strings"

	"benchguide/parse/secret"
	"benchguide/render/gate"
)

// A run keeps its commands without what would tell of its machine: a program in somebody's
// folder is "[path]" there. Nobody can run that.

// gone reports whether something of a text was replaced.
func gone(text string) bool {
	_, is := secret.Replaced(text)
	return is
}

// withoutGone gives a command that was run the study's own program where that which was run
// was replaced, and takes out the variables whose values were: they said where things lay.
func withoutGone(ran, own []string) []string {
	set := assignments(ran)
	variables := slices.DeleteFunc(slices.Clone(ran[:set]), gone)
	ran = ran[set:]
	at := programEnd(ran)
	program := ran[:at]
	if slices.ContainsFunc(program, gone) && len(own) > 0 {
		own = own[assignments(own):]
		program = own[:programEnd(own)]
	}
	return slices.Concat(variables, program, ran[at:])
}

// optionOf is the value of an option in the study's own command, or the other one where it
// states none.
func optionOf(own []string, option, other string) string {
	for _, pair := range pairs(own) {
		if len(pair) == 2 && pair[0] == option {
			return pair[1]
		}
	}
	return other
}

// CodeReplacedText is the code of a script that nobody could run.
const CodeReplacedText = "replaced-text"

// checkScript finds what was replaced and stands in a finished script all the same.
func checkScript(f File) []Problem {
	var list []Problem
	number := 0
	for line := range strings.Lines(string(f.Data)) {
		number++
		kind, is := secret.Replaced(line)
		if !is {
			continue
		}
		list = append(list, Problem{Code: CodeReplacedText, Severity: gate.SeverityError, File: f.Path, Line: number, Text: strings.TrimSpace(line),
			Message: fmt.Sprintf("%s stands where the machine of the run had a text of its own, and nobody can run %q: state the program or option in study.yaml, in the workload's or the candidate's command",
				kind.Placeholder(), strings.TrimSpace(line))})
	}
	return list
}
