package main

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// outliving returns streams whose readers may go away: a head, a pager, a lost connection. A
// run takes hours, and the server that it has started must not be left on the GPUs because
// nobody reads any more what it says. All else is written to files.
func (s streams) outliving() streams {
	// A written pipe without a reader ends a program by SIGPIPE. A signal that is asked for
	// does not; one that is ignored would stay so in every program that the run starts.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	if _, terminal := columns(s.err); !terminal { // of one that is gone SIGHUP tells
		s.err = &unread{to: s.err}
	}
	told := s.err
	s.out = &unread{to: s.out, gone: func() {
		_, _ = io.WriteString(told, "benchguide: nobody reads the standard output any more; the run goes on without it\n")
	}}
	return s
}

// unread is a stream that is written to as long as somebody reads it.
type unread struct {
	to   io.Writer
	gone func() // is told once that nobody does; may be nil

	mu    sync.Mutex
	ended bool
}

// Write writes, or does nothing.
func (u *unread) Write(p []byte) (int, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.ended {
		return len(p), nil
	}
	n, err := u.to.Write(p)
	if !errors.Is(err, syscall.EPIPE) {
		return n, err
	}
	u.ended = true
	if u.gone != nil {
		u.gone()
	}
	return len(p), nil
}
