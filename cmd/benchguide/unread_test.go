package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestARunOutlivesItsReaders: whoever reads its events goes away in the middle of an attempt,
// and the run is carried out to its end, and says so once where somebody reads it.
func TestARunOutlivesItsReaders(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args []string
		pipe func(cmd *exec.Cmd, w *os.File)
		says string // on the stream that is read
	}{
		"events": {[]string{"--json-events"}, func(cmd *exec.Cmd, w *os.File) { cmd.Stdout = w },
			"benchguide: nobody reads the standard output any more; the run goes on without it\n"},
		"lines": {nil, func(cmd *exec.Cmd, w *os.File) { cmd.Stderr = w }, "next: benchguide build"},
		"both":  {[]string{"--json-events"}, func(cmd *exec.Cmd, w *os.File) { cmd.Stdout, cmd.Stderr = w, w }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			misfortune{}.write(t, dir)
			r, w, err := os.Pipe()
			require.NoError(t, err)
			cmd := exec.Command("benchguide", append([]string{"run", "small", "--rehearse"}, c.args...)...)
			cmd.Dir = dir
			var said bytes.Buffer
			cmd.Stdout, cmd.Stderr = &said, &said
			c.pipe(cmd, w)
			require.NoError(t, cmd.Start())
			require.NoError(t, w.Close())
			lines := bufio.NewReader(r)
			for range 2 {
				_, err := lines.ReadString('\n')
				require.NoError(t, err)
			}
			require.NoError(t, r.Close())
			require.NoError(t, cmd.Wait(), said.String())
			require.Contains(t, said.String(), c.says)
			require.LessOrEqual(t, strings.Count(said.String(), "nobody reads"), 1)
			require.FileExists(t, filepath.Join(dir, "small", "runs", "rehearsal", "weights", "eager", "start-3", "result.json"))
			require.NoDirExists(t, filepath.Join(dir, "small", "runs", "rehearsal", ".work"))
		})
	}
}
