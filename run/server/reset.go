package server

import (
	"bytes"
	"context"
	"errors"
)

// ErrNoReset says that an engine cannot drop its prefix cache, or not as it was started.
var ErrNoReset = errors.New("the engine has no way to drop its prefix cache; restart it, or give every trial prompts of its own")

// reset asks an endpoint to drop the prefix cache.
func (t Target) reset(ctx context.Context, path string) error {
	_, err := t.post(ctx, path, nil, probeWait)
	if absent(err) {
		return ErrNoReset
	}
	return err
}

// ResetFailed looks for proof that a reset did nothing, in what the server has logged
// since it was asked. vLLM answers 200 in either case.
func ResetFailed(since []byte) bool {
	return bytes.Contains(since, []byte("Failed to reset prefix cache"))
}
