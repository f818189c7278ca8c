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
		files, report := pagesOf(t, renderer(t), b, analyze.Open{Stage: stage, Blocks: 3, Looked: 3, Tested: true, Next: 6, Most: 6})
		for lang, words := range map[string]struct{ lead, stage, row, verdict, adopted, card string }{
			"en": {"The run is not finished", "The look after 3 blocks could not tell them all apart; the next and last look is after 6.", "| not decided yet | — |", "| not decided yet |", "is adopted", "the run is not finished · "},
			"zh": {"本次运行尚未结束", "本阶段尚未判定：满 3 个区组时判定过一次，分不出高下；下一次也是最后一次判定在满 6 个区组时。表中", "| 尚未判定 | — |", "| 尚未判定 |", "采纳", "运行尚未结束 · "},
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

// TestNothingIsTheBestBeforeTheRunIsFinished: the command of an unfinished run is what it has
// come to, and neither recommended nor the fastest that there is; nor does it stay.
func TestNothingIsTheBestBeforeTheRunIsFinished(t *testing.T) {
	t.Parallel()
	r := renderer(t)
	for _, c := range []struct {
		study               studytest.Blocks
		stage, mark, zh, en string
	}{
		{studytest.CasesOfStages(), "next", "", "", ""},
		{studytest.CasesOfStages(), "next", "dummy-weights", "（随机权重，仅速度）", " (dummy weights, speed only)"},
		{studytest.Winner(), "one", "", "", ""},
	} {
		c.study.Mark = c.mark
		files, _ := pagesOf(t, r, c.study, analyze.Open{Stage: c.stage, Blocks: 3, Next: 6, Most: 6})
		require.Contains(t, files["en/small/guide.md"], `title="Incumbent so far (the run is not finished)`+c.en+`"`)
		require.Contains(t, files["zh/small/guide.md"], `title="目前的最优配置（运行尚未结束）`+c.zh+`"`)
		for _, never := range []string{"Fastest measured", "Recommended", "which stays"} {
			require.NotContains(t, files["en/small/guide.md"], never)
		}
	}
}

// TestAnOpenStageSaysWhenItIsLookedAt, whatever was looked at before.
func TestAnOpenStageSaysWhenItIsLookedAt(t *testing.T) {
	t.Parallel()
	r := renderer(t)
	for _, c := range []struct {
		open             analyze.Open
		en, zh, lead, ld string
	}{
		{analyze.Open{Blocks: 1, Next: 3, Most: 6}, "Blocks so far: 1; it is decided after 3 at the earliest and 6 at the latest.", "已有 1 个区组，最早在满 3 个时判定，最迟在满 6 个时判定。",
			"(blocks so far: 1); its last look is after 6.", "已有 1 个区组，尚未判定；最后一次判定在满 6 个区组时。"},
		{analyze.Open{Blocks: 2, Next: 6, Most: 6}, "Blocks so far: 2; it is decided after 6.", "已有 2 个区组，满 6 个时判定。",
			"(blocks so far: 2); its last look is after 6.", "已有 2 个区组，尚未判定；最后一次判定在满 6 个区组时。"},
		{analyze.Open{Blocks: 4, Looked: 3, Next: 5, Most: 5}, "The look after 3 blocks had too few starts to test; the next and last look is after 5.", "满 3 个区组时启动次数还不足以检验；下一次也是最后一次判定在满 5 个区组时。",
			"(blocks so far: 4); its last look is after 5.", "已有 4 个区组，尚未判定；最后一次判定在满 5 个区组时。"},
		{analyze.Open{Blocks: 3, Looked: 3, Tested: true, Next: 5, Most: 6}, "Blocks so far: 3; it is decided after 5 at the earliest and 6 at the latest.", "已有 3 个区组，最早在满 5 个时判定，最迟在满 6 个时判定。",
			"(blocks so far: 3); its last look is after 6.", "已有 3 个区组，尚未判定；最后一次判定在满 6 个区组时。"},
	} {
		c.open.Stage = "one"
		files, _ := pagesOf(t, r, studytest.Winner(), c.open)
		require.Contains(t, sectionOf(t, files["en/small/guide.md"], "one"), "Not decided yet. "+c.en+" The table is a snapshot")
		require.Contains(t, sectionOf(t, files["zh/small/guide.md"], "one"), "本阶段尚未判定："+c.zh+"表中")
		require.Contains(t, files["en/small/guide.md"], c.lead)
		require.Contains(t, files["zh/small/guide.md"], c.ld)
	}
}
