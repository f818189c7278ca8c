package fake

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// childFlag begins the command line of a child of a fake engine, which shows a fault that
// outlives it: --child orphan SECONDS, --child memory SECONDS FILE MIB PID, --child end.
const childFlag = "--child"

// defaultOrphan bounds an orphan's life, so that nothing of a test stays for long.
const defaultOrphan = 60.0

// selfWords are the words that start this program as a fake engine: what was typed, up
// to the arguments that are the engine's own.
func selfWords(args []string) []string {
	program, err := os.Executable()
	if err != nil {
		program = os.Args[0]
	}
	words := []string{program}
	if n := len(os.Args) - len(args); n > 1 && slices.Equal(os.Args[n:], args) {
		words = append(words, os.Args[1:n]...)
		if words[len(words)-1] == "--" { // a parser of options above ours took it
			words = words[:len(words)-1]
		}
		return words
	}
	return append(words, "fake-engine")
}

// beside starts the processes that faults ask for.
func (s *Server) beside(self []string) error {
	if f, ok := s.faults.find(Orphan); ok {
		seconds := f.Seconds
		if seconds == 0 {
			seconds = defaultOrphan
		}
		pid, err := spawn(self, "VLLM::EngineCore", "orphan", number(seconds))
		if err != nil {
			return fmt.Errorf("starting an orphan: %w", err)
		}
		s.say("fault: the child %d outlives this server", pid)
	}
	if s.faults.has(Zombie) {
		// Nobody waits for it: it stays a zombie until this process has ended.
		pid, err := spawn(self, "VLLM::Worker", "end")
		if err != nil {
			return fmt.Errorf("starting a child that becomes a zombie: %w", err)
		}
		s.say("fault: the child %d becomes a zombie", pid)
	}
	if f, ok := s.faults.find(MemoryStays); ok {
		return s.occupy(self, f)
	}
	return nil
}

// number prints seconds or MiB for a command line.
func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// spawn starts a child in a session of its own, without any environment, under another name:
// what is looked for by descent, environment or command line is not found.
func spawn(self []string, name string, args ...string) (int, error) {
	cmd := exec.Command(self[0], slices.Concat(self[1:], []string{childFlag}, args)...)
	cmd.Args[0] = name
	cmd.Env = []string{}
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	return cmd.Process.Pid, nil
}

// child is what a child of the fake engine does.
func child(ctx context.Context, args []string) int {
	signal.Ignore(syscall.SIGHUP)
	kind := args[:min(1, len(args))]
	switch {
	case slices.Equal(kind, []string{"end"}):
		return 0
	case slices.Equal(kind, []string{"orphan"}) && len(args) == 2:
		seconds, err := strconv.ParseFloat(args[1], 64)
		if err != nil {
			return exitUsage
		}
		pause(ctx, seconds)
		return 0
	case slices.Equal(kind, []string{"memory"}) && len(args) == 5:
		if err := release(ctx, args[1:]); err != nil {
			return 1
		}
		return 0
	}
	return exitUsage
}

func pause(ctx context.Context, seconds float64) {
	timer := time.NewTimer(time.Duration(seconds * float64(time.Second)))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// release waits until the parent is gone and a time more, and gives the memory back.
func release(ctx context.Context, args []string) error {
	seconds, err1 := strconv.ParseFloat(args[0], 64)
	mib, err2 := strconv.ParseFloat(args[2], 64)
	pid, err3 := strconv.Atoi(args[3])
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	for os.Getppid() == pid && ctx.Err() == nil {
		pause(ctx, 0.02)
	}
	pause(ctx, seconds)
	return changeSMI(args[1], pid, -mib)
}
