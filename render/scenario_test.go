package render_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/analyze"
	"benchguide/render"
	"benchguide/study"
	"benchguide/study/studytest"
)

// pages builds the site of a study and requires that the gate finds nothing.
func pages(t *testing.T, r *render.Renderer, b studytest.Blocks) (map[string]string, *analyze.Report) {
	t.Helper()
	return pagesOf(t, r, b, analyze.Open{})
}

// pagesOf are the pages of a run that has not decided one of its stages.
func pagesOf(t *testing.T, r *render.Renderer, b studytest.Blocks, open analyze.Open) (map[string]string, *analyze.Report) {
	t.Helper()
	c, problems := study.LoadCollection(b.FS())
	require.Empty(t, problems)
	report := analyze.Unfinished(c.Folders[0], open)
	require.False(t, report.Failed(), "%v", report.Findings)
	site, found, err := r.Site(c, []*analyze.Report{report})
	require.NoError(t, err)
	require.Empty(t, found)
	files := map[string]string{}
	for _, f := range site.Files {
		files[f.Path] = string(f.Data)
	}
	return files, report
}

// TestPagesOfEveryScenarioBuild builds both languages' pages of studies of all kinds.
func TestPagesOfEveryScenarioBuild(t *testing.T) {
	t.Parallel()
	r := renderer(t)
	for _, s := range studytest.Scenarios() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			files, _ := pages(t, r, s.Study)
			for name, text := range files {
				if strings.HasPrefix(name, "assets/") {
					continue // scripts may speak of NaN
				}
				require.NotContains(t, text, "NaN", name)
				require.NotContains(t, text, "+Inf", name)
				require.NotContains(t, text, "<no value>", name)
			}
		})
	}
}

// TestALaterStageShowsItsOwnIncumbent: a stage's gain is over the starts of the incumbent
// that lie beside its candidates. Those that it was adopted with may be of a day on which
// everything was faster, and a reader who divides the two values gets another gain.
func TestALaterStageShowsItsOwnIncumbent(t *testing.T) {
	t.Parallel()
	files, _ := pages(t, renderer(t), studytest.TwoStages())
	for _, lang := range []string{"zh", "en"} {
		page := files[lang+"/small/index.html"]
		require.Contains(t, page, `data-fact="next/incumbent/main:total_throughput"`, lang)
	}
}

// TestAnOpenStageIsNoResult: what the starts of a stage say before the run has decided it
// is shown as that, on each place of the page that speaks of the stage, and goes into no gain.
func TestAnOpenStageIsNoResult(t *testing.T) {
	t.Parallel()
	for _, stage := range []string{"one", "next"} {
		b := studytest.CasesOfStages()
		if stage == "one" {
			b = studytest.Winner()
		}
		files, report := pagesOf(t, renderer(t), b, analyze.Open{Stage: stage, Blocks: 3, Next: 6, Most: 6})
		for lang, words := range map[string]struct{ lead, stage, row, verdict, adopted, card string }{
			"en": {"The run is not finished", "not decided yet: it has 3 of the 6 blocks", "not decided yet (3 of 6 blocks)", "| not decided yet |", "is adopted", "the run is not finished · "},
			"zh": {"本次运行尚未结束", "本阶段尚未判定：已有 3 个区组", "尚未判定（已有 3 个区组", "| 尚未判定 |", "采纳", "运行尚未结束 · "},
		} {
			page := files[lang+"/small/guide.md"]
			lead, _, _ := strings.Cut(page, "```")
			require.Contains(t, lead, words.lead, lang)
			_, section, found := strings.Cut(page, "{#stage-"+stage+"}")
			require.True(t, found)
			section, summary, _ := strings.Cut(section, "{#summary}")
			require.Contains(t, section, words.stage, lang)
			require.Contains(t, section, words.verdict, lang)
			require.NotContains(t, section, words.adopted, lang)
			require.Contains(t, summary, words.row, lang)
			require.Contains(t, files[lang+"/index.html"], words.card, lang)
		}
		last := report.Stages[len(report.Stages)-1]
		require.Equal(t, last.Incumbent, report.Final.Ref)
		require.Empty(t, last.Gain)
	}
}
