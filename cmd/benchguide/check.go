package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"benchguide/i18n"
	"benchguide/render"
	"benchguide/templates"
)

// checkCommand reports everything that can be wrong, without writing a site.
type checkCommand struct {
	Dir    string `arg:"" optional:"" default:"${content}" help:"Content folder (site.yaml and studies/), or the folder of a single study. By default ${default}."`
	Format string `default:"text" enum:"text,json,sarif" help:"How findings are printed: ${enum}."`
	Strict bool   `help:"Exit with 1 for cautions, too, but for those that the study accepts with a reason."`
}

// Help is printed below the flags.
func (checkCommand) Help() string {
	return `Reads and judges everything as a build does, and prints findings to the standard output, each with
its place and a [code]; docs/findings.md explains every code. An error stops a build, a caution stands
on the page beside the number, a note is for the record. The exit code is 1 if there is an error.

Examples:
  benchguide check
  benchguide check content --format json
  benchguide check --strict --format sarif >findings.sarif      # in CI, for code review
  benchguide check content/studies/qwen3-8b-h100-latency`
}

// Run checks c.Dir as a build would, and prints what it finds.
func (c checkCommand) Run(_ context.Context, std streams) error {
	findings, err := c.findings()
	if err != nil {
		return err
	}
	if err := c.print(std.out, findings); err != nil {
		return err
	}
	counts := map[render.Severity]int{}
	accepted, open := 0, 0
	for _, f := range findings {
		counts[f.Severity]++
		switch {
		case f.Accepted != "":
			accepted++
		case f.Severity == render.SeverityCaution:
			open++
		}
	}
	fmt.Fprintf(std.err, "%s, %s, %s", plural(counts[render.SeverityError], "error"), plural(counts[render.SeverityCaution], "caution"), plural(counts[render.SeverityNote], "note"))
	if accepted > 0 {
		fmt.Fprintf(std.err, "; %d accepted", accepted)
	}
	fmt.Fprintln(std.err)
	if counts[render.SeverityError] > 0 || c.Strict && open > 0 {
		return failure{code: exitFindings}
	}
	return nil
}

func (c checkCommand) findings() ([]render.Finding, error) {
	renderer, err := render.New(templates.Files, i18n.Files)
	if err != nil {
		return nil, err
	}
	collection, place, problems, err := openContent(c.Dir)
	if err != nil {
		return nil, err
	}
	if len(problems) > 0 {
		return placed(place, render.LoadFindings(problems)), nil
	}
	reports, findings := analyzeAll(renderer, collection)
	if slices.ContainsFunc(findings, func(f render.Finding) bool { return f.Severity == render.SeverityError }) {
		return placed(place, findings), nil // pages made of errors would only repeat them
	}
	pages, err := renderer.Check(collection, reports)
	return append(placed(place, findings), pages...), err
}

// placed names files as the user can open them.
func placed(place placing, findings []render.Finding) []render.Finding {
	for i := range findings {
		findings[i].File = place(findings[i].File)
	}
	return findings
}

func (c checkCommand) print(w io.Writer, findings []render.Finding) error {
	if c.Format == "json" {
		if findings == nil {
			findings = []render.Finding{}
		}
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(findings)
	}
	if c.Format == "sarif" {
		return writeSARIF(w, findings)
	}
	for _, f := range findings {
		if _, err := fmt.Fprintln(w, f); err != nil {
			return err
		}
	}
	return nil
}

// printFindings prints the findings of one severity and returns how many there are.
func printFindings(w io.Writer, place placing, findings []render.Finding, severity render.Severity) int {
	n := 0
	for _, f := range findings {
		if f.Severity == severity {
			f.File = place(f.File)
			fmt.Fprintln(w, f)
			n++
		}
	}
	return n
}
