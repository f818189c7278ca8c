package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/internal/llama"
)

// TestAStudyWithARealServer carries a small study out with llama.cpp's server and real
// weights, and builds its guide. What it measures on a machine that runs other tests is
// worth nothing, so that nothing is asked of the numbers, nor of the verdict: starts in
// which the client was kept waiting are measured and not used. It runs beside no other
// test of this package, so that there are few of them.
func TestAStudyWithARealServer(t *testing.T) {
	_, build := llama.Up(t, "a study with a real server")
	content := t.TempDir()
	folder := filepath.Join(content, "studies", "llama")
	require.NoError(t, os.CopyFS(folder, os.DirFS("../../testdata/llama")))
	site, err := os.ReadFile("../../content/site.yaml")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(content, "site.yaml"), site, 0o644))
	// The server comes from a distribution that moves on: the study asks for what is there.
	study := filepath.Join(folder, "study.yaml")
	text, err := os.ReadFile(study)
	require.NoError(t, err)
	text = regexp.MustCompile(`b\d+-Debian`).ReplaceAll(text, []byte(build))
	require.NoError(t, os.WriteFile(study, text, 0o644))
	profile, err := exec.Command("../../tools/llama-up", "machine").Output()
	require.NoError(t, err)
	machine := filepath.Join(t.TempDir(), "machine.yaml")
	require.NoError(t, os.WriteFile(machine, append(profile, "ports: 20000-20999\n"...), 0o644))

	said, ok := command(t, "run", folder, "--machine", machine, "--name", "real")
	if !ok {
		// On a machine as busy as this the client cannot measure, and the run has to say so.
		require.Contains(t, said, "3 starts in a row are invalid")
		t.Log("this machine was too busy to measure anything; the run said so and stopped")
		return
	}
	require.Contains(t, said, "Run real is done after")
	starts, err := filepath.Glob(filepath.Join(folder, "runs", "real", "speculation", "*", "start-*", "copy.txt"))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(starts), 4, said)
	accepted := 0
	for _, start := range starts {
		block, err := os.ReadFile(start)
		require.NoError(t, err)
		require.Regexp(t, `Successful requests: +4 `, string(block), start)
		if regexp.MustCompile(`Accepted tokens: +[1-9]`).Match(block) {
			accepted++
			require.Contains(t, start, "/ngram/", "nothing else speculates")
		}
	}
	require.Positive(t, accepted, "a text that is copied gives drafts, and the model accepts some")

	public := filepath.Join(t.TempDir(), "public")
	said, ok = command(t, "build", content, "--out", public)
	require.True(t, ok, said)
	guide, err := os.ReadFile(filepath.Join(public, "en", "llama", "guide.md"))
	require.NoError(t, err)
	require.Contains(t, string(guide), "1 Intel Xeon core")
}

// command runs the program and returns all that it printed, and whether it ended with 0.
func command(t *testing.T, args ...string) (string, bool) {
	t.Helper()
	var said bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "benchguide", args...)
	cmd.Stdout, cmd.Stderr = &said, &said
	err := cmd.Run()
	return strings.Join(args, " ") + "\n" + said.String(), err == nil
}
