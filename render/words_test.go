package render_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/analyze"
	"benchguide/study"
	"benchguide/study/studytest"
)

// TestPagesSayWhatWasFound reads the exported guides of some scenarios.
func TestPagesSayWhatWasFound(t *testing.T) {
	t.Parallel()
	r := renderer(t)
	for _, c := range []struct {
		scenario string
		en, zh   []string
		not      []string // in neither language
	}{
		{"winner", []string{"no gain", "not distinguishable", "The replicate is the server start", "never below 2%"}, []string{"无收益", "无法区分"}, nil},
		{"too few starts", []string{"too few starts to test", "Each side needs at least 5 starts"}, []string{"至少需要 5 次启动"}, []string{"adopted:"}},
		{"one candidate fails", []string{"`CUDA out of memory. Tried to allocate 2.50 GiB`", "infeasible"}, []string{"不可行"}, nil},
		{"one candidate is invalid", []string{"`2 other processes held the GPU`"}, []string{"无效"}, nil},
		{"nothing comparable", []string{"not comparable", "gpu=other"}, nil, nil},
		{"confirmed", []string{"(confirmed)", "starts that did not choose the winner"}, []string{"已复测确认"}, nil},
		{"limit broken", []string{"breaks a limit"}, nil, nil},
		{"cache differs", []string{"the prefix cache knew 96% of the prompts on one side and 17% on the other"}, []string{"96%"}, nil},
		{"accepted", []string{"Only the driver's patch level differs"}, []string{"驱动只差补丁版本"}, nil},
		{"price alone", []string{"USD/Mtoken", "not measured", "What a token costs"}, []string{"未测", "成本与能耗"}, nil},
		{"price and power", []string{"J/token"}, nil, []string{"not measured |"}},
		{"all requests failed", []string{"cannot be compared: of 100 requests, 0 completed and 100 failed in "}, []string{"应有 100 个请求，完成了 0 个，失败了 100 个"}, nil},
	} {
		t.Run(c.scenario, func(t *testing.T) {
			t.Parallel()
			files, _ := pages(t, r, studytest.Named(c.scenario))
			for lang, words := range map[string][]string{"en": c.en, "zh": c.zh} {
				for _, w := range words {
					require.Contains(t, files[lang+"/small/guide.md"], w)
				}
				for _, w := range c.not {
					require.NotContains(t, files[lang+"/small/guide.md"], w)
				}
			}
		})
	}
}

// TestH200PageRecommendsNothing builds the page of real outputs of one start each: the
// fp8 configuration is 40 % faster in them, and no command of it is given.
func TestH200PageRecommendsNothing(t *testing.T) {
	t.Parallel()
	c, problems := study.LoadCollection(os.DirFS("../testdata/h200-study"))
	require.Empty(t, problems)
	report := analyze.Study(c.Folders[0])
	require.False(t, report.Failed())
	site, found, err := renderer(t).Site(c, []*analyze.Report{report})
	require.NoError(t, err)
	require.Empty(t, found)
	files := map[string]string{}
	for _, f := range site.Files {
		files[f.Path] = string(f.Data)
	}
	page := files["en/h200/guide.md"]
	conclusion, _, _ := strings.Cut(page, "How sure this is")
	require.NotContains(t, conclusion, "fp8")
	require.NotContains(t, conclusion, "Recommended")
	require.Contains(t, conclusion, "speed only")
	require.Contains(t, conclusion, "no candidate was shown to be better than the baseline")
	for _, words := range []string{"+39.3% (too few starts to test)", "Each side needs at least 3 starts", "717.39 token/s", "its prefix cache knew 96% of them",
		"E2E latency is the mean over the requests", "cannot be compared: of 100 requests, 0 completed and 100 failed in "} {
		require.Contains(t, page, words)
	}
	require.Contains(t, files["zh/h200/guide.md"], "随机权重")
	require.Contains(t, files, "studies/h200/raw/runs/dummy/first/base/start-1/c4.json", "what a fact comes from is published")
	require.Contains(t, files, "studies/h200/raw/runs/dummy/first/base/start-1/server.log.html")
	require.NotContains(t, files, "studies/h200/raw/runs/dummy/first/base/start-1/metrics.prom", "nothing comes from it")
}
