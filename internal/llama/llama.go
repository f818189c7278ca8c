// Package llama finds the real inference server that tests run against: llama.cpp's, as
// tools/llama-up has brought it.
package llama

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// Up returns the folder with the server and a model, and the server's build. Where there is
// none a test is skipped, saying what is left out; continuous integration has to have it.
func Up(t *testing.T, leftOut string) (dir, build string) {
	t.Helper()
	dir = cmp.Or(os.Getenv("LLAMA_UP_DIR"), "/var/tmp/llama-up")
	out, err := exec.Command(filepath.Join(dir, "bin", "llama-server"), "--version").CombinedOutput()
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("no llama.cpp server in %s (%v): continuous integration has to run this test; see tools/llama-up deps", dir, err)
		}
		t.Skipf("%s is left out: there is none in %s; tools/llama-up brings it", leftOut, dir)
	}
	found := regexp.MustCompile(`build (\d+), commit (\S+)\)`).FindStringSubmatch(string(out))
	require.NotNil(t, found, "%s", out)
	return dir, "b" + found[1] + "-" + found[2]
}
