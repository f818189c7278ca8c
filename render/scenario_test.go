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
	c, problems := study.LoadCollection(b.FS())
	require.Empty(t, problems)
	report := analyze.Study(c.Folders[0])
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
