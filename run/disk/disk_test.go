package disk_test

import (
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/run/disk"
)

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func TestAFileIsReplacedWhole(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "a.json")
	// What a crash has left is in nobody's way.
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".a.json.part"), []byte("half of a much longer te"), 0o600))
	require.NoError(t, disk.WriteJSON(name, map[string]int{"a": 1}))
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, "{\n  \"a\": 1\n}\n", string(data))
	require.NoError(t, disk.Write(name, []byte("b")))
	data, err = os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, "b", string(data))
	require.Equal(t, []string{"a.json"}, names(t, dir))
}

func TestAFailedWriteLeavesTheOldFileAndNothingElse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.ErrorContains(t, disk.WriteJSON(filepath.Join(dir, "f"), func() {}), "f cannot be written as JSON")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "taken", "below"), 0o755))
	require.ErrorContains(t, disk.Write(filepath.Join(dir, "taken"), []byte("x")), "taken cannot be written")
	require.Error(t, disk.Write(filepath.Join(dir, "no", "folder"), nil))
	require.Equal(t, []string{"taken"}, names(t, dir))
}

func needsLocks(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("there are no such locks")
	}
}

// opened is the file of a lock.
func opened(t *testing.T, name string) *os.File {
	t.Helper()
	needsLocks(t)
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	require.NoError(t, err)
	return f
}

func TestALockIsHeldByOne(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "lock")
	first, second := opened(t, name), opened(t, name)
	require.NoError(t, disk.Lock(first))
	require.ErrorIs(t, disk.Lock(second), disk.ErrHeld)
	require.NoError(t, first.Close())
	require.NoError(t, disk.Lock(second))
	require.NoError(t, second.Close())
}

func TestAFileThatWasRemovedIsNoLock(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "lock")
	first, second := opened(t, name), opened(t, name)
	require.NoError(t, disk.Lock(first))
	require.NoError(t, disk.Unlock(first))
	require.Empty(t, names(t, dir))
	require.ErrorIs(t, disk.Lock(second), disk.ErrRemoved)
	third := opened(t, name)
	require.NoError(t, disk.Lock(third))
	require.ErrorIs(t, disk.Lock(second), disk.ErrRemoved, "a new file of this name is another one")
	require.NoError(t, disk.Unlock(second))
	require.Equal(t, []string{"lock"}, names(t, dir), "that of the third stays")
	require.NoError(t, disk.Unlock(third))
}

// TestNeverTwoHoldALock although each removes its file: some open it before that, and lock
// what has no name any more.
func TestNeverTwoHoldALock(t *testing.T) {
	t.Parallel()
	needsLocks(t)
	dir := t.TempDir()
	name := filepath.Join(dir, "lock")
	var in, times, twice atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for times.Load() < 500 {
				f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
				if err != nil || disk.Lock(f) != nil {
					f.Close()
					continue
				}
				if in.Add(1) > 1 {
					twice.Add(1)
				}
				times.Add(1)
				runtime.Gosched()
				in.Add(-1)
				_ = disk.Unlock(f)
			}
		})
	}
	all.Wait()
	require.Zero(t, twice.Load(), "of %d times", times.Load())
	require.Empty(t, names(t, dir))
}
