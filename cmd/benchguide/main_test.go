package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes the program a command of the scripts.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"benchguide": main})
}

// TestScripts runs one script for each behaviour of the command line. $OUTPUTS is
// the folder of real outputs.
func TestScripts(t *testing.T) {
	t.Parallel()
	outputs, err := filepath.Abs("../../testdata/parse")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: os.Getenv("UPDATE") != "",
		Setup: func(e *testscript.Env) error {
			e.Setenv("OUTPUTS", outputs)
			return nil
		},
	})
}
