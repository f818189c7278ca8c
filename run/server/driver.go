// Package server knows how each engine's server is run: started, asked whether it is
// ready and whose it is, asked what it counts, and stopped. One file an engine.
package server

import (
	"context"
	"net/http"
	"time"

	"benchguide/run/machine"
	"benchguide/study"
)

// Place is what a run fills into a serving command.
type Place struct {
	Name  string // that the server is to serve the model under: the attempt's nonce
	Host  string
	Port  int
	GPUs  []int
	Model string // local path, or the id where the engine is to find it itself
}

// Target is a server that was started.
type Target struct {
	HTTP *http.Client
	Base string // http://host:port
	Name string
}

// Launch is a command that starts a server.
type Launch struct {
	Words []string
	Env   map[string]string // what is set beside the inherited environment
	Image string            // digest or name of the container image; empty without one
	Stop  []string          // a command that ends the container for certain; nil without one
}

// Driver is what is known of running one engine.
type Driver interface {
	// ID is the engine's id in study.yaml.
	ID() string
	// Launch puts the command together: the configuration's own, where the machine says
	// how it is started, and what only this start has.
	Launch(c study.Configuration, m machine.Profile, at Place) (Launch, error)
	// Live asks once whether the server says that it is well. One that answers and is
	// loading, stopping or dead is not; the error is then a *StatusError. Ready is a
	// server that also Generates: engines that hang say that they are well.
	Live(ctx context.Context, t Target) error
	// Generates sends one request of a few tokens and wants an answer.
	Generates(ctx context.Context, t Target) error
	// Identify returns the names that the server serves its model under.
	Identify(ctx context.Context, t Target) ([]string, error)
	// Version returns the engine's version as the server says it; "" where it does not.
	Version(ctx context.Context, t Target) (string, error)
	// Effective returns the configuration in force, and the answer that it is from as it
	// was got; nil where the server does not tell. EffectiveFromLog may know more.
	Effective(ctx context.Context, t Target) (map[string]string, []byte, error)
	// Metrics returns what the server counts, in Prometheus' text format; nil where it
	// tells nothing without losing it.
	Metrics(ctx context.Context, t Target) ([]byte, error)
	// Reset drops the prefix cache; ErrNoReset where the engine cannot. That it returns nil
	// is no proof: see ResetFailed.
	Reset(ctx context.Context, t Target) error
	// Grace is how long the server may take to end after SIGTERM.
	Grace() time.Duration
	// Dummy reports whether the configuration serves random weights.
	Dummy(c study.Configuration) bool
}
