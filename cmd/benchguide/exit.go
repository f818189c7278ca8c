package main

import "errors"

// Exit codes of every subcommand. Scripts rely on them: a code is never renumbered.
const (
	exitOK          = 0   // done, and nothing is in doubt
	exitFindings    = 1   // done, and something in the data is wrong or, with --strict, doubtful
	exitUsage       = 2   // the command line is wrong; nothing was done
	exitBadInput    = 3   // an input cannot be opened or holds nothing that can be read
	exitInternal    = 4   // a defect of benchguide, or the output could not be written
	exitUnfinished  = 5   // a run ended before it was done: its budget is spent, or it cannot go on; --resume continues it
	exitInterrupted = 130 // stopped by Ctrl-C, SIGTERM or a closed terminal
)

const exitHelp = `Exit codes: 0 done; 1 done, with findings in the data; 2 wrong command line;
3 unreadable input; 4 internal error or unwritable output;
5 a run that is not finished; 130 interrupted.`

// failure is an error that says with which code the program ends. A subcommand
// that has printed its findings itself returns one without a message.
type failure struct {
	code int
	err  error // nil: everything has been said
}

func (f failure) Error() string {
	if f.err == nil {
		return ""
	}
	return f.err.Error()
}

func (f failure) Unwrap() error { return f.err }

// exitCode returns the code that an error of a subcommand ends the program with.
func exitCode(err error) int {
	var f failure
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &f):
		return f.code
	default:
		return exitInternal
	}
}
