package render_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/study/studytest"
)

// saved is a run of two loads whose client saved every request.
func saved() studytest.Blocks {
	b := studytest.Made()
	for i, s := range b.Starts {
		b.Starts[i].Files = map[string]string{"main.json": s.Trials["main"].Data(1000)}
	}
	return b
}

// TestAnIntervalSaysOfWhichStartsItIs, and that it is of no others.
func TestAnIntervalSaysOfWhichStartsItIs(t *testing.T) {
	t.Parallel()
	files, report := pages(t, renderer(t), saved())
	require.Len(t, report.Intervals, 1)
	for lang, words := range map[string][]string{
		"en": {"main load, `one/fast/start-1` against `one/base/start-1`: the gain is", "What starts differ by is not in the interval"},
		"zh": {"主负载，`one/fast/start-1` 对 `one/base/start-1`：增益为", "启动之间的差异不在区间之内"},
	} {
		_, section, _ := strings.Cut(files[lang+"/small/guide.md"], "{#within}")
		section, _, _ = strings.Cut(section, "\n## ")
		for _, w := range words {
			require.Contains(t, section, w)
		}
	}
}

// TestSteadyPartsNameTheirLoads: where a run has several, that of the objective is one of
// them.
func TestSteadyPartsNameTheirLoads(t *testing.T) {
	t.Parallel()
	files, report := pages(t, renderer(t), saved())
	require.NotEmpty(t, report.Steady)
	_, section, _ := strings.Cut(files["en/small/guide.md"], "{#within}")
	section, _, _ = strings.Cut(section, "\n## ")
	require.Contains(t, section, "| base · main load |")
}

// TestAFindingOfAllTrialsSaysAll: "in so many of the trials" lets a reader look for others.
func TestAFindingOfAllTrialsSaysAll(t *testing.T) {
	t.Parallel()
	r := renderer(t)
	files := studytest.Fleet("fast").Blocks(3, studytest.Noisy(studytest.Gains())).FS()
	var printed []string
	for name, f := range files {
		if strings.HasSuffix(name, "/main.txt") {
			f.Data = []byte(strings.Replace(string(f.Data), "Median TTFT", "P99 TTFT (ms):                           61.00\nMedian TTFT", 1))
			printed = append(printed, name)
		}
	}
	require.Len(t, printed, 6)
	pages := site(t, r, files)
	require.Contains(t, guideOf(t, pages, "en"), "In all 6 trials there are too few requests for P99")
	require.Contains(t, guideOf(t, pages, "zh"), "全部 6 次测试的请求都太少")

	files[printed[0]].Data = []byte(strings.Replace(string(files[printed[0]].Data), "P99", "P90", 1))
	require.Contains(t, guideOf(t, site(t, r, files), "en"), "In 5 of the trials there are too few requests for P99")
}
