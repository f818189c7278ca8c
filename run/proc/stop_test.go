//go:build linux

package proc_test

import (
	"context"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"benchguide/run/proc"
)

// quick is a ladder whose grace no test needs to wait for, and whose end none should reach.
func quick() proc.Ladder { return proc.Ladder{Grace: 50 * time.Millisecond, Kill: 30 * time.Second} }

func TestAPoliteProcessGetsItsGrace(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pid")
	p := start(t, proc.Spec{Words: words("polite", file)})
	awaitPID(t, file)
	require.NoError(t, p.Stop(t.Context(), proc.Ladder{Grace: time.Minute}))
	require.Equal(t, "exit code 0", p.Exit().Text)
}

func TestTheSignalIsTheLaddersOwn(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pid")
	p := start(t, proc.Spec{Words: words("polite", file)})
	awaitPID(t, file)
	require.NoError(t, p.Stop(t.Context(), proc.Ladder{Signal: syscall.SIGINT, Grace: time.Minute}))
	require.Equal(t, syscall.SIGINT, p.Exit().Signal)
}

func TestSIGTERMIgnoredEndsInSIGKILL(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pid")
	p := start(t, proc.Spec{Words: words("stubborn", file)})
	awaitPID(t, file)
	require.NoError(t, p.Stop(t.Context(), quick()))
	require.Equal(t, syscall.SIGKILL, p.Exit().Signal)
}

// A cancelled run must not leave a server behind, and must not wait for one either.
func TestTheEndOfTheContextCutsOnlyTheGrace(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pid")
	p := start(t, proc.Spec{Words: words("stubborn", file)})
	awaitPID(t, file)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, p.Stop(ctx, proc.Ladder{Grace: 24 * time.Hour}))
	require.Equal(t, syscall.SIGKILL, p.Exit().Signal)
}

// Each of these has a process left when the leader is gone, which no group or session of
// the leader's leads to.
func TestStopEndsWhatHasLeftTheGroup(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		args func(leader, orphan string) []string
	}{
		{"a child in its own session", func(l, o string) []string { return []string{"parent", l, "stubborn", o} }},
		{"an orphan from the start", func(l, o string) []string { return []string{"parent", l, "launcher", "stubborn", o} }},
		{"an overwritten environment", func(l, o string) []string { return []string{"parent", l, "clobber", o} }},
		{"an emptied environment", func(l, o string) []string { return []string{"clean-parent", l, "stubborn", o} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			leader, orphan := filepath.Join(t.TempDir(), "leader"), filepath.Join(t.TempDir(), "orphan")
			p := start(t, proc.Spec{Words: words(c.args(leader, orphan)...)})
			awaitPID(t, leader)
			pid := awaitPID(t, orphan)
			require.NoError(t, p.Stop(t.Context(), quick()))
			require.False(t, exists(pid), "it became our child and was not reaped")
			require.Equal(t, syscall.SIGTERM, p.Exit().Signal)
		})
	}
}

// The API server is killed for lack of memory; its workers hold the GPU.
func TestStopEndsWhatOutlivedItsLeader(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"stubborn", "clobber"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			leader, orphan := filepath.Join(dir, "leader"), filepath.Join(dir, "orphan")
			// bash starts it in its own session, so that a clobbered one can be known by that.
			p := start(t, proc.Spec{Words: []string{"/bin/sh", "-c", `"$@" & echo $$ > "$0.new"; mv "$0.new" "$0"; wait`, leader,
				words()[0], "helper", mode, orphan}})
			pid := awaitPID(t, orphan)
			require.NoError(t, syscall.Kill(p.Identity().PID, syscall.SIGKILL))
			<-p.Done()
			require.True(t, proc.Alive(identity(t, pid)))
			require.NoError(t, p.Stop(t.Context(), quick()))
			require.False(t, exists(pid))
		})
	}
}

// An attempt's client is stopped while its server, with the same nonce, goes on.
func TestStopLeavesOthersOfTheAttempt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	one, other := filepath.Join(dir, "one"), filepath.Join(dir, "other")
	client := start(t, proc.Spec{Words: words("stubborn", one), Nonce: "shared-" + nonce(t)})
	server := start(t, proc.Spec{Words: words("stubborn", other), Nonce: client.Identity().Nonce})
	awaitPID(t, one)
	awaitPID(t, other)
	require.NoError(t, client.Stop(t.Context(), quick()))
	require.False(t, proc.Alive(client.Identity()))
	require.True(t, proc.Alive(server.Identity()))
}

func TestStoppingTwiceIsNoError(t *testing.T) {
	t.Parallel()
	p := start(t, proc.Spec{Words: words("exit", "4")})
	<-p.Done()
	require.NoError(t, p.Stop(t.Context(), quick()))
	require.NoError(t, p.Stop(t.Context(), quick()))
	require.Equal(t, 4, p.Exit().Code)
}

func TestAZombieCountsAsGone(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(words()[0], "helper", "exit", "0") // not waited for until the end
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Wait() })
	id := identity(t, cmd.Process.Pid)
	require.Eventually(t, func() bool { return letter(t, id.PID) == "Z" }, 30*time.Second, time.Millisecond)
	require.False(t, proc.Alive(id))
	require.NoError(t, proc.End(t.Context(), "", []proc.Identity{id}, quick()))
}

// A parent that reaps nothing leaves zombies to whoever takes it on. They must not keep
// Stop waiting.
func TestAZombieChildDoesNotHinderStop(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pid")
	p := start(t, proc.Spec{Words: words("zombie", file)})
	awaitPID(t, file)
	require.NoError(t, p.Stop(t.Context(), quick()))
	left, err := proc.Leftovers(p.Identity().Nonce)
	require.NoError(t, err)
	require.Empty(t, left)
}

// Reaping takes only what was found: the exit states of processes that others wait for
// stay theirs, also when such a process has the nonce of an attempt that is ended.
func TestReapingStealsNoExitState(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pid")
	p := start(t, proc.Spec{Words: words("stubborn", file)})
	awaitPID(t, file)
	other := exec.Command(words()[0], "helper", "exit", "7")
	require.NoError(t, other.Start())
	require.NoError(t, proc.End(t.Context(), p.Identity().Nonce, nil, quick()))
	<-p.Done()
	require.Equal(t, syscall.SIGKILL, p.Exit().Signal)
	var exit *exec.ExitError
	require.ErrorAs(t, other.Wait(), &exit)
	require.Equal(t, 7, exit.ExitCode())
}
