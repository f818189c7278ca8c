package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"benchguide/analyze"
	"benchguide/i18n"
	"benchguide/render"
	"benchguide/study"
	"benchguide/templates"
)

// buildCommand makes the whole site.
type buildCommand struct {
	Dir              string `arg:"" optional:"" default:"content" help:"Content folder: site.yaml and studies/."`
	IncludeRehearsed bool   `help:"Show rehearsed results too, marked as such; without it they stop the build."`
	Out              string `default:"public" short:"o" help:"Folder that the site is written to; what it held before is replaced."`
}

// Help is printed below the flags.
func (buildCommand) Help() string {
	return `Builds every guide from its raw files. Nothing is written unless all of it is right:
a number without a source, a missing translation or a missing result stops the build.

Examples:
  benchguide build
  benchguide build content --out public`
}

// Run builds the site of c.Dir into c.Out.
func (c buildCommand) Run(ctx context.Context, std streams) error {
	collection, err := loadContent(c.Dir, std.err)
	if err != nil {
		return err
	}
	renderer, err := render.New(templates.Files, i18n.Files)
	if err != nil {
		return err
	}
	reports, findings := analyzeAll(renderer, collection)
	if n := printFindings(std.err, c.Dir, findings, render.SeverityError); n > 0 {
		return failure{exitFindings, fmt.Errorf("the site was not built: %d findings above must be mended first", n)}
	}
	if err := refuseRehearsed(reports, c.IncludeRehearsed); err != nil {
		return err
	}
	site, problems, err := renderer.Site(collection, reports)
	if err != nil {
		return failure{exitFindings, fmt.Errorf("the site was not built: %w", err)}
	}
	for _, p := range problems {
		fmt.Fprintf(std.err, "%s:%d: %s\n", p.File, p.Line, p.Message)
	}
	if len(problems) > 0 {
		return failure{exitFindings, fmt.Errorf("the site was not built: %d numbers on its pages are not bound, see above", len(problems))}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := publish(c.Out, site.Files); err != nil {
		return err
	}
	fmt.Fprintf(std.err, "built %d guides, %d files: open %s\n", len(collection.Folders), len(site.Files), filepath.Join(c.Out, "index.html"))
	return nil
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

// loadContent reads a content folder and prints everything that is wrong with it.
func loadContent(dir string, stderr io.Writer) (*study.Collection, error) {
	collection, problems := study.LoadCollection(os.DirFS(dir))
	for _, p := range problems {
		p.File = filepath.Join(dir, filepath.FromSlash(p.File))
		fmt.Fprintln(stderr, p.Error())
		if source, err := os.ReadFile(p.File); err == nil && p.Line > 0 {
			fmt.Fprint(stderr, p.Excerpt(source))
		}
	}
	if len(problems) > 0 {
		return nil, failure{exitBadInput, fmt.Errorf("%d problems in %s", len(problems), dir)}
	}
	return collection, nil
}

// analyzeAll analyses every study, and puts what was found into words.
func analyzeAll(r *render.Renderer, c *study.Collection) ([]*analyze.Report, []render.Finding) {
	var reports []*analyze.Report
	var findings []render.Finding
	for _, f := range c.Folders {
		report := analyze.Study(f)
		reports = append(reports, report)
		findings = append(findings, r.Findings(f, report)...)
	}
	return reports, findings
}

// publish writes the site to a folder beside its place and moves it there when it is
// complete, so that a build that fails half way leaves the old site as it was.
func publish(out string, files []render.File) (err error) {
	if err := replaceable(out); err != nil {
		return failure{exitUsage, err}
	}
	parent := filepath.Dir(filepath.Clean(out))
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(parent, ".benchguide-build-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	fresh := filepath.Join(temp, "new")
	for _, f := range files {
		if err := writeFile(filepath.Join(fresh, filepath.FromSlash(f.Path)), f.Data); err != nil {
			return err
		}
	}
	if err := os.Rename(out, filepath.Join(temp, "old")); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return os.Rename(fresh, out)
}

// replaceable refuses to replace a folder that no build has written: a mistyped
// --out must not delete somebody's files.
func replaceable(out string) error {
	entries, err := os.ReadDir(out)
	if errors.Is(err, os.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(out, "assets", "site.css")); err != nil {
		return fmt.Errorf("%s is not empty and holds no site of an earlier build; name another folder, or empty it first", out)
	}
	return nil
}

func writeFile(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}
