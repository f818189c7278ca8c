package docs_test

import (
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/run/machine"
)

// TestTheExampleMachinesLoad loads every example of machine-yaml.md.
func TestTheExampleMachinesLoad(t *testing.T) {
	t.Parallel()
	examples := blocks(read(t, "machine-yaml.md"), "yaml")
	require.Len(t, examples, 3)
	for _, source := range examples {
		_, problems := machine.Load("machine-yaml.md", []byte(source))
		require.Empty(t, problems)
	}
}

// TestTheTemplatePlaceholdersAreAllDescribed holds the table of placeholders against
// those that there are.
func TestTheTemplatePlaceholdersAreAllDescribed(t *testing.T) {
	t.Parallel()
	described := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| (`\\{.*?) \\|").FindAllStringSubmatch(read(t, "machine-yaml.md"), -1) {
		for _, name := range regexp.MustCompile("`\\{([a-z]+)\\}`").FindAllStringSubmatch(row[1], -1) {
			described[name[1]] = true
		}
	}
	known := map[string]bool{}
	for _, name := range machine.TemplatePlaceholders() {
		known[name] = true
	}
	require.Empty(t, cmp.Diff(known, described))
}
