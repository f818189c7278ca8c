package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// TestEveryFindingIsExplained compares the headings of findings.md with the codes that
// the code declares: a constant whose name begins with Code.
func TestEveryFindingIsExplained(t *testing.T) {
	t.Parallel()
	var explained []string
	for _, m := range regexp.MustCompile("(?m)^### `([^`]+)`$").FindAllStringSubmatch(read(t, "findings.md"), -1) {
		explained = append(explained, m[1])
	}
	require.Len(t, explained, len(sorted(explained)), "a code is explained twice")
	var declared []string
	for _, folder := range []string{"analyze", "render", "render/gate", "parse"} {
		codes := codesIn(t, filepath.Join(root, folder))
		require.NotEmpty(t, codes, folder)
		declared = append(declared, codes...)
	}
	require.Empty(t, cmp.Diff(sorted(declared), sorted(explained)), "-declared in the code, +explained in docs/findings.md")
}

// codesIn returns the values of the constants named Code... in the files of a folder.
func codesIn(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	require.NoError(t, err)
	var codes []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		tree, err := parser.ParseFile(token.NewFileSet(), file, source, 0)
		require.NoError(t, err)
		ast.Inspect(tree, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) == 0 || !strings.HasPrefix(spec.Names[0].Name, "Code") {
				return true
			}
			if _, ok := spec.Values[0].(*ast.SelectorExpr); ok {
				return true // another package's code, by its own name here
			}
			value, ok := spec.Values[0].(*ast.BasicLit)
			if !ok {
				return true // another name for a code of another package
			}
			code, err := strconv.Unquote(value.Value)
			require.NoError(t, err)
			codes = append(codes, code)
			return true
		})
	}
	return codes
}

// sorted returns a list in order, each entry once: two packages may share a code.
func sorted(list []string) []string { return slices.Compact(slices.Sorted(slices.Values(list))) }

// link is a Markdown link to a file of the repository, or to a heading.
var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// TestLinksLeadSomewhere follows every relative link of the documents.
func TestLinksLeadSomewhere(t *testing.T) {
	t.Parallel()
	followed := 0
	for _, file := range documents(t) {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(string(source), -1) {
			target, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			followed++
			to := file
			if target != "" {
				to = filepath.Join(filepath.Dir(file), target)
			}
			linked, err := os.ReadFile(to)
			require.NoError(t, err, "%s links to %s", file, m[1])
			if anchor != "" {
				require.Contains(t, anchors(string(linked)), anchor, "%s links to %s", file, m[1])
			}
		}
	}
	require.Greater(t, followed, 5)
}

// anchors returns the ids that GitHub gives the headings of a document.
func anchors(doc string) []string {
	var ids []string
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(doc, -1) {
		id := strings.ReplaceAll(strings.ToLower(m[1]), " ", "-")
		ids = append(ids, regexp.MustCompile(`[^\p{L}\p{N}_-]`).ReplaceAllString(id, ""))
	}
	return ids
}
