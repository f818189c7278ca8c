package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"benchguide/analyze"
	"benchguide/engine"
	"benchguide/i18n"
	"benchguide/render"
	runner "benchguide/run"
	"benchguide/study"
	"benchguide/templates"
)

// buildCommand makes the whole site.
type buildCommand struct {
	Dir              string `arg:"" optional:"" default:"${content}" help:"Content folder (site.yaml and studies/), or the folder of a single study. By default ${default}."`
	IncludeRehearsed bool   `help:"Show results of rehearsals, marked as such; without it they stop the build."`
	Out              string `default:"public" short:"o" help:"Folder that the site is written to. An earlier site in it is replaced; a folder with anything else is refused."`
}

// Help is printed below the flags.
func (buildCommand) Help() string {
	return `Builds every guide from its raw files. Nothing is written unless all of it is right:
a number without a source, a missing translation or a missing result stops the build, with exit
code 1. 'benchguide check' finds the same without building.

Examples:
  benchguide build
  benchguide build content --out public
  benchguide build content/studies/qwen3-8b-h100-latency      # a site of one study
  benchguide build testdata/small --include-rehearsed         # after 'benchguide run testdata/small --rehearse'`
}

// Run builds the site of c.Dir into c.Out.
func (c buildCommand) Run(ctx context.Context, std streams) error {
	collection, place, err := loadContent(c.Dir, std.err)
	if err != nil {
		return err
	}
	renderer, err := render.New(templates.Files, i18n.Files)
	if err != nil {
		return err
	}
	reports, findings := analyzeAll(renderer, collection)
	if n := printFindings(std.err, place, findings, render.SeverityError); n > 0 {
		return failure{exitFindings, fmt.Errorf("the site was not built: %s above must be mended first", plural(n, "finding"))}
	}
	if err := refuseRehearsed(reports, c.IncludeRehearsed); err != nil {
		return err
	}
	site, problems, err := renderer.Site(collection, reports)
	if err != nil {
		return failure{exitFindings, fmt.Errorf("the site was not built: %w", err)}
	}
	if n := printPageProblems(std.err, problems); n > 0 {
		return failure{exitFindings, fmt.Errorf("the site was not built: its pages have the %d faults above", n)}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := publish(c.Dir, c.Out, site.Files); err != nil {
		return err
	}
	cautions := 0
	for _, f := range findings {
		if f.Severity == render.SeverityCaution {
			cautions++
		}
	}
	fmt.Fprintf(std.err, "built %s, %d files: open %s\n", plural(len(collection.Folders), "guide"), len(site.Files), filepath.Join(c.Out, "index.html"))
	if cautions > 0 {
		stand, them := "stand", "them"
		if cautions == 1 {
			stand, them = "stands", "it"
		}
		fmt.Fprintf(std.err, "%s %s on the pages; %s lists %s\n", plural(cautions, "caution"), stand, c.check(), them)
	}
	return nil
}

// check is the command line that lists what the build has found.
func (c buildCommand) check() string {
	if c.Dir == defaultContent {
		return "benchguide check"
	}
	return "benchguide check " + engine.Quote([]string{c.Dir})
}

// refuseRehearsed keeps results that no GPU made off a site, unless they were asked for.
func refuseRehearsed(reports []*analyze.Report, include bool) error {
	for _, r := range reports {
		if r.Mark == study.MarkRehearsed && !include {
			return failure{exitFindings, fmt.Errorf("the site was not built: run %s of %s is rehearsed; build with --include-rehearsed to show it, marked", r.Run, r.ID)}
		}
	}
	return nil
}

// printPageProblems prints what must not be published and returns how many there are.
// The pages are named as the site would have them; none has been written.
func printPageProblems(w io.Writer, problems []render.Problem) int {
	n := 0
	for _, p := range problems {
		if render.Severity(p.Severity) == render.SeverityError {
			fmt.Fprintf(w, "%s:%d: %s\n", p.File, p.Line, p.Message)
			n++
		}
	}
	return n
}

// loadContent reads a content folder and prints everything that is wrong with it.
func loadContent(dir string, stderr io.Writer) (c *study.Collection, place placing, err error) {
	collection, place, problems, err := openContent(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range problems {
		p.File = place(p.File)
		fmt.Fprintln(stderr, p.Error())
		if source, err := os.ReadFile(p.File); err == nil && p.Line > 0 {
			fmt.Fprint(stderr, p.Excerpt(source))
		}
	}
	if len(problems) > 0 {
		return nil, nil, failure{exitFindings, fmt.Errorf("the studies cannot be used: %s in %s", plural(len(problems), "problem"), dir)}
	}
	return collection, place, nil
}

// analyzeAll analyses every study, and puts what was found into words.
func analyzeAll(r *render.Renderer, c *study.Collection) ([]*analyze.Report, []render.Finding) {
	var reports []*analyze.Report
	var findings []render.Finding
	for _, f := range c.Folders {
		report := runner.Report(f)
		reports = append(reports, report)
		findings = append(findings, r.Findings(f, report)...)
	}
	return reports, findings
}
