package docs_test

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestImportsPointOneWay holds the imports of every package against the table of
// architecture.md. Tests may import what they like.
func TestImportsPointOneWay(t *testing.T) {
	t.Parallel()
	allowed := map[string][]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z0-9/]+)` \\|([^|]*)\\|$").FindAllStringSubmatch(read(t, "architecture.md"), -1) {
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[2], -1) {
			allowed[row[1]] = append(allowed[row[1]], name[1])
		}
	}
	cmd := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "./...")
	cmd.Dir = root
	out, err := cmd.Output()
	require.NoError(t, err)
	checked := 0
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		fields := strings.Fields(line)
		from := ours(fields[0])
		for _, path := range fields[1:] {
			to := ours(path)
			if to == "" || within(to, from) || within(from, to) {
				continue // a package and what lies beneath it are one room
			}
			checked++
			require.True(t, slices.ContainsFunc(rowOf(allowed, from), func(may string) bool { return within(to, may) }),
				"%s imports %s; the table of docs/architecture.md has no such direction", from, to)
		}
	}
	require.Greater(t, checked, 10)
}

// ours is an import path without the module's name, empty for packages of others.
func ours(path string) string {
	name, _ := strings.CutPrefix(path, "benchguide/")
	if name == path {
		return ""
	}
	return name
}

// within reports whether a package is another one or lies beneath it.
func within(pkg, parent string) bool {
	return pkg == parent || strings.HasPrefix(pkg, parent+"/")
}

// rowOf returns what a package may import: the rows of it and of what it lies in.
func rowOf(allowed map[string][]string, pkg string) []string {
	var may []string
	for name, list := range allowed {
		if within(pkg, name) {
			may = append(may, list...)
		}
	}
	return may
}
