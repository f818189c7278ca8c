package proc_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/run/proc"
)

func TestLogTail(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, log string
		n         int
		want      []string
	}{
		{"the last lines", "a\nb\nc\n", 2, []string{"b", "c"}},
		{"fewer than asked for", "a\n", 5, []string{"a"}},
		{"a half line counts", "a\nb", 1, []string{"b"}},
		{"empty lines do not", "a\n\n \n\nb\n\n", 2, []string{"a", "b"}},
		{"a bar is what was drawn last", "a\n 10%\r 50%\r100%\r\nb\n", 2, []string{"100%", "b"}},
		{"a bar under way", "a\n 10%\r 50%\r", 1, []string{" 50%"}},
		{"an empty log", "", 3, nil},
		{"none asked for", "a\n", 0, nil},
		{"a log larger than what is read", "first\n" + strings.Repeat("0123456789abcde\n", 1<<17), 1 << 18, slices.Repeat([]string{"0123456789abcde"}, 1<<16-1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "log")
			require.NoError(t, os.WriteFile(file, []byte(c.log), 0o644))
			got, err := proc.LogTail(file, c.n)
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(c.want, got, equateEmpty()))
		})
	}
}

// equateEmpty lets no lines be nil or not, which nobody can tell apart.
func equateEmpty() cmp.Option {
	return cmp.FilterValues(func(a, b []string) bool { return len(a) == 0 && len(b) == 0 }, cmp.Ignore())
}

func TestLogTailOfNoFile(t *testing.T) {
	t.Parallel()
	_, err := proc.LogTail(filepath.Join(t.TempDir(), "none"), 3)
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// followed collects the lines of a file.
type followed struct {
	sync.Mutex
	lines []string
}

func (f *followed) take(line []byte) {
	f.Lock()
	defer f.Unlock()
	f.lines = append(f.lines, string(line))
}

// await waits for lines.
func (f *followed) await(t *testing.T, want ...string) {
	t.Helper()
	require.Eventually(t, func() bool {
		f.Lock()
		defer f.Unlock()
		return slices.Equal(f.lines, want)
	}, 30*time.Second, 5*time.Millisecond, "want %q, got %q", want, f.lines)
}

// write appends to a file.
func write(t *testing.T, file, text string) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	require.NoError(t, err)
	_, err = f.WriteString(text)
	require.NoError(t, err)
	require.NoError(t, f.Close())
}

func TestFollow(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "log")
	var got followed
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- proc.Follow(ctx, file, got.take) }()

	write(t, file, "one\ntw") // the file was not there when it began
	got.await(t, "one")
	write(t, file, "o\r\n\n10%\r20")
	got.await(t, "one", "two", "10%")
	write(t, file, "%\r")
	got.await(t, "one", "two", "10%", "20%")
	require.NoError(t, os.Truncate(file, 0))
	write(t, file, "anew\n")
	got.await(t, "one", "two", "10%", "20%", "anew")
	write(t, file, "last\nhalf")
	cancel()
	require.NoError(t, <-ended)
	got.await(t, "one", "two", "10%", "20%", "anew", "last", "half")
}

func TestFollowEndsWithoutAFile(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, proc.Follow(ctx, filepath.Join(t.TempDir(), "none"), func([]byte) { t.Error("a line of no file") }))
}

func TestFollowSaysWhatItCannotRead(t *testing.T) {
	t.Parallel()
	require.ErrorContains(t, proc.Follow(t.Context(), t.TempDir(), func([]byte) {}), "cannot follow the log")
}

// A line without an end must not fill the memory.
func TestFollowHandsOnAnEndlessLine(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "log")
	write(t, file, strings.Repeat("x", 3<<20))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var got followed
	require.NoError(t, proc.Follow(ctx, file, got.take))
	require.Greater(t, len(got.lines), 1)
	require.Len(t, strings.Join(got.lines, ""), 3<<20)
}
