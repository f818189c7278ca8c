package proc

import (
	"fmt"
	"os"
	"os/exec"
)

// output is the files that a process writes to. They are handed over as files: through a
// pipe a process could not outlive the runner, and its end could not be seen as long as a
// child holds the pipe.
type output struct {
	stdout, stderr *os.File // nil: nothing is kept
}

// openOutput opens the files for appending, one and the same only once.
func openOutput(stdout, stderr string) (output, error) {
	var o output
	var err error
	if o.stdout, err = appendTo(stdout); err != nil {
		return output{}, err
	}
	if stderr == stdout {
		o.stderr = o.stdout
		return o, nil
	}
	if o.stderr, err = appendTo(stderr); err != nil {
		o.close()
		return output{}, err
	}
	return o, nil
}

func appendTo(file string) (*os.File, error) {
	if file == "" {
		return nil, nil
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, fmt.Errorf("cannot keep the output: %w", err)
	}
	return f, nil
}

// attach gives the files to a command. A nil file must not become a writer that is not nil.
func (o output) attach(cmd *exec.Cmd) {
	if o.stdout != nil {
		cmd.Stdout = o.stdout
	}
	if o.stderr != nil {
		cmd.Stderr = o.stderr
	}
}

func (o output) close() {
	if o.stdout != nil {
		o.stdout.Close()
	}
	if o.stderr != nil && o.stderr != o.stdout {
		o.stderr.Close()
	}
}
