package attempt_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"benchguide/run/fake/smi"
)

// program is benchguide itself: the fake engine and our own client are parts of it, and
// are run as the processes that they are in earnest.
var program string

// TestMain lets the test binary play nvidia-smi as well.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "nvidia-smi" {
		os.Exit(smi.Main(os.Args[2:], os.Stdout, os.Stderr))
	}
	os.Exit(withProgram(m))
}

func withProgram(m *testing.M) int {
	dir, err := os.MkdirTemp("", "attempt-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "benchguide")
	build := exec.Command("go", "build", "-o", program, "benchguide/cmd/benchguide")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building benchguide: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}
