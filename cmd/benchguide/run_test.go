package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestRunScripts runs one script for each behaviour of run and plan, on a copy of the
// small study.
func TestRunScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/run",
		UpdateScripts: os.Getenv("UPDATE") != "",
		Setup: func(e *testscript.Env) error {
			small := filepath.Join(e.WorkDir, "small")
			data, err := os.ReadFile("../../testdata/small/study.yaml")
			if err != nil {
				return err
			}
			if err := os.MkdirAll(small, 0o755); err != nil {
				return err
			}
			program, err := exec.LookPath("benchguide")
			if err != nil {
				return err
			}
			e.Setenv("BENCHGUIDE", program)
			return os.WriteFile(filepath.Join(small, "study.yaml"), data, 0o644)
		},
	})
}
