package render_test

import (
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/study/studytest"
)

// marks are the words that a marked study's pages carry, by language.
var marks = map[string]map[string]string{
	"dummy-weights": {"zh": "随机权重", "en": "dummy weights"},
	"simulated":     {"zh": "模拟", "en": "simulated"},
	"rehearsed":     {"zh": "演练", "en": "rehears"},
}

// TestMarksReachEverything looks at the bytes of a marked site: every page, every
// table, every chart, every export, every script and every index says what kind of results
// it shows.
func TestMarksReachEverything(t *testing.T) {
	t.Parallel()
	r := renderer(t)
	for mark, words := range marks {
		t.Run(mark, func(t *testing.T) {
			t.Parallel()
			b := studytest.TwoStages()
			b.Mark = mark
			files, _ := pages(t, r, b)
			charts, tables := requireMarked(t, files, words)
			require.GreaterOrEqual(t, charts, 6)
			require.GreaterOrEqual(t, tables, 20)
			require.Contains(t, files["studies/small/report.json"], `"mark": "`+mark+`"`)
		})
	}
	t.Run("a rehearsed run", func(t *testing.T) {
		t.Parallel()
		b := studytest.Made()
		b.Mark = "rehearsed"
		files, _ := pages(t, r, b)
		_, tables := requireMarked(t, files, marks["rehearsed"])
		require.GreaterOrEqual(t, tables, 40, "those of the run, too")
		require.Contains(t, files["studies/small/raw/runs/published/one/base/start-1/attempt.json"], `"rehearsed": true`)
		script := files["en/small/reproduce.sh"]
		require.Contains(t, script, "\n# WARNING: the numbers of the guide come from a rehearsal")
		require.Contains(t, script, "\nsay 'WARNING: the numbers of the guide come from a rehearsal")
	})
}

// requireMarked requires the words of a mark in everything that a reader may see by itself,
// and counts charts and tables.
func requireMarked(t *testing.T, files map[string]string, words map[string]string) (charts, tables int) {
	t.Helper()
	header := regexp.MustCompile(`(?s)<thead>.*?</thead>`)
	for name, text := range files {
		lang, _, _ := strings.Cut(name, "/")
		switch {
		case strings.HasPrefix(name, "assets/"), strings.HasSuffix(name, ".png"), path.Base(path.Dir(name)) == "raw" && path.Ext(name) != ".html":
			continue
		case strings.HasPrefix(name, "studies/"):
			if path.Ext(name) == ".html" {
				require.Contains(t, text, words["zh"], name)
				require.Contains(t, text, words["en"], name)
			}
		case name == "index.html":
			require.Contains(t, text, words["zh"], name)
			require.Contains(t, text, words["en"], name)
		case path.Ext(name) == ".svg":
			require.Contains(t, text, words[lang], name)
			charts++
		default:
			require.Contains(t, text, words[lang], name)
		}
		for _, head := range header.FindAllString(text, -1) {
			require.Contains(t, head, words[lang], name)
			tables++
		}
		lines := strings.Split(text, "\n")
		for i, line := range lines {
			if line = strings.TrimSpace(line); path.Ext(name) == ".md" && (strings.HasPrefix(line, "| ---") || strings.HasPrefix(line, "| :--")) {
				require.Contains(t, lines[i-1], words[lang], "%s:%d", name, i)
				tables++
			}
		}
	}
	return charts, tables
}

// TestMarksReachEveryServingCommand: in the stages, in how it was run and in how to
// reproduce it; a client's command says nothing of the model's weights.
func TestMarksReachEveryServingCommand(t *testing.T) {
	t.Parallel()
	b := studytest.Made()
	b.Mark = "dummy-weights"
	files, _ := pages(t, renderer(t), b)
	for lang, words := range map[string]string{"en": "(dummy weights, speed only)", "zh": "（随机权重，仅速度）"} {
		lines := strings.Split(files[lang+"/small/guide.md"], "\n")
		commands := 0
		for i, line := range lines {
			if i > 0 && strings.Contains(line, "vllm serve ") && strings.Contains(lines[i-1], "```bash") {
				require.Contains(t, lines[i-1], words, "%s:%d", lang, i)
				commands++
			}
		}
		require.GreaterOrEqual(t, commands, 10, lang)
	}
}

// TestMarkedStudiesRecommendNothing: the caption of the command that was found says that
// it is the fastest that was measured, and no more.
func TestMarkedStudiesRecommendNothing(t *testing.T) {
	t.Parallel()
	r := renderer(t)
	b := studytest.TwoStages()
	files, _ := pages(t, r, b)
	require.Contains(t, files["en/small/guide.md"], `title="Recommended serving command"`)
	b.Mark = "dummy-weights"
	files, _ = pages(t, r, b)
	for _, name := range []string{"en/small/guide.md", "en/small/index.html"} {
		require.NotContains(t, files[name], "Recommended", name)
		require.Contains(t, files[name], "Fastest measured configuration (dummy weights, speed only)", name)
		require.Contains(t, files[name], "This is speed with dummy weights and no recommendation", name)
		require.NotContains(t, files[name], "Before you use this", name)
	}
	require.Contains(t, files["zh/small/guide.md"], "测得最快的配置（随机权重，仅速度）")
	require.Contains(t, files["zh/small/guide.md"], "不构成部署建议")
	require.NotContains(t, strings.ReplaceAll(files["zh/small/guide.md"], "本页不推荐任何配置", ""), "推荐")
	require.NotContains(t, files["zh/small/guide.md"], "使用前须知")
}

// TestUnmarkedStudiesCarryNoMark is what the tests above would not notice.
func TestUnmarkedStudiesCarryNoMark(t *testing.T) {
	t.Parallel()
	files, _ := pages(t, renderer(t), studytest.TwoStages())
	for name, text := range files {
		if !strings.HasPrefix(name, "assets/") {
			require.NotContains(t, text, "dummy weights", name)
			require.NotContains(t, text, "随机权重", name)
		}
	}
}
