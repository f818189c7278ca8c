package main

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"benchguide/run/fake/smi"
	"benchguide/study/studytest"
)

// TestMain makes the program a command of the scripts.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"benchguide": main, "vllm": stubVLLM,
		"nvidia-smi": func() { os.Exit(smi.Main(os.Args[1:], os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs one script for each behaviour of the command line. $OUTPUTS is
// the folder of real outputs; content, in the script's own folder, is a small site.
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
			port, err := freePort()
			if err != nil {
				return err
			}
			e.Setenv("FREE_PORT", port)
			return writeContent(e.WorkDir)
		},
	})
}

// freePort is a port on which nothing listens.
func freePort() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	return port, errors.Join(err, listener.Close())
}

// writeContent writes a content folder with one small study.
func writeContent(dir string) error {
	tp := studytest.Throughput
	p := studytest.Simple(tp(1000), tp(1100), tp(1200))
	p.Cases = []studytest.Case{{Workload: "main", Baseline: tp(1000), Optimized: tp(1201)}}
	p.YAML = "notes:\n  - id: age\n    title: {zh: 版本, en: Versions}\n    text: {zh: 会变, en: They change}\n"
	for name, file := range p.FS() {
		target := filepath.Join(dir, "content", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(target, file.Data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
