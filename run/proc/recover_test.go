//go:build linux

package proc_test

import (
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"benchguide/run/proc"
)

// deadRunner starts a runner that starts a helper, kills the runner as kill -9 does, and
// returns the identity of what is left.
func deadRunner(t *testing.T, nonce, mode string) proc.Identity {
	t.Helper()
	dir := t.TempDir()
	w := words("runner", nonce, mode, filepath.Join(dir, "server"))
	runner := exec.Command(w[0], w[1:]...)
	require.NoError(t, runner.Start())
	awaitPID(t, filepath.Join(dir, "runner"))
	id := identity(t, awaitPID(t, filepath.Join(dir, "server")))
	t.Cleanup(func() { _ = proc.End(t.Context(), "", []proc.Identity{id}, proc.Ladder{}) })
	require.NoError(t, runner.Process.Signal(syscall.SIGKILL))
	_ = runner.Wait()
	require.True(t, proc.Alive(id))
	return id
}

func TestALeftoverIsFoundByItsNonce(t *testing.T) {
	t.Parallel()
	n := nonce(t)
	id := deadRunner(t, n, "stubborn")
	found, err := proc.Leftovers(n)
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Equal(t, id.PID, found[0].PID)
	require.Equal(t, id.StartTime, found[0].StartTime)
	require.Contains(t, found[0].String(), "helper stubborn")

	require.NoError(t, proc.End(t.Context(), n, nil, quick()))
	require.False(t, proc.Alive(id))
	found, err = proc.Leftovers(n)
	require.NoError(t, err)
	require.Empty(t, found)
}

func TestALeftoverIsFoundByItsIdentity(t *testing.T) {
	t.Parallel()
	n := nonce(t)
	id := deadRunner(t, n, "clobber")
	found, err := proc.Leftovers(n)
	require.NoError(t, err)
	require.Empty(t, found, "its environment is gone")
	require.NoError(t, proc.End(t.Context(), n, []proc.Identity{id}, quick()))
	require.False(t, proc.Alive(id))
}

func TestLeftoversGetTheirGrace(t *testing.T) {
	t.Parallel()
	n := nonce(t)
	id := deadRunner(t, n, "polite")
	require.NoError(t, proc.End(t.Context(), n, nil, proc.Ladder{Grace: time.Hour}))
	require.False(t, proc.Alive(id))
}

// Numbers come back: what has the number of a known process and not its start time, or was
// seen before the last boot, is somebody else's.
func TestAReusedNumberIsNobodyWeKnow(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pid")
	innocent := start(t, proc.Spec{Words: words("stubborn", file)})
	awaitPID(t, file)
	id := identity(t, innocent.Identity().PID)
	other, reboot := id, id
	other.StartTime--
	reboot.Boot = "00000000-0000-0000-0000-000000000000"
	for name, wrong := range map[string]proc.Identity{"start time": other, "boot": reboot} {
		require.False(t, proc.Alive(wrong), name)
		require.NoError(t, proc.End(t.Context(), "", []proc.Identity{wrong}, quick()), name)
		require.True(t, proc.Alive(id), name)
	}
}

// A nonce must not be a way to end ourselves, or the shell that we were started from.
func TestNobodyEndsItself(t *testing.T) {
	t.Parallel()
	for _, pid := range []int{syscall.Getpid(), syscall.Getppid()} {
		id := identity(t, pid)
		require.NoError(t, proc.End(t.Context(), "", []proc.Identity{id}, quick()))
		require.True(t, proc.Alive(id))
	}
}

func TestAnEmptyNonceFindsNothing(t *testing.T) {
	t.Parallel()
	_, err := proc.Leftovers("")
	require.ErrorContains(t, err, "without its nonce")
	require.NoError(t, proc.End(t.Context(), "", nil, quick()))
}

func TestTreeSumsUpWork(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	leader, worker := filepath.Join(dir, "leader"), filepath.Join(dir, "worker")
	p := start(t, proc.Spec{Words: words("parent", leader, "burn", worker)})
	awaitPID(t, leader)
	awaitPID(t, worker)
	require.Eventually(t, func() bool {
		tree, err := proc.Tree(p.Identity().Nonce, p.Identity())
		require.NoError(t, err)
		return tree.Processes == 2 && tree.CPU >= 100*time.Millisecond && tree.ReadBytes > 0
	}, 60*time.Second, 10*time.Millisecond)
	require.NoError(t, p.Stop(t.Context(), quick()))
	tree, err := proc.Tree(p.Identity().Nonce, p.Identity())
	require.NoError(t, err)
	require.Zero(t, tree)
}
