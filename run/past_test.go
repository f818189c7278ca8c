package run_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/run"
	"benchguide/run/attempt"
	"benchguide/study"
)

// TestFailedAttemptsMayBePacked like the starts beside them: a run that was published is gone
// on with where it lies.
func TestFailedAttemptsMayBePacked(t *testing.T) {
	t.Parallel()
	d := &double{lost: func(n int) bool { return n == 2 }, fault: func(_ attempt.Order, n int) attempt.Result {
		if n == 4 {
			return attempt.Result{State: attempt.Failed, Class: study.FailFlaky, Reason: "it died"}
		}
		return attempt.Result{}
	}}
	out, err := run.Run(context.Background(), run.Options{Dir: place(t, quick())}, deps(d, nil))
	require.NoError(t, err)
	plain, err := run.ReadFailed(out.Dir)
	require.NoError(t, err)
	require.Len(t, plain, 2)
	files := glob(t, out.Dir, "*/*/failed-*/*.json")
	require.Len(t, files, 3, "what is known of the lost one, and of the other")
	for _, name := range files {
		pack(t, name)
	}
	packed, err := run.ReadFailed(out.Dir)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(plain, packed))
}

// pack does to a file what `gzip -n` does.
func pack(t *testing.T, name string) {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err = z.Write(text)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	require.NoError(t, os.WriteFile(name+study.PackedExt, b.Bytes(), 0o644))
	require.NoError(t, os.Remove(name))
}
