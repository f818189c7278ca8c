package render_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"benchguide/study/studytest"
)

// undecided is a marked run that adopts nothing, with power that was measured.
func undecided() studytest.Blocks {
	b := studytest.Fleet("flat").Blocks(3, studytest.Noisy(studytest.Gains()))
	b.Mark = "dummy-weights"
	b.Each(`"power_watts": {"main": 400}`, studytest.All)
	b.Own = true
	return b
}

// TestNothingStandsTwiceWhereNothingWasAdopted: the baseline is the final configuration, and
// one of the two is enough.
func TestNothingStandsTwiceWhereNothingWasAdopted(t *testing.T) {
	t.Parallel()
	files, report := pages(t, renderer(t), undecided())
	require.Equal(t, report.Baseline.Ref, report.Final.Ref)
	for lang, never := range map[string][]string{"en": {"optimized configuration", "vs adopted", "gains of the stages multiply"}, "zh": {"优化后配置", "对采纳者", "阶段增益相乘"}} {
		guide := files[lang+"/small/guide.md"]
		for _, words := range never {
			require.NotContains(t, guide, words)
		}
		_, steps, _ := strings.Cut(guide, "{#reproduce}")
		require.Equal(t, 1, strings.Count(steps, "\nvllm serve"), lang)
		_, costs, found := strings.Cut(guide, map[string]string{"en": "Energy for each output token", "zh": "每输出一个 Token 的能耗"}[lang])
		require.True(t, found)
		costs, _, _ = strings.Cut(costs, "\n#")
		require.Equal(t, 1, strings.Count(costs, "J/token"), lang)
	}
}

// TestAGainIsNotStatedAsItsOwnTotal: where a single stage gained something and nothing was
// measured again, the total is the same starts, and nothing can be left over.
func TestAGainIsNotStatedAsItsOwnTotal(t *testing.T) {
	t.Parallel()
	r := renderer(t)
	for _, c := range []struct {
		study studytest.Blocks
		once  bool
	}{{studytest.Winner().WithCase("one/base", "one/fast"), true}, {studytest.Confirmed(), false}, {studytest.TwoStages(), false}} {
		files, _ := pages(t, r, c.study)
		for lang, words := range map[string][]string{"en": {"Unattributed", "Measured total", "waterfall.svg", "The gains of the stages multiply"}, "zh": {"未归因", "实测总增益", "waterfall.svg", "阶段增益相乘"}} {
			_, summary, _ := strings.Cut(files[lang+"/small/guide.md"], "{#summary}")
			summary, _, _ = strings.Cut(summary, "\n#")
			require.Contains(t, summary, "| fast | +1")
			for _, w := range words {
				require.NotEqual(t, c.once, strings.Contains(summary, w), "%s: %s", lang, w)
			}
		}
		require.Equal(t, c.once, strings.Contains(files["en/small/guide.md"], "its gain is the total gain."))
		require.Equal(t, c.once, strings.Contains(files["zh/small/guide.md"], "它的增益就是总增益。"))
	}
}

// TestWhatStaysCarriesItsMark: the command of a marked run is no recommendation, whether or
// not something was adopted.
func TestWhatStaysCarriesItsMark(t *testing.T) {
	t.Parallel()
	files, _ := pages(t, renderer(t), undecided())
	require.Contains(t, files["en/small/guide.md"], `title="Serving command of the baseline, which stays (dummy weights, speed only)"`)
	require.Contains(t, files["zh/small/guide.md"], `title="基准配置的启动命令，保持不变（随机权重，仅速度）"`)
}

// TestEveryStageIsHeldAgainstTheBound, and what the GPUs did is told of every configuration:
// an incumbent that was measured again says so.
func TestEveryStageIsHeldAgainstTheBound(t *testing.T) {
	t.Parallel()
	b := studytest.TwoStages()
	b.Each(`"power_watts": {"main": 400}`, studytest.All)
	b.Own = true
	files, _ := pages(t, renderer(t), b)
	guide := files["en/small/guide.md"]
	_, bounds, _ := strings.Cut(guide, "{#bound}")
	bounds, _, _ = strings.Cut(bounds, "\n#")
	for _, row := range []string{"| **Stage one** | base |", "|  | slow |", "| **Stage next** | more |", "|  | less |"} {
		require.Equal(t, 1, strings.Count(bounds, row), row)
	}
	_, run, _ := strings.Cut(guide, "{#run}")
	for _, row := range []string{"| base · main load | 400 W |", "| slow · main load | 400 W |", "| fast (incumbent of Stage next) · main load | 400 W |", "| less · main load | 400 W |"} {
		require.Equal(t, 1, strings.Count(run, row), row)
	}
}

func TestTheClockStandsBesideThePower(t *testing.T) {
	t.Parallel()
	files, _ := pages(t, renderer(t), studytest.Clocked(func(int, time.Duration) float64 { return 1755 }))
	require.Contains(t, files["en/small/guide.md"], "| base · main load | 400 W |")
	require.Equal(t, 3, strings.Count(files["en/small/guide.md"], "| 1755 MHz |"))
	require.Contains(t, files["zh/small/guide.md"], "平均 SM 频率")
	require.Contains(t, files["en/small/index.html"], "raw/runs/published/one/base/start-1/gpu.csv", "the number leads to the file")
}

// TestSurroundingsHaveTheirNames: a reader sees what a value is, in words where there are any.
func TestSurroundingsHaveTheirNames(t *testing.T) {
	t.Parallel()
	b := studytest.Winner()
	b.Own = true
	const around = `"nonce": "n", "environment": {"gpu": "NVIDIA H100 80GB HBM3", "driver": "580.159.04", "cuda": "13.0", "client": "benchguide benchguide (devel)",
		"NCCL_VERSION": "2.28.3-1", "TORCH_CUDA_ARCH_LIST": "9.0a", "kernel": "6.8.0", "gpu_uuid": "`
	b.Each(around+`GPU-7549a911-a62f-1b16-681e-2cc23fcb8d11"}`, func(s studytest.Start) bool { return s.Number == 1 })
	b.Each(around+`GPU-11aa22bb-a62f-1b16-681e-2cc23fcb8d11"}`, func(s studytest.Start) bool { return s.Number != 1 })
	files, _ := pages(t, renderer(t), b)
	for lang, rows := range map[string][]string{
		"en": {"| GPU UUID | 2 different values: GPU-11aa22bb…, GPU-7549a911… |", "| GPU driver | NVIDIA 580.159.04 |", "| CUDA version that the driver supports | CUDA 13.0 |",
			"| Benchmark client | benchguide (devel) |", "| `kernel` | kernel 6.8.0 |",
			"| Environment variables that engines read | `NCCL_VERSION=2.28.3-1` `TORCH_CUDA_ARCH_LIST=9.0a` |"},
		"zh": {"| GPU UUID | 共 2 个不同的值：GPU-11aa22bb…、GPU-7549a911… |", "| GPU 驱动 | NVIDIA 580.159.04 |", "| 测试工具 | benchguide (devel) |"},
	} {
		for _, row := range rows {
			require.Contains(t, files[lang+"/small/guide.md"], row)
		}
	}
}

// TestEnginesAreThoseThatRan: an engine of a stage that the run did not come to has measured
// nothing that the page says.
func TestEnginesAreThoseThatRan(t *testing.T) {
	t.Parallel()
	files, report := pages(t, renderer(t), undecided())
	require.Equal(t, "vllm", report.Final.Engine)
	require.Contains(t, files["en/small/guide.md"], "| Inference engines | vLLM v0.11.0 |")
}

// TestWhatWasNotMeasuredHasItsName: a reader knows stages and workloads by their titles.
func TestWhatWasNotMeasuredHasItsName(t *testing.T) {
	t.Parallel()
	files, _ := pages(t, renderer(t), studytest.Stopped())
	require.Contains(t, files["en/small/guide.md"], "**Stage next**: not measured")
	require.Contains(t, files["en/small/guide.md"], "**The other cases · other load**: not measured")
	require.Contains(t, files["zh/small/guide.md"], "**阶段**：没有测")
}

// TestAGainThatIsNoQuotientSaysSo: where one side has more starts on a slow machine, the
// values beside a gain cannot be divided.
func TestAGainThatIsNoQuotientSaysSo(t *testing.T) {
	t.Parallel()
	const words = "A gain is worked out within blocks"
	r := renderer(t)
	files, _ := pages(t, r, studytest.Winner())
	require.NotContains(t, files["en/small/guide.md"], words, "each side has a start in each block")
	files, _ = pages(t, r, studytest.TwoStages())
	require.Contains(t, files["en/small/guide.md"], words, "the stages are of two machines, and the case is of both")
}

// TestAConfirmedGainIsOneNumber: the conclusion and the table of the cases print the same
// gain for the same row, marked as confirmed, and say that the values beside it are of
// other starts.
func TestAConfirmedGainIsOneNumber(t *testing.T) {
	t.Parallel()
	b := studytest.Confirmed()
	files, report := pages(t, renderer(t), b)
	c := report.Cases[0]
	require.Len(t, c.Confirmed, len(c.Comparison.Gains), "every metric of the table")
	for lang, words := range map[string]struct{ mark, quotient, means string }{
		"en": {" (confirmed)", "their quotient may be another number", "the geometric mean over its starts"},
		"zh": {"（已复测确认）", "不一定等于增益", "各次启动的几何平均值"},
	} {
		guide := files[lang+"/small/guide.md"]
		conclusion, _, _ := strings.Cut(guide, "{#how-sure}")
		gain := regexp.MustCompile(`\+[0-9.]+%` + regexp.QuoteMeta(words.mark)).FindString(conclusion)
		require.NotEmpty(t, gain, lang)
		_, cases, _ := strings.Cut(guide, "{#cases}")
		require.Contains(t, cases, gain, lang)
		require.Contains(t, guide, words.quotient, lang)
		require.Contains(t, guide, words.means, lang)
	}
}
