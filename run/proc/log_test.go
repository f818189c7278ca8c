package proc_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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
