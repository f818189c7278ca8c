//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	runner "benchguide/run"
)

// How many blows a soak deals, and with which seed it draws them. `make soak` sets both.
const (
	blowsVar = "BENCHGUIDE_SOAK"
	seedVar  = "BENCHGUIDE_SOAK_SEED"
)

// fewBlows are enough to meet every kind of them once, and quick enough for every test run.
const fewBlows = 8

// TestAKilledRehearsalEndsAsAnUndisturbedOne ends the real program at random moments, as
// often as it is told to, and goes on each time with --resume. What it has measured in the
// end is what a run has that nobody disturbed, and nothing is left over.
func TestAKilledRehearsalEndsAsAnUndisturbedOne(t *testing.T) {
	t.Parallel()
	want := newSoak(t, nil)
	want.finish()

	blows, random := fewBlows, rand.New(rand.NewPCG(number(t, seedVar, 1), 1))
	blows = int(number(t, blowsVar, uint64(blows)))
	tried, kinds, rounds := 0, map[string]int{}, 0
	for ; tried < blows; rounds++ {
		s := newSoak(t, random)
		// One that comes too late counts as well, or a soak might never end.
		for hit := true; hit && tried < blows; tried++ {
			if hit = s.blow(kindOf(tried)); hit {
				kinds[kindOf(tried)]++
			}
		}
		s.finish()
		require.Empty(t, cmp.Diff(want.decided(), s.decided()))
		require.Empty(t, cmp.Diff(want.results(), s.results()))
	}
	t.Logf("%d blows at %d runs, of which hit: %v", tried, rounds, kinds)
}

// number reads a number from the environment.
func number(t *testing.T, name string, otherwise uint64) uint64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 32)
	require.NoError(t, err, name)
	return n
}

// Kinds of blows.
const (
	runnerOnly = "kill -9 of the runner"
	everything = "kill -9 of everything"
	recovering = "kill -9 while it recovers"
	terminated = "SIGTERM"
	hungUp     = "SIGHUP"
	twice      = "SIGTERM twice"
)

// kindOf takes the kinds in turn, the hardest most often.
func kindOf(n int) string {
	kind := []string{runnerOnly, recovering, everything, terminated, runnerOnly, recovering, hungUp, twice}[n%8]
	if kind == hungUp && signal.Ignored(syscall.SIGHUP) {
		return terminated // these tests were started by nohup, which the program keeps to
	}
	return kind
}

// soak is one run of the small study.
type soak struct {
	t      *testing.T
	random *rand.Rand
	dir    string            // in which the study lies
	mark   string            // in the environment of everything that the run starts
	seen   map[string]string // of each file of a finished start: what changes when it is written again
	polite int               // blows that end an attempt in order
}

func newSoak(t *testing.T, random *rand.Rand) *soak {
	t.Helper()
	s := &soak{t: t, random: random, dir: t.TempDir(), seen: map[string]string{}}
	s.mark = "BENCHGUIDE_SOAKED=" + s.dir
	data, err := os.ReadFile("../../testdata/small/study.yaml")
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(s.dir, "small"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "small", "study.yaml"), data, 0o644))
	t.Cleanup(s.killAll) // of a test that fails
	return s
}

func (s *soak) run() string { return filepath.Join(s.dir, "small", "runs", "rehearsal") }

// program is the command that begins the run, or goes on with it.
func (s *soak) program(words ...string) (*exec.Cmd, *bytes.Buffer) {
	if len(words) == 0 {
		words = []string{"run", "small", "--rehearse"}
		if _, err := os.Stat(s.run()); err == nil {
			words = append(words, "--resume")
		}
	}
	cmd := exec.Command("benchguide", words...)
	cmd.Dir, cmd.Env = s.dir, append(os.Environ(), s.mark)
	var said bytes.Buffer
	cmd.Stdout = &said
	return cmd, &said
}

// blow starts the program and ends it. It returns false if the run was done before.
func (s *soak) blow(kind string) bool {
	cmd, _ := s.program()
	says := &listener{first: make(chan struct{})}
	cmd.Stderr = says
	require.NoError(s.t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()

	most := 700 * time.Millisecond
	switch kind {
	case recovering: // what goes on before the first new start takes no longer
		most = 150 * time.Millisecond
	case terminated, hungUp, twice: // before it says something it may be no program yet that hears a signal
		select {
		case <-says.first:
		case err := <-ended:
			ended <- err
		}
	}
	select {
	case err := <-ended:
		s.done(err, says)
		return false
	case <-time.After(time.Duration(s.random.Int64N(int64(most)))):
	}
	s.strike(cmd.Process, kind)
	select {
	case err := <-ended:
		return s.after(kind, err, says)
	case <-time.After(time.Minute):
		s.t.Fatalf("%s: it does not end\n%s", kind, says)
		return false
	}
}

func (s *soak) strike(p *os.Process, kind string) {
	signals := map[string][]os.Signal{terminated: {syscall.SIGTERM}, hungUp: {syscall.SIGHUP}, twice: {syscall.SIGTERM, syscall.SIGTERM}}[kind]
	if signals == nil {
		_ = p.Kill() // it may have ended just now, here and below
	}
	for i, signal := range signals {
		if i > 0 {
			time.Sleep(time.Duration(s.random.Int64N(int64(50 * time.Millisecond))))
		}
		_ = p.Signal(signal)
	}
	if kind == everything {
		s.killAll()
	}
}

// after holds what a blow has left against what it may leave. It returns false if the
// run was done before it.
func (s *soak) after(kind string, err error, says fmt.Stringer) bool {
	var exit *exec.ExitError
	switch {
	case err == nil:
		s.done(nil, says)
		return false
	case !errors.As(err, &exit):
		s.t.Fatal(err)
	case kind == terminated || kind == hungUp:
		s.polite++
		require.Equal(s.t, exitInterrupted, exit.ExitCode(), says)
		require.Empty(s.t, s.processes(), "it ends what it has started")
	case kind == twice:
		s.polite++
	}
	s.requireUntouched()
	_, problems, err := runner.Load(filepath.Join(s.dir, "small"))
	require.NoError(s.t, err)
	require.Empty(s.t, problems, "a study can be read whatever moment the run was ended at")
	return true
}

// finish goes on until the run is done.
func (s *soak) finish() {
	cmd, _ := s.program()
	var says bytes.Buffer
	cmd.Stderr = &says
	s.done(cmd.Run(), &says)
}

// done is how a run ends. One that was ended in its very last moment has nothing to go on with.
func (s *soak) done(err error, says fmt.Stringer) {
	s.t.Helper()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == exitBadInput {
		require.Contains(s.t, says.String(), "there is no unfinished run", says)
	} else {
		require.NoError(s.t, err, says)
	}
	require.Empty(s.t, s.processes(), "a process is left over")
	require.NoDirExists(s.t, filepath.Join(s.run(), ".work"))
	s.requireUntouched()
}

// requireUntouched proves that no file of a finished start was written again.
func (s *soak) requireUntouched() {
	s.t.Helper()
	now := map[string]string{}
	err := filepath.WalkDir(s.run(), func(name string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) || err == nil && e.Name() == ".work" {
			return fs.SkipDir
		}
		if err != nil || e.IsDir() || !strings.Contains(name, "/start-") {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		now[name] = fmt.Sprintf("inode %d, %v, %d bytes", info.Sys().(*syscall.Stat_t).Ino, info.ModTime(), info.Size())
		return nil
	})
	require.NoError(s.t, err)
	for name, before := range s.seen {
		require.Equal(s.t, before, now[name], name)
	}
	s.seen = now
}

// decided is what the run has come to, in the words of plan.
func (s *soak) decided() string {
	cmd, said := s.program("plan", "small", "--rehearse")
	require.NoError(s.t, cmd.Run())
	require.Contains(s.t, said.String(), "run rehearsal is done, 22 starts")
	return said.String()
}

// processes are those that the run has started and that live.
func (s *soak) processes() map[int]string {
	found := map[int]string{}
	all, err := filepath.Glob("/proc/[0-9]*/environ")
	require.NoError(s.t, err)
	for _, name := range all {
		env, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(env, []byte(s.mark)) {
			continue // it has ended, or is somebody else's
		}
		pid, err := strconv.Atoi(strings.Split(name, "/")[2])
		require.NoError(s.t, err)
		words, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		found[pid] = strings.ReplaceAll(string(words), "\x00", " ")
	}
	return found
}

// killAll ends everything that carries the mark, as a machine does that is switched off.
func (s *soak) killAll() {
	for pid := range s.processes() {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// listener keeps what a program says, and tells when it says something.
type listener struct {
	said  bytes.Buffer
	first chan struct{}
}

func (l *listener) Write(p []byte) (int, error) {
	if l.said.Len() == 0 {
		close(l.first)
	}
	return l.said.Write(p)
}

func (l *listener) String() string { return l.said.String() }
