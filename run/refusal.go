package run

import "fmt"

// Refusal says why nothing was started, and what to do about it.
type Refusal struct {
	Message string
	Study   bool // the study is at fault, on whatever machine it is to be run
}

// Error returns the message.
func (r *Refusal) Error() string { return r.Message }

func refuse(format string, args ...any) error { return &Refusal{Message: fmt.Sprintf(format, args...)} }
