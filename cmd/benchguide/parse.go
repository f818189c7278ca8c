package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"benchguide/parse"
)

// parseCommand is `benchguide parse`.
type parseCommand struct {
	Files       []string `arg:"" name:"file" help:"Files, folders and patterns to read, packed with gzip or zstd or not; - is standard input."`
	Format      string   `short:"f" enum:"table,json,jsonl,csv,md" default:"table" help:"Output format: ${enum}."`
	Fields      []string `placeholder:"NAME" help:"Print these columns only, or in JSON these values: metrics such as mean_ttft, and file, line, labels, producer, versions, usable."`
	Strict      bool     `help:"Make any doubt an error: warnings, and lines in a result that were not understood."`
	KeepSecrets bool     `help:"Print hosts, paths, keys and user names as they stand, and not placeholders for them."`
}

// Help is the end of the help text. Its examples run as they stand.
func (parseCommand) Help() string {
	return `Finds every benchmark result in the files, with the label lines above it, whatever stands around.
A result in which something is wrong is printed too; what is wrong goes to standard error, which ends with
a line that counts files, records, errors and warnings. In a folder, files without a result are passed over.

Examples:
  benchguide parse results.txt
  benchguide parse --format json c1.txt c4.txt.gz
  benchguide parse --format csv --fields file,max_concurrency,total_throughput,mean_ttft results/
  cat c1.txt c4.txt | benchguide parse --strict --format csv -`
}

// Run reads the inputs, prints the records, and says on standard error what is wrong.
func (c parseCommand) Run(ctx context.Context, io streams) error {
	fields, err := fieldsOf(c.Fields)
	if err != nil {
		return failure{exitUsage, err}
	}
	out := bufio.NewWriterSize(io.out, 64<<10)
	session := parsing{
		command: c, fields: fields, errors: io.err, stdin: io.in,
		printer: printerOf(c.Format, out, fields), perFolder: map[string]int{},
	}
	if err := session.all(ctx); err != nil {
		return err
	}
	if err := errors.Join(session.unwritten, session.printer.end(session.problems), out.Flush()); err != nil {
		return failure{exitInternal, fmt.Errorf("writing the output: %w", err)}
	}
	return session.outcome()
}

// printer writes records as they come. Formats whose columns depend on all records
// write at the end.
type printer interface {
	record(r parse.Record) error
	end(problems []parse.Problem) error // those of no record
}

func printerOf(format string, w io.Writer, fields []field) printer {
	switch format {
	case "json":
		return &jsonPrinter{w: w, fields: fields}
	case "jsonl":
		return &linesPrinter{w: w, fields: fields}
	case "csv":
		return &csvPrinter{w: w, fields: fields}
	case "md":
		return &markdownPrinter{w: w, fields: fields}
	default:
		return &tablePrinter{w: w, fields: fields}
	}
}

// parsing is one execution of the command: what was read so far, and what of it was doubtful.
type parsing struct {
	command parseCommand
	fields  []field
	stdin   io.Reader
	errors  io.Writer
	printer printer

	files, records, passed int // passed over: without a result, in a folder
	perFolder              map[string]int
	count                  map[parse.Severity]int
	failed                 int // inputs that could not be read or gave nothing
	problems               []parse.Problem
	unwritten              error
}

func (s *parsing) all(ctx context.Context) error {
	s.count = map[parse.Severity]int{}
	found, problems := findInputs(s.command.Files)
	for _, p := range problems {
		s.failed++
		s.files++
		s.problem(p)
	}
	for _, in := range found {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.read(in)
	}
	for _, folder := range fruitless(found, s.perFolder) {
		s.failed++
		s.problem(parse.Problem{
			Code: parse.CodeNoResult, Severity: parse.Error, File: folder, Message: "no benchmark result in the files of this folder",
			Hint: "give the output that the benchmark tool printed",
		})
	}
	return nil
}

// read reads one input. What cannot be read does not keep the others from being read.
func (s *parsing) read(in input) {
	s.files++
	before := s.records
	problems, err := s.readText(in)
	s.perFolder[in.folder] += s.records - before
	nothing := s.records == before
	if err == nil && nothing && in.folder != "" && onlyNothing(problems) {
		s.passed++
		return
	}
	if err != nil {
		problems = append(problems, unreadable(in.name, err))
	}
	if err != nil || nothing {
		s.failed++
	}
	for _, p := range problems {
		s.problem(p)
	}
}

func onlyNothing(problems []parse.Problem) bool {
	for _, p := range problems {
		if p.Code != parse.CodeNoResult && p.Code != parse.CodeBinary {
			return false
		}
	}
	return true
}

func (s *parsing) readText(in input) ([]parse.Problem, error) {
	r, err := in.open(s.stdin)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	name := in.name
	if name == "-" {
		name = "<stdin>"
	}
	problems, err := parse.Stream(name, r, s.record)
	return problems, withoutPath(err)
}

// record prints a record, without its secrets, and says what is wrong with it.
func (s *parsing) record(r parse.Record) {
	s.records++
	if !s.command.KeepSecrets {
		r = cleanRecord(r)
	}
	if s.unwritten == nil {
		s.unwritten = s.printer.record(r)
	}
	for _, p := range r.Problems {
		s.say(p)
	}
	if n := len(r.Unknown); n > 0 && s.command.Strict {
		s.say(parse.Problem{
			Code: codeUnknown, Severity: parse.Error, File: r.File, Line: r.Unknown[0].Line,
			Message: fmt.Sprintf("%s of this result not understood: %q", plural(n, "line"), r.Unknown[0].Text),
			Hint:    "see 'unknown' in the output of --format json",
		})
	}
}

// codeUnknown is the code of what only --strict minds.
const codeUnknown = "unknown-lines"

// problem keeps and says a problem that belongs to no record.
func (s *parsing) problem(p parse.Problem) {
	if !s.command.KeepSecrets {
		p = cleanProblem(p)
	}
	s.problems = append(s.problems, p)
	s.say(p)
}

func (s *parsing) say(p parse.Problem) {
	if s.command.Strict {
		p.Severity = parse.Error
	}
	s.count[p.Severity]++
	fmt.Fprintf(s.errors, "%s: %s [%s]\n", p.Severity, p.Error(), p.Code)
}

// outcome writes the summary line and turns what was found into the exit code.
func (s *parsing) outcome() error {
	passed := ""
	if s.passed > 0 {
		passed = fmt.Sprintf(" (%d without a result)", s.passed)
	}
	fmt.Fprintf(s.errors, "%s%s, %s, %s, %s\n", plural(s.files, "file"), passed, plural(s.records, "record"),
		plural(s.count[parse.Error], "error"), plural(s.count[parse.Warning], "warning"))
	switch {
	case s.failed > 0:
		return failure{code: exitBadInput}
	case s.count[parse.Error] > 0:
		return failure{code: exitFindings}
	default:
		return nil
	}
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
