package proc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
)

// Stop ends the process and all that came of it. The leader gets the signal, so that it
// can tidy up; what is left after the grace gets SIGKILL, first the leader's group and then
// every process that was found, until none is left or Ladder.Kill is over. The error then
// names what would not end.
//
// The end of ctx cuts the grace short and nothing else: a process that is left running
// spoils every measurement after it.
func (p *Process) Stop(ctx context.Context, l Ladder) error {
	p.stopping.Lock()
	defer p.stopping.Unlock()
	f := p.family()
	select {
	case <-p.done:
		if p.left != nil {
			f = p.left
		}
	default:
	}
	if err := f.end(ctx, l); err != nil {
		return err
	}
	<-p.done // it is gone, so that its exit state is there in a moment
	return nil
}

// family is what came of this start.
func (p *Process) family() *family {
	f := newFamily(byMark(p.id.Mark), []Identity{p.id})
	f.oldest = p.id.StartTime
	f.waited = func(pid int, _ member) bool { return pid == p.id.PID }
	return f
}

// Alive reports whether this very process is there, and not another one of its number.
func Alive(id Identity) bool {
	s, ok := readState(id.PID)
	return ok && !s.gone() && s.start == id.StartTime && id.Boot == bootID()
}

// Leftovers returns the processes of an attempt, whoever started them: those that carry
// its nonce, their descendants, and the members of their sessions. This process, its
// ancestors and its own helpers are not among them.
func Leftovers(nonce string) ([]Identity, error) {
	if nonce == "" {
		return nil, errors.New("cannot look for the processes of an attempt without its nonce")
	}
	f := newFamily(byNonce(nonce), nil)
	if err := f.grow(); err != nil {
		return nil, err
	}
	boot := bootID()
	var list []Identity
	for _, m := range f.alive() {
		list = append(list, Identity{PID: m.pid, StartTime: m.start, Boot: boot, Nonce: nonce, Mark: m.mark, Words: readWords(m.pid)})
	}
	return list, nil
}

// End ends what an earlier runner left of an attempt: the known processes as far as they
// are still the same, and everything that carries the nonce or belongs to one of both.
// An empty nonce means only the known ones.
func End(ctx context.Context, nonce string, known []Identity, l Ladder) error {
	f := newFamily(byNonce(nonce), known)
	f.waited = func(pid int, m member) bool { return m.session == pid && startedHere(m.mark) }
	return f.end(ctx, l)
}

// end climbs the ladder.
func (f *family) end(ctx context.Context, l Ladder) error {
	if err := f.grow(); err != nil {
		return err
	}
	heads := f.heads()
	for _, m := range heads {
		f.send(m, l.signal())
	}
	if len(heads) > 0 {
		gone, err := f.await(ctx, l.Grace, nil)
		if gone || err != nil {
			return err
		}
	}
	// Not ctx: see Stop.
	gone, err := f.await(context.WithoutCancel(ctx), l.kill(), f.killAll)
	if gone || err != nil {
		return err
	}
	return f.stubborn(l)
}

// await looks again and again until no member is alive, and does something each time that
// there is one. It waits a little longer each time, since a look costs some reading.
func (f *family) await(ctx context.Context, limit time.Duration, each func()) (bool, error) {
	deadline := time.NewTimer(limit)
	defer deadline.Stop()
	pause := 5 * time.Millisecond
	for last := false; ; {
		if err := f.grow(); err != nil {
			return false, err
		}
		f.reap()
		if len(f.alive()) == 0 {
			return true, nil
		}
		if last {
			return false, nil
		}
		if each != nil {
			each()
		}
		select {
		case <-ctx.Done():
			return false, nil
		case <-deadline.C:
			last = true // and look once more
		case <-time.After(pause):
		}
		pause = min(2*pause, 200*time.Millisecond)
	}
}

// killAll kills the groups that members lead, and then every member by itself. A group
// keeps its number as long as anybody is in it, so that the group is the one we know.
func (f *family) killAll() {
	alive := f.alive()
	for _, m := range alive {
		if m.group == m.pid {
			f.sendGroup(m)
		}
	}
	for _, m := range alive {
		f.send(m, syscall.SIGKILL)
	}
}

func (f *family) sendGroup(m member) {
	if s, ok := readState(m.pid); ok && s.start == m.start {
		_ = syscall.Kill(-m.pid, syscall.SIGKILL) // what is left of it is killed one by one
	}
}

// send signals a process and nobody else: the handle is taken first and the start time read
// after it, so that the handle is that of the process we know. What cannot be signalled is
// seen to be alive at the end.
func (f *family) send(m member, signal syscall.Signal) {
	handle, err := os.FindProcess(m.pid)
	if err != nil {
		return
	}
	defer handle.Release()
	if s, ok := readState(m.pid); ok && s.start == m.start {
		_ = handle.Signal(signal)
	}
}

// reap takes zombies that have become our children, one by one: waiting for any child
// would take the exit states that os/exec waits for.
func (f *family) reap() {
	for pid, m := range f.members {
		s, ok := f.now[pid]
		if !ok || s.start != m.start || !s.gone() || s.parent != os.Getpid() {
			continue
		}
		if f.waited == nil || f.waited(pid, m) {
			continue
		}
		_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
	}
}

// stubborn names what would not end.
func (f *family) stubborn(l Ladder) error {
	var names []string
	for _, m := range f.alive() {
		name := Identity{PID: m.pid, Words: readWords(m.pid)}.String()
		if m.letter == 'D' {
			name += ", which waits inside the kernel, as a rule for the GPU's driver"
		}
		names = append(names, name)
	}
	return fmt.Errorf("would not end %v after SIGKILL: %s; end it by hand or reboot the machine before anything is measured on it",
		l.kill(), strings.Join(names, "; "))
}
