// Package tools_test holds the tests of what surrounds the code. They import the
// standard library only, so that they still run, and say what is wrong, when a
// changed go.mod keeps everything else from being built.
package tools_test

import (
	"bufio"
	"encoding/json"
	"go/version"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// newest is the newest Go that a dependency may ask for: the one that this project
// is built with. A module that wants a later one would make `go` fetch another
// toolchain, or stop where it may not.
const newest = "go1.26"

// module is a line of go.mod's requirements.
type module struct {
	Path, Version string
	Indirect      bool
}

func TestGoModHoldsThePinnedVersions(t *testing.T) {
	t.Parallel()
	pinned := pins(t)
	for _, m := range requirements(t) {
		want, ok := pinned[m.Path]
		switch {
		case !ok && !m.Indirect:
			t.Errorf("go.mod requires %s, which tools/pins.txt does not list: add it there with the version that was tried, or do without it", m.Path)
		case ok && want != m.Version:
			t.Errorf("go.mod has %s at %s, tools/pins.txt at %s: run go get %s@%s, or change the pin on purpose", m.Path, m.Version, want, m.Path, want)
		}
	}
}

func TestNoDependencyWantsANewerGo(t *testing.T) {
	t.Parallel()
	paths := []string{"list", "-m", "-f", "{{.Path}} {{.Version}} {{.GoVersion}}"}
	for _, m := range requirements(t) {
		paths = append(paths, m.Path)
	}
	for _, line := range strings.Split(strings.TrimSpace(output(t, paths...)), "\n") {
		fields := strings.Fields(line)
		if len(fields) < 3 {
			continue // a module from before go lines works with every Go
		}
		if wants := "go" + fields[2]; version.Compare(version.Lang(wants), newest) > 0 {
			t.Errorf("%s %s wants %s, and this project is built with %s: take an older version or another module", fields[0], fields[1], wants, newest)
		}
	}
}

// pins reads pins.txt.
func pins(t *testing.T) map[string]string {
	t.Helper()
	f, err := os.Open("pins.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	list := map[string]string{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		if _, twice := list[fields[0]]; twice || len(fields) != 2 {
			t.Fatalf("pins.txt: %q is not one module with one version, or its module stands there twice", lines.Text())
		}
		list[fields[0]] = fields[1]
	}
	if len(list) == 0 {
		t.Fatal("pins.txt lists nothing")
	}
	return list
}

// requirements reads go.mod, by the go command's own reader.
func requirements(t *testing.T) []module {
	t.Helper()
	if _, err := os.Stat("../go.mod"); err != nil { // the test's cache must know of the file that go reads
		t.Fatal(err)
	}
	var file struct{ Require []module }
	if err := json.Unmarshal([]byte(output(t, "mod", "edit", "-json")), &file); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(file.Require, func(m module) bool { return !m.Indirect }) {
		t.Fatal("go.mod requires nothing, so there is nothing to compare")
	}
	return file.Require
}

// output runs the go command in this folder.
func output(t *testing.T, args ...string) string {
	t.Helper()
	var stderr strings.Builder
	cmd := exec.Command("go", args...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args[:min(3, len(args))], " "), err, stderr.String())
	}
	return string(out)
}
