package render_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/analyze"
	"benchguide/study/studytest"
)

// sectionOf is the part of a guide from the heading of a stage to the next heading.
func sectionOf(t *testing.T, page, stage string) string {
	t.Helper()
	_, section, found := strings.Cut(page, "{#stage-"+stage+"}")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n#")
	return section
}

// unsteady is CasesOfStages with a second stage in which every other start is 3 % slow.
func unsteady() studytest.Blocks {
	b := studytest.CasesOfStages()
	for i, s := range b.Starts {
		if strings.HasPrefix(s.Ref, "next/") && (len(s.Ref)+s.Number)%2 == 0 {
			b.Starts[i].Trials = map[string]studytest.Trial{"main": studytest.Throughput(0.97 * s.Trials["main"].Total)}
		}
	}
	return b
}

// TestAStageNamesTheSpreadThatDecidedIt: what a later stage adds to the spread has decided
// nothing before, and the spread of all stages says that it is another one.
func TestAStageNamesTheSpreadThatDecidedIt(t *testing.T) {
	t.Parallel()
	files, report := pagesOf(t, renderer(t), unsteady(), analyze.Open{Stage: "next", Blocks: 3, Next: 6, Most: 6})
	require.Equal(t, analyze.LeastGain, report.Stages[0].Threshold.Basis)
	require.Equal(t, analyze.FromSpread, report.Stages[1].Threshold.Basis)
	for lang, want := range map[string]struct{ first, second, all string }{
		"en": {"Noise floor of this stage: 2.0%, the least gain that counts. The spread between starts, 0.41% with 8 degrees of freedom, gives a lower one.",
			"Noise floor of this stage so far: 3.0%, from a spread between starts of 1.20% with 12 degrees of freedom.", "of 1.20%, with 12 degrees of freedom. A stage is judged by"},
		"zh": {"本阶段的噪声下限为 2.0%，即规则认可的最小增益；启动之间的残差标准差为 0.41%（自由度为 8），由它算出的下限更低。",
			"本阶段目前的噪声下限为 3.0%，由启动之间的残差标准差 1.20%（自由度为 12）算出。", "残差标准差为 1.20%，自由度为 12。每个阶段只按"},
	} {
		page := files[lang+"/small/guide.md"]
		require.Contains(t, sectionOf(t, page, "one"), want.first)
		require.Contains(t, sectionOf(t, page, "next"), want.second)
		require.Contains(t, page, want.all)
	}
}

// TestSpreadsThatAreTooSmallToBeBelievedSaySo: a third candidate that does not run makes
// the other two need more, and the rule's own least spread asks for it.
func TestSpreadsThatAreTooSmallToBeBelievedSaySo(t *testing.T) {
	t.Parallel()
	calm := func(id string, _ int) float64 {
		return map[string]float64{"fast": 1100}[id] + 1000*float64(len(id)%2) + 1000
	}
	b := studytest.Fleet("fast", "even", "dead").Blocks(3, calm)
	b.Drop("one/dead")
	b.Fail("one/dead", 1, "CUDA out of memory")
	files, report := pages(t, renderer(t), b)
	require.Equal(t, analyze.LeastSpread, report.Stages[0].Threshold.Basis)
	require.Contains(t, files["en/small/guide.md"], "Noise floor of this stage: 2.1%, from the least spread that is believed, 0.50%. The starts differ by only 0.00%")
	require.Contains(t, files["zh/small/guide.md"], "按规则采信的最小标准差 0.50% 算出；启动之间的残差标准差只有 0.00%")
}

// TestCandidatesOfUnlikeStartsHaveUnlikeFloors: of one that has fewer starts, more is asked.
func TestCandidatesOfUnlikeStartsHaveUnlikeFloors(t *testing.T) {
	t.Parallel()
	b := unsteady()
	for block := 4; block <= 5; block++ {
		for _, id := range []string{"incumbent", "more"} {
			b.Add("next/"+id, block, studytest.Throughput(900+float64(block)), `"sitting": "second"`)
		}
	}
	files, _ := pages(t, renderer(t), b)
	require.Contains(t, sectionOf(t, files["en/small/guide.md"], "next"), ", depending on the candidate, from a spread")
	require.Contains(t, sectionOf(t, files["zh/small/guide.md"], "next"), "（因候选而异），由启动之间")
}

// TestATableSaysOfHowManyStartsItsValuesAreMeans, and that a start which was alone in its block
// is part of a mean and of no gain: who divides the two values gets another one.
func TestATableSaysOfHowManyStartsItsValuesAreMeans(t *testing.T) {
	t.Parallel()
	r := renderer(t)
	b := studytest.TwoStages()
	before, _ := pages(t, r, b)
	b.Add("next/more", 4, studytest.Throughput(700), `"sitting": "second"`)
	after, report := pages(t, r, b)
	require.Empty(t, report.Stages[0].Unpaired)
	require.Equal(t, []string{"next/more/start-4/main"}, report.Stages[1].Unpaired)
	for lang, words := range map[string]struct{ head, before, after, alone string }{
		"en": {"| vs incumbent | vs adopted | Starts | TTFT (ms) |", "| **more** | adopted | 912.02 | +7.2% | — | 3 |", "| **more** | adopted | 853.65 | +7.2% | — | 4 |",
			"Starts without a partner in their block count in the means and not in the gain."},
		"zh": {"| 对当前最优 | 对采纳者 | 启动次数 | TTFT（ms） |", "| **more** | 采纳 | 912.02 | +7.2% | — | 3 |", "| **more** | 采纳 | 853.65 | +7.2% | — | 4 |",
			"没有成对的启动计入平均值，不计入增益。"},
	} {
		was, is := sectionOf(t, before[lang+"/small/guide.md"], "next"), sectionOf(t, after[lang+"/small/guide.md"], "next")
		require.Contains(t, was, words.head)
		require.Contains(t, was, words.before)
		require.NotContains(t, was, words.alone)
		require.Contains(t, is, words.after)
		require.Contains(t, is, words.alone)
		require.NotContains(t, sectionOf(t, after[lang+"/small/guide.md"], "one"), words.alone)
	}
	out := site(t, r, small().FS())
	require.NotContains(t, string(out["en/small/guide.md"]), "| Starts |", "of single starts there is nothing to say")
}

// TestAnAdoptedValueGoesTheWayThatItsNumbersSay: a latency falls and a throughput rises, unless
// starts that are part of no gain turn the means round.
func TestAnAdoptedValueGoesTheWayThatItsNumbersSay(t *testing.T) {
	t.Parallel()
	r := renderer(t)
	turned := studytest.TwoStages()
	turned.Add("next/more", 4, studytest.Throughput(400), `"sitting": "second"`)
	for _, c := range []struct {
		study         studytest.Blocks
		stage, en, zh string
		noGain, worse string
	}{
		{studytest.Winner(), "one", "total throughput rises from 963.88 token/s to 1062.74 token/s (+10.3%)", "总吞吐量从 963.88 token/s 升到 1062.74 token/s，增益 +10.3%，超出噪声下限 2.0%。",
			"Worse than the incumbent, beyond the noise floor: slow (-5.8%).", "比当前最优差，且差距超出噪声下限：slow（-5.8%）。"},
		{studytest.Named("latency"), "one", "mean E2E latency falls from", "平均端到端延迟从 0.884 s 降到 0.802 s，增益 +10.2%", "", ""},
		{turned, "next", "total throughput falls from 850.76 token/s to", "总吞吐量从 850.76 token/s 降到", "", ""},
	} {
		files, _ := pages(t, r, c.study)
		en, zh := sectionOf(t, files["en/small/guide.md"], c.stage), sectionOf(t, files["zh/small/guide.md"], c.stage)
		require.Contains(t, en, c.en)
		require.Contains(t, zh, c.zh)
		require.Contains(t, en, c.noGain)
		require.Contains(t, zh, c.worse)
	}
}
