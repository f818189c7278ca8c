//go:build !linux

package proc

import (
	"context"
	"errors"
	"runtime"
)

// errSystem is what everything here answers on a system without /proc.
var errSystem = errors.New("processes of engines can be run on Linux only, and this is " + runtime.GOOS +
	": run the study on a Linux machine; reading results and building guides works here")

// Process is a process that was started here, of which there are none on this system.
type Process struct{ done chan struct{} }

// Start cannot start anything on this system.
func Start(Spec) (*Process, error) { return nil, errSystem }

// Identity returns nothing that can be found.
func (p *Process) Identity() Identity { return Identity{} }

// Done is never closed.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit says that there is no process.
func (p *Process) Exit() Exit { return Exit{Code: -1, Text: errSystem.Error()} }

// Stop cannot stop anything on this system.
func (p *Process) Stop(context.Context, Ladder) error { return errSystem }

// Alive knows of no process on this system.
func Alive(Identity) bool { return false }

// Leftovers cannot look for processes on this system.
func Leftovers(string) ([]Identity, error) { return nil, errSystem }

// End cannot end anything on this system.
func End(context.Context, string, []Identity, Ladder) error { return errSystem }

// BecomeSubreaper is not possible on this system.
func BecomeSubreaper() error { return errSystem }

// Tree cannot look at processes on this system.
func Tree(string, ...Identity) (ProcessTreeStats, error) { return ProcessTreeStats{}, errSystem }
