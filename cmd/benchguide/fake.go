package main

import (
	"context"

	"benchguide/run/fake"
)

// fakeCommand is `benchguide fake-engine`, which a rehearsal starts in an engine's place.
type fakeCommand struct {
	Args []string `arg:"" optional:"" passthrough:""`
}

// Run serves until it is stopped. The engine's log is all that is printed.
func (c fakeCommand) Run(ctx context.Context, io streams) error {
	if code := fake.Main(ctx, c.Args, io.out, io.err); code != 0 {
		return failure{code: code}
	}
	return nil
}
