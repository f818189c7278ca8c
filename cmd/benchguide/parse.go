package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"benchguide/parse"
)

// parseCommand is `benchguide parse`.
type parseCommand struct {
	Files  []string `arg:"" name:"file" help:"Files to read; - is standard input."`
	Format string   `short:"f" enum:"table,json,csv" default:"table" help:"Output format: ${enum}."`
	Strict bool     `help:"End with code 1 on any doubt, not only on errors."`
}

// Help is the end of the help text. Its examples run as they stand.
func (parseCommand) Help() string {
	return `Finds every benchmark result in the files, with the label lines above it, whatever stands around.
A result in which something is wrong is printed too; what is wrong goes to standard error.

Examples:
  benchguide parse results.txt
  benchguide parse --format json c1.txt c4.txt
  cat c1.txt c4.txt | benchguide parse --strict --format csv -`
}

// results is what was read from all inputs.
type results struct {
	files    int
	records  []parse.Record
	problems []parse.Problem // those of no record
	failed   int             // inputs that could not be read or gave nothing
}

// Run reads the inputs, prints the records, and says on standard error what is wrong.
func (c parseCommand) Run(ctx context.Context, io streams) error {
	var all results
	for _, name := range c.Files {
		if err := ctx.Err(); err != nil {
			return err
		}
		all.read(name, io)
	}
	out := bufio.NewWriter(io.out)
	if err := errors.Join(c.print(out, all), out.Flush()); err != nil {
		return failure{exitInternal, fmt.Errorf("writing the output: %w", err)}
	}
	all.printProblems(io.err)
	return all.outcome(c.Strict)
}

func (c parseCommand) print(w io.Writer, all results) error {
	switch c.Format {
	case "json":
		return printJSON(w, all)
	case "csv":
		return printCSV(w, all.records)
	default:
		return printTable(w, all.records)
	}
}

// read reads one input. What cannot be read does not keep the others from being read.
func (all *results) read(name string, io streams) {
	all.files++
	before := len(all.records)
	problems, err := readInput(name, io.in, func(r parse.Record) { all.records = append(all.records, r) })
	all.problems = append(all.problems, problems...)
	if err != nil {
		all.problems = append(all.problems, parse.Problem{
			Code: parse.CodeUnreadableFile, Severity: parse.Error, File: name, Message: err.Error(),
		})
	}
	if err != nil || len(all.records) == before {
		all.failed++
	}
}

func readInput(name string, stdin io.Reader, emit func(parse.Record)) ([]parse.Problem, error) {
	if name == "-" {
		return parse.Stream("<stdin>", stdin, emit)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, withoutPath(err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, errors.New("this is a folder; give the files in it")
	}
	problems, err := parse.Stream(name, f, emit)
	return problems, withoutPath(err)
}

// withoutPath reduces an error of the file system to its cause; the problem that
// it becomes names the file itself.
func withoutPath(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// each visits the problems of the records and those of none, in input order.
func (all results) each(visit func(parse.Problem)) {
	for _, r := range all.records {
		for _, p := range r.Problems {
			visit(p)
		}
	}
	for _, p := range all.problems {
		visit(p)
	}
}

// printProblems writes the problems and the summary line.
func (all results) printProblems(w io.Writer) {
	count := map[parse.Severity]int{}
	all.each(func(p parse.Problem) {
		count[p.Severity]++
		fmt.Fprintf(w, "%s: %s [%s]\n", p.Severity, p.Error(), p.Code)
	})
	fmt.Fprintf(w, "%s, %s, %s, %s\n", plural(all.files, "file"), plural(len(all.records), "record"),
		plural(count[parse.Error], "error"), plural(count[parse.Warning], "warning"))
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// outcome turns what was found into the exit code.
func (all results) outcome(strict bool) error {
	errs, warnings := 0, 0
	all.each(func(p parse.Problem) {
		if p.Severity == parse.Error {
			errs++
		} else {
			warnings++
		}
	})
	switch {
	case all.failed > 0:
		return failure{code: exitBadInput}
	case errs > 0 || strict && warnings > 0:
		return failure{code: exitFindings}
	default:
		return nil
	}
}
