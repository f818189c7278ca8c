package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/study/studytest"
)

// TestRehearsedResultsStopABuild: results that no GPU made are published only when they
// were asked for, and then with their mark.
func TestRehearsedResultsStopABuild(t *testing.T) {
	t.Parallel()
	b := studytest.Winner()
	b.Mark = "rehearsed"
	content, out := t.TempDir(), filepath.Join(t.TempDir(), "public")
	for name, file := range b.FS() {
		target := filepath.Join(content, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(target), 0o755))
		require.NoError(t, os.WriteFile(target, file.Data, 0o644))
	}
	build := func(args ...string) (int, string) {
		var stdout, stderr bytes.Buffer
		code := run(context.Background(), append([]string{"build", content, "--out", out}, args...), strings.NewReader(""), &stdout, &stderr)
		return code, stderr.String()
	}
	code, said := build()
	require.Equal(t, exitFindings, code)
	require.Contains(t, said, "is rehearsed; build with --include-rehearsed")
	require.NoDirExists(t, out, "nothing is written")

	code, said = build("--include-rehearsed")
	require.Equal(t, exitOK, code, said)
	page, err := os.ReadFile(filepath.Join(out, "en", "small", "index.html"))
	require.NoError(t, err)
	require.Contains(t, string(page), "rehears")
}
