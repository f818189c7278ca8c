//go:build linux

package proc_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"benchguide/run/proc"
)

// deadRunner starts a runner that starts a command, kills the runner as kill -9 does, and
// returns what the runner wrote down of the command and the identity of what is left. The
// command is that of a helper, whose file is added.
func deadRunner(t *testing.T, nonce string, command []string) (kept, left proc.Identity) {
	t.Helper()
	dir := t.TempDir()
	w := append(words("runner", nonce), append(command, filepath.Join(dir, "server"))...)
	runner := exec.Command(w[0], w[1:]...)
	require.NoError(t, runner.Start())
	left = identity(t, awaitPID(t, filepath.Join(dir, "server")))
	t.Cleanup(func() { _ = proc.End(t.Context(), "", []proc.Identity{left}, proc.Ladder{}) })
	require.Eventually(t, func() bool {
		data, err := os.ReadFile(filepath.Join(dir, "runner"))
		return err == nil && json.Unmarshal(data, &kept) == nil
	}, 30*time.Second, time.Millisecond)
	require.NoError(t, runner.Process.Signal(syscall.SIGKILL))
	_ = runner.Wait()
	require.True(t, proc.Alive(left))
	return kept, left
}

func TestALeftoverIsFoundByItsNonce(t *testing.T) {
	t.Parallel()
	n := nonce(t)
	_, id := deadRunner(t, n, words("stubborn"))
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
	kept, id := deadRunner(t, n, words("clobber"))
	found, err := proc.Leftovers(n)
	require.NoError(t, err)
	require.Empty(t, found, "its environment is gone")
	require.Equal(t, id.StartTime, kept.StartTime)
	require.NoError(t, proc.End(t.Context(), n, []proc.Identity{kept}, quick()))
	require.False(t, proc.Alive(id))
}

// The runner and the server are dead, and a worker is left in the server's session. Nobody
// can be sure that the number of the session is still the server's: a worker that has
// overwritten its environment counts as one, and one that shows another environment may be
// somebody's daemon.
func TestALeftoverIsFoundByItsSession(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		worker []string
		found  bool
	}{
		"overwritten": {words("clobber"), true},
		"another":     {append([]string{"/usr/bin/env", "-i", "HOME=/"}, words("stubborn")...), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := nonce(t)
			kept, id := deadRunner(t, n, shell(c.worker))
			require.NotEqual(t, kept.PID, id.PID)
			require.NoError(t, syscall.Kill(kept.PID, syscall.SIGKILL))
			_, err := syscall.Wait4(kept.PID, nil, 0, nil) // it became ours; a zombie would keep the number
			require.NoError(t, err)
			require.NoError(t, proc.End(t.Context(), n, []proc.Identity{kept}, quick()))
			require.Equal(t, !c.found, proc.Alive(id))
		})
	}
}

func TestLeftoversGetTheirGrace(t *testing.T) {
	t.Parallel()
	n := nonce(t)
	_, id := deadRunner(t, n, words("polite"))
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

// TestNobodyEndsThoseBesideIt makes the test above in a session that its parent leads, as a
// terminal's shell does, or a make that was started by setsid.
func TestNobodyEndsThoseBesideIt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	beside, code := filepath.Join(dir, "beside"), filepath.Join(dir, "code")
	self, err := os.Executable()
	require.NoError(t, err)
	script := `"$0" helper stubborn "$1" & until test -s "$1"; do sleep 0.01; done
		"$0" -test.run '^TestNobodyEndsItself$' >/dev/null; echo $? >"$2.new"; mv "$2.new" "$2"; wait`
	start(t, proc.Spec{Words: []string{"/bin/sh", "-c", script, self, beside, code}})
	id := identity(t, awaitPID(t, beside))
	require.Eventually(t, func() bool { _, err := os.Stat(code); return err == nil }, 60*time.Second, 5*time.Millisecond)
	got, err := os.ReadFile(code)
	require.NoError(t, err)
	require.Equal(t, "0\n", string(got))
	require.True(t, proc.Alive(id))
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
