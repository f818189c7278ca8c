package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/alecthomas/kong"
)

// commandLine is what can be typed. A subcommand is one field here and one file:
// its type holds its flags, and its Run method takes the streams and the context. They
// stand in the order in which a study needs them, and after them what stands for itself.
type commandLine struct {
	Plan  planCommand  `cmd:"" help:"Show what a run of a study would do, without starting anything."`
	Run   runCommand   `cmd:"" help:"Carry a study out: start its engines, measure them, decide."`
	Check checkCommand `cmd:"" help:"Report everything that can be wrong, without building."`
	Build buildCommand `cmd:"" help:"Build the whole site from content."`
	Parse parseCommand `cmd:"" help:"Read benchmark output and print it as JSON, CSV or a table."`
	Bench benchCommand `cmd:"" help:"Send a benchmark's load to a server and print what it measured."`

	Attempt    attemptCommand `cmd:"" hidden:"" help:"Carry out one attempt of a run."`
	FakeEngine fakeCommand    `cmd:"" hidden:"" passthrough:"" name:"fake-engine" help:"Stand in for an engine in a rehearsal."`

	Version kong.VersionFlag `help:"Print the version of this program."`
}

// streams are the three that a subcommand may use: results go to out, all else to err.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// run is the program: it returns the exit code and touches nothing but its arguments.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		// Without this, Go would end a panic with the code of a wrong command line.
		if p := recover(); p != nil {
			fmt.Fprintf(stderr, "benchguide: internal error: %v\n%s", p, debug.Stack())
			code = exitInternal
		}
	}()
	var cli commandLine
	helped := false
	parser, err := kong.New(&cli,
		kong.Name("benchguide"),
		kong.Description("Reads what LLM serving benchmarks print, and publishes guides in which every number is traceable.\n\n"+exitHelp),
		kong.Writers(stdout, stderr),
		kong.Exit(func(int) { helped = true }), // kong exits by itself only after --help and --version
		kong.Vars{"version": version(), "content": defaultContent},
		kong.Help(printHelp),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(streams{stdin, stdout, stderr}),
	)
	if err != nil {
		panic(err) // the struct tags are wrong
	}
	parser.Model.HelpFlag.Help = "Print this help."
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parsed, err := parser.Parse(args)
	switch {
	case helped:
		return exitOK
	case err != nil:
		fmt.Fprintf(stderr, "benchguide: %v\nrun 'benchguide %s--help' to see what can be typed\n", err, chosen(err))
		return exitUsage
	}
	return report(parsed.Run(), stderr)
}

// printHelp prints the examples of a subcommand last, where a terminal shows them: some
// have more flags than it has lines.
func printHelp(options kong.HelpOptions, ctx *kong.Context) error {
	examples := ""
	if node := ctx.Selected(); node != nil {
		node.Detail, examples, _ = strings.Cut(node.Detail, "\n\nExamples:\n")
	}
	if err := kong.DefaultHelpPrinter(options, ctx); err != nil || examples == "" {
		return err
	}
	_, err := fmt.Fprintf(ctx.Stdout, "\nExamples:\n%s\n", examples)
	return err
}

// chosen is the subcommand that was typed before the command line went wrong, with a space.
func chosen(err error) string {
	var parsing *kong.ParseError
	if errors.As(err, &parsing) && parsing.Context != nil && parsing.Context.Selected() != nil {
		return parsing.Context.Selected().Name + " "
	}
	return ""
}

// version is the module's, as the build recorded it: a result must tell what made it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return "benchguide " + info.Main.Version
	}
	return "benchguide (devel)"
}

// report prints the error of a subcommand, unless it has said everything, and returns its code.
func report(err error, stderr io.Writer) int {
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(stderr, "benchguide: interrupted")
		return exitInterrupted
	}
	if err != nil && err.Error() != "" {
		fmt.Fprintf(stderr, "benchguide: %v\n", err)
	}
	return exitCode(err)
}
