package proc

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Process is a process that was started here.
type Process struct {
	id       Identity
	done     chan struct{}
	exit     atomic.Pointer[Exit]
	left     *family    // what there was when it ended; nil if that could not be told
	stopping sync.Mutex // held by Stop
}

// Start starts a process in a session of its own, with the nonce in its environment and
// nothing on standard input.
func Start(s Spec) (*Process, error) {
	if len(s.Words) == 0 || s.Words[0] == "" {
		return nil, errors.New("there is no command to start")
	}
	if s.Nonce == "" {
		return nil, fmt.Errorf("cannot start %s without a nonce: it could not be found again", s.Words[0])
	}
	mark := nextMark()
	env := environment(s, mark)
	file, err := findProgram(s.Words[0], env["PATH"], s.Dir)
	if err != nil {
		return nil, err
	}
	if s.Dir != "" {
		if err := isFolder(s.Dir); err != nil {
			return nil, err
		}
	}
	out, err := openOutput(s.Stdout, s.Stderr)
	if err != nil {
		return nil, err
	}
	defer out.close() // the child has its own copies
	cmd := &exec.Cmd{
		Path: file, Args: s.Words, Dir: s.Dir, Env: assignments(env),
		SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	out.attach(cmd)
	if err := cmd.Start(); err != nil {
		return nil, explainStart(file, err)
	}
	p := &Process{done: make(chan struct{})}
	// Nobody has waited for it, so that its number is its own even if it is dead by now.
	st, _ := readState(cmd.Process.Pid)
	p.id = Identity{PID: cmd.Process.Pid, StartTime: st.start, Boot: bootID(), Nonce: s.Nonce, Mark: mark, Words: slices.Clone(s.Words)}
	go p.wait(cmd)
	return p, nil
}

// wait takes the exit state as soon as there is one, which nobody else may do. Between the
// end and the taking the process keeps its number, and so its session: whoever is in that
// session now belongs to it, which nobody could be sure of later.
func (p *Process) wait(cmd *exec.Cmd) {
	awaitEnd(p.id.PID)
	if f := p.family(); f.grow() == nil {
		p.left = f
	}
	err := cmd.Wait()
	exit := exitOf(cmd.ProcessState, err)
	p.exit.Store(&exit)
	close(p.done)
}

// Identity returns what the process can be found again by. Write it to a file before
// anything else happens: a runner that is killed can end what it started only by that.
func (p *Process) Identity() Identity { return p.id }

// Done is closed when the process has ended. Its children may go on.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit returns how the process ended; before Done it says that it runs.
func (p *Process) Exit() Exit {
	if e := p.exit.Load(); e != nil {
		return *e
	}
	return Exit{Code: -1, Text: "still running"}
}

// awaitEnd returns when a child has ended, and leaves its exit state where it is.
func awaitEnd(pid int) {
	const byPID = 1 // P_PID of waitid
	for {
		_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, byPID, uintptr(pid), 0, syscall.WEXITED|syscall.WNOWAIT, 0, 0)
		if errno != syscall.EINTR {
			return
		}
	}
}

// exitOf puts an exit state in words.
func exitOf(s *os.ProcessState, err error) Exit {
	if s == nil {
		return Exit{Code: -1, Text: fmt.Sprintf("its end was missed: %v", err)}
	}
	ws, ok := s.Sys().(syscall.WaitStatus)
	if !ok || !ws.Signaled() {
		return Exit{Code: s.ExitCode(), Text: fmt.Sprintf("exit code %d", s.ExitCode())}
	}
	e := Exit{Code: -1, Signal: ws.Signal(), Text: fmt.Sprintf("signal %d (%v)", int(ws.Signal()), ws.Signal())}
	if ws.CoreDump() {
		e.Text += ", with a core dump"
	}
	return e
}

// environment is the inherited one with what the process is to have besides.
func environment(s Spec, mark string) map[string]string {
	env := map[string]string{}
	for _, entry := range os.Environ() {
		if name, value, ok := strings.Cut(entry, "="); ok {
			env[name] = value
		}
	}
	maps.Copy(env, s.Env)
	env[NonceVar], env[markVar] = s.Nonce, mark
	return env
}

// assignments prints an environment in a fixed order.
func assignments(env map[string]string) []string {
	list := make([]string, 0, len(env))
	for _, name := range slices.Sorted(maps.Keys(env)) {
		list = append(list, name+"="+env[name])
	}
	return list
}

// nextMark makes the mark of a start: that of this process, if it has one, then who
// started it and when.
func nextMark() string {
	return os.Getenv(markVar) + "/" + starter() + "." + strconv.FormatInt(time.Now().UnixNano(), 36)
}

// starter is this process in a mark.
func starter() string {
	self, _ := readState(os.Getpid())
	return fmt.Sprintf("%d-%d", self.pid, self.start)
}

// startedHere reports whether a mark is that of a start by this very process, which waits
// for it and must not be forestalled.
func startedHere(mark string) bool {
	return strings.HasPrefix(mark[strings.LastIndexByte(mark, '/')+1:], starter()+".")
}

// isFolder says in words why a working folder cannot be one.
func isFolder(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("cannot start in that folder: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("cannot start in %s: it is no folder", dir)
	}
	return nil
}
