package render

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"encoding/json"

	"github.com/stretchr/testify/require"

	"benchguide/i18n"
	"benchguide/metric"
	"benchguide/study"
)

// messages reads a catalogue file as it lies there.
func messages(t *testing.T, lang Lang) map[string]string {
	t.Helper()
	data, err := fs.ReadFile(i18n.Files, "active."+string(lang)+".json")
	require.NoError(t, err)
	all := map[string]string{}
	require.NoError(t, json.Unmarshal(data, &all))
	return all
}

var placeholder = regexp.MustCompile(`\{\{\.(\w+)\}\}`)

// A placeholder that one language lacks drops a number there.
func TestBothLanguagesHaveTheSameMessages(t *testing.T) {
	t.Parallel()
	zh, en := messages(t, ZH), messages(t, EN)
	require.Equal(t, slices.Sorted(maps.Keys(en)), slices.Sorted(maps.Keys(zh)))
	for id := range en {
		require.Equal(t, placeholders(en[id]), placeholders(zh[id]), id)
		require.NotEmpty(t, strings.TrimSpace(zh[id]), id)
		require.NotEmpty(t, strings.TrimSpace(en[id]), id)
	}
}

func placeholders(text string) []string {
	var names []string
	for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// computed lists the messages whose ids are put together at run time, by what they
// are put together from.
func computed(t *testing.T) []string {
	t.Helper()
	var ids []string
	add := func(prefix string, names []string, suffix string) {
		for _, name := range names {
			ids = append(ids, prefix+name+suffix)
		}
	}
	goals := []string{study.Latency, study.Throughput}
	marks := []string{study.MarkSimulated, study.MarkRehearsed, study.MarkDummyWeights}
	add("index.goal.", goals, "")
	add("lead.", goals, "")
	add("lead.", goals, ".times")
	add("chart.cases.", goals, ".title")
	add("mark.", marks, "")
	add("mark.short.", marks, "")
	add("lead.mark.", marks, "")
	add("mark.in-script.", marks, "")
	add("verdict.", constants(t, "../analyze", "Verdict"), "")
	add("stage.floor.", constants(t, "../analyze", "Basis"), "")
	add("refused.", constants(t, "../analyze", "Refused"), "")
	add("finding.", constants(t, "../analyze", "Code"), "")
	add("table.", []string{study.BaselineSide, study.OptimizedSide}, "")
	return ids
}

// constants returns the values of the string constants of a package that have a type
// or a name prefix.
func constants(t *testing.T, dir, kind string) []string {
	t.Helper()
	var values []string
	for _, file := range sources(t, dir) {
		for _, decl := range file.Decls {
			g, ok := decl.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			for _, s := range g.Specs {
				v := s.(*ast.ValueSpec)
				named, _ := v.Type.(*ast.Ident)
				for i, name := range v.Names {
					if i < len(v.Values) && (named != nil && named.Name == kind || strings.HasPrefix(name.Name, kind)) {
						if text, ok := literal(v.Values[i]); ok {
							values = append(values, text)
						}
					}
				}
			}
		}
	}
	require.NotEmpty(t, values, "%s has no constants %s", dir, kind)
	return values
}

func sources(t *testing.T, dir string) []*ast.File {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		files = append(files, file)
	}
	return files
}

func literal(e ast.Expr) (string, bool) {
	l, ok := e.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(l.Value)
	return text, err == nil
}

// TestMessages finds the ids that code and templates ask for: every one is there, and
// none is there for nothing.
func TestEveryMessageIsThereAndIsUsed(t *testing.T) {
	t.Parallel()
	all := messages(t, EN)
	asked, literals := map[string]bool{}, map[string]bool{}
	for _, file := range sources(t, ".") {
		ast.Inspect(file, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok {
				if text, ok := literal(e); ok {
					literals[text] = true
				}
			}
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			if f, ok := call.Fun.(*ast.SelectorExpr); ok && (f.Sel.Name == "t" || f.Sel.Name == "fill") {
				if id, ok := literal(call.Args[0]); ok {
					asked[id] = true
				}
			}
			return true
		})
	}
	for _, id := range computed(t) {
		asked[id] = true
	}
	inTemplate := regexp.MustCompile(`\bt "([^"]+)"`)
	templates, err := filepath.Glob("../templates/*.tmpl")
	require.NoError(t, err)
	for _, name := range templates {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, m := range inTemplate.FindAllSubmatch(data, -1) {
			asked[string(m[1])] = true
		}
	}
	var missing, unused []string
	for id := range asked {
		if _, ok := all[id]; !ok {
			missing = append(missing, id)
		}
	}
	for id := range all {
		prefix, rest, _ := strings.Cut(id, ".")
		_, isMetric := metric.Lookup(metric.ID(rest))
		family := isMetric && (prefix == "metric" || prefix == "short") || prefix == "quantity" || prefix == "ledger"
		if !asked[id] && !literals[id] && !family {
			unused = append(unused, id)
		}
	}
	slices.Sort(missing)
	slices.Sort(unused)
	require.Empty(t, missing, "nobody wrote these messages")
	require.Empty(t, unused, "nothing asks for these messages")
}

func TestMissingMessageIsAnErrorAndNotTheOtherLanguage(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{
		"active.zh.json": {Data: []byte(`{"a": "甲 {{.X}}"}`)},
		"active.en.json": {Data: []byte(`{"a": "A {{.X}}", "b": "B"}`)},
	}
	c, err := LoadCatalogue(files)
	require.NoError(t, err)
	text, err := c.Text(ZH, "a", Args{"X": "1"})
	require.NoError(t, err)
	require.Equal(t, "甲 1", text)
	_, err = c.Text(ZH, "b", nil)
	require.EqualError(t, err, `active.zh.json has no message "b"; add it in both languages`)
	_, err = c.Text(EN, "c", nil)
	require.EqualError(t, err, `active.en.json has no message "c"; add it in both languages`)
	_, err = c.Text(EN, "a", Args{"Y": "1"})
	require.ErrorContains(t, err, `active.en.json: message "a"`)
	_, err = c.Text(EN, "a", nil)
	require.Error(t, err, "a placeholder without a value is no empty text")
}

func TestCatalogueThatIsNoneSaysWhichFile(t *testing.T) {
	t.Parallel()
	good := &fstest.MapFile{Data: []byte(`{"a": "A"}`)}
	_, err := LoadCatalogue(fstest.MapFS{"active.zh.json": good})
	require.ErrorContains(t, err, "active.en.json")
	_, err = LoadCatalogue(fstest.MapFS{"active.zh.json": {Data: []byte(`{"a": `)}, "active.en.json": good})
	require.ErrorContains(t, err, "active.zh.json")
}
