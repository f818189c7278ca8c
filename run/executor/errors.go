package executor

import (
	"errors"
	"strings"
)

// The two ways in which an attempt is not carried out at all. Everything that an attempt
// finds out by itself is in its seal and is no error here.
var (
	// ErrLost says that an attempt ended, or vanished, without a seal: a node that died, a
	// time limit, a job that somebody else cancelled. The machine is at fault and not the
	// configuration, so a new attempt may succeed.
	ErrLost = errors.New("the attempt is lost")
	// ErrRefused says that the attempt was never accepted. The next would fare no better:
	// the request has to change.
	ErrRefused = errors.New("the attempt was refused")
)

// failure is one of the two with what was found and what to do next.
type failure struct {
	kind  error
	found string
	next  string
	log   string // end of what the job printed
}

// Error says what was found, what to do next, and what the job printed last.
func (f *failure) Error() string {
	text := f.kind.Error() + ": " + f.found
	if f.next != "" {
		text += ": " + f.next
	}
	if f.log != "" {
		text += "\nthe job's last words:\n" + f.log
	}
	return text
}

// Unwrap returns ErrLost or ErrRefused.
func (f *failure) Unwrap() error { return f.kind }

// oneLine joins the lines of a tool's message.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(strings.TrimSpace(s), func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
}
