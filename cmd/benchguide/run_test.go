package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"benchguide/run/machine"
)

// TestRunScripts runs one script for each behaviour of run and plan, on a copy of the
// small study.
func TestRunScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/run",
		UpdateScripts: os.Getenv("UPDATE") != "",
		Cmds:          map[string]func(*testscript.TestScript, bool, []string){"occupy": occupy},
		Condition: func(name string) (bool, error) {
			if name != "tmpfs" {
				return false, fmt.Errorf("there is no condition %s", name)
			}
			return exec.Command("unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt").Run() == nil, nil
		},
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
			port, err := freePort()
			if err != nil {
				return err
			}
			e.Setenv("FREE_PORT", port)
			return os.WriteFile(filepath.Join(small, "study.yaml"), data, 0o644)
		},
	})
}

// occupy listens on a range of ports until the script is over, and names it in PORTS. It is
// one as small as a machine.yaml may state.
func occupy(ts *testscript.TestScript, _ bool, _ []string) {
	for first := 12000; first < 19000; first += machine.PortStep {
		var listeners []net.Listener
		for port := first; port < first+machine.PortStep; port++ {
			l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
			if err != nil {
				break
			}
			listeners = append(listeners, l)
			ts.Defer(func() { _ = l.Close() })
		}
		if len(listeners) == machine.PortStep {
			ts.Setenv("PORTS", fmt.Sprintf("%d-%d", first, first+machine.PortStep-1))
			return
		}
	}
	ts.Fatalf("no %d ports beside each other are free", machine.PortStep)
}
