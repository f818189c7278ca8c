package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"benchguide/run/machine"
	"benchguide/study"

	runner "benchguide/run"
)

// loadMachine reads machine.yaml; a machine that nothing is said of has none.
func loadMachine(name string, stderr io.Writer) (machine.Profile, error) {
	if name == "" {
		return machine.Profile{Schema: machine.Schema}, nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return machine.Profile{}, failure{exitBadInput, fmt.Errorf("%s: %w; docs/machine-yaml.md says what to write into it, and without --machine everything is looked for on PATH", name, withoutPath(err))}
	}
	profile, problems := machine.Load(name, data)
	for _, p := range problems {
		fmt.Fprintln(stderr, p.Error())
		fmt.Fprint(stderr, p.Excerpt(data))
	}
	if len(problems) > 0 {
		return profile, failure{exitFindings, fmt.Errorf("%s cannot be used: it has %s", name, plural(len(problems), "problem"))}
	}
	return profile, nil
}

// loadStudy reads the study of a run, and prints everything that is wrong with it.
func loadStudy(dir string, stderr io.Writer) (*study.Folder, error) {
	if err := folderGiven(dir, "the folder of a study, which holds its study.yaml"); err != nil {
		return nil, err
	}
	f, problems, err := runner.Load(dir)
	if err != nil {
		return nil, failure{exitBadInput, err}
	}
	if len(problems) > 0 {
		printProblems(stderr, dir, problems)
		return nil, failure{exitFindings, fmt.Errorf("the study cannot be run: %s in %s", plural(len(problems), "problem"), dir)}
	}
	return f, nil
}

// printProblems names files as the person who typed dir can open them: a study's
// problems name them below the folder that it lies in.
func printProblems(w io.Writer, dir string, problems []study.Problem) {
	for _, p := range problems {
		_, below, _ := strings.Cut(p.File, "/")
		p.File = filepath.Join(dir, filepath.FromSlash(below))
		fmt.Fprintln(w, p.Error())
		if source, err := os.ReadFile(p.File); err == nil && p.Line > 0 {
			fmt.Fprint(w, p.Excerpt(source))
		}
	}
}
