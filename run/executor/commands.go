package executor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Output is what a command left.
type Output struct {
	Stdout string
	Stderr string
	Status int
}

// Commands runs the commands of a cluster, so that tests can answer for one. An error
// says that the command did not run to its end; a status that is not 0 is no error.
type Commands interface {
	Command(ctx context.Context, words ...string) (Output, error)
}

// Host runs commands on this machine.
type Host struct{}

var _ Commands = Host{}

// Command runs the words as they are, without a shell. Messages are wanted in English
// and times in one format, since both are read by a program.
func (Host) Command(ctx context.Context, words ...string) (Output, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Env = append(os.Environ(), "LC_ALL=C", "SLURM_TIME_FORMAT=standard")
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	// A child that keeps the pipes open must not hold up the runner.
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	out := Output{Stdout: stdout.String(), Stderr: stderr.String()}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return out, fmt.Errorf("%s gave no answer: %w", words[0], context.Cause(ctx))
	case errors.As(err, &exit):
		out.Status = exit.ExitCode()
		return out, nil
	case err != nil:
		return out, err
	}
	return out, nil
}

// quoted returns s as one word of a POSIX shell.
func quoted(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./,:=+@%", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
