package render_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/analyze"
	"benchguide/study/studytest"
)

// another gives every start of a study trials on the other workload, of the same speed.
func another(b studytest.Blocks, workloads ...string) studytest.Blocks {
	for _, w := range append(workloads, "other") {
		b.Also(w, func(s studytest.Start) studytest.Trial { return s.Trials["main"] })
	}
	return b
}

// section is a stage's part of an exported guide.
func section(t *testing.T, guide, stage string) string {
	t.Helper()
	_, text, found := strings.Cut(guide, "{#stage-"+stage+"}")
	require.True(t, found, stage)
	text, _, _ = strings.Cut(text, "\n#")
	return text
}

// TestOtherWorkloadsStandUnderTheirStage: a row for each candidate, with the words of what
// is inside the noise, after the sentence that says what the stage decided.
func TestOtherWorkloadsStandUnderTheirStage(t *testing.T) {
	t.Parallel()
	files, _ := pages(t, renderer(t), another(studytest.TwoStages()))
	for lang, words := range map[string][]string{
		"en": {"is adopted", "Under the other workloads (they decide nothing). Each comparison here is one more chance to be wrong",
			"| Candidate, workload | Total throughput (token/s), incumbent → candidate | vs incumbent |",
			"| fast, other load | 963.88 → 1062.74 | +10.3% |", "| flat, other load | 963.88 → 965.48 | +0.2% (not distinguishable) |"},
		"zh": {"采纳 fast", "其他负载下的表现（不参与判定）。这里每多比较一次，就多一次误判的机会",
			"| 候选，负载 | 总吞吐量（token/s），当前最优 → 候选 | 对当前最优 |",
			"| fast，另一负载 | 963.88 → 1062.74 | +10.3% |", "| flat，另一负载 | 963.88 → 965.48 | +0.2%（无法区分） |"},
	} {
		one := section(t, files[lang+"/small/guide.md"], "one")
		for _, w := range words {
			_, after, found := strings.Cut(one, w)
			require.True(t, found, "%s: %s is not in, or not in order in\n%s", lang, w, one)
			one = after
		}
		require.Contains(t, section(t, files[lang+"/small/guide.md"], "next"), words[1], lang)
		require.Contains(t, files[lang+"/small/index.html"], `data-fact="one/fast/other:gain.total_throughput"`)
	}
	files, _ = pages(t, renderer(t), studytest.TwoStages())
	require.NotContains(t, files["en/small/guide.md"], "other workloads", "nothing was measured under them")
}

// TestManyRowsOfOtherWorkloadsAreFolded: four candidates under two workloads are more than
// the table that decides has.
func TestManyRowsOfOtherWorkloadsAreFolded(t *testing.T) {
	t.Parallel()
	const load = "  - {id: other, name: {zh: 另一负载, en: other load}, dataset: sharegpt, prompts: 100, command: vllm bench serve}\n"
	b := studytest.Winner()
	b.Edit = []string{load, load + strings.NewReplacer("id: other", "id: third", "另一", "第三", "other load", "third load").Replace(load)}
	files, _ := pages(t, renderer(t), another(b, "third"))
	one := section(t, files["en/small/guide.md"], "one")
	require.Contains(t, one, "??? info \"Under the other workloads (they decide nothing)\"\n\n    Each comparison here is one more chance")
	require.Contains(t, one, "    | same, third load |")
	require.Equal(t, 8, strings.Count(one, " load | "))
}

// TestOtherWorkloadsOfAnOpenStageAreNoResult: no size of such a stage is worth more than any
// other one of it.
func TestOtherWorkloadsOfAnOpenStageAreNoResult(t *testing.T) {
	t.Parallel()
	files, _ := pagesOf(t, renderer(t), another(studytest.CasesOfStages()), analyze.Open{Stage: "next", Blocks: 3, Next: 6, Most: 6})
	for lang, mark := range map[string]string{"en": "(not decided yet) |", "zh": "（尚未判定） |"} {
		next := section(t, files[lang+"/small/guide.md"], "next")
		_, beside, _ := strings.Cut(next, " → ")
		require.Equal(t, 2, strings.Count(beside, mark), "%s:\n%s", lang, beside)
		require.NotContains(t, section(t, files[lang+"/small/guide.md"], "one"), mark, "the stage before is decided")
	}
}

// TestWorkloadsSayHowLongTheirRequestsAre: on average, by what the starts counted; and whether
// it was the client or the model that ended the answers.
func TestWorkloadsSayHowLongTheirRequestsAre(t *testing.T) {
	t.Parallel()
	b := another(studytest.Winner())
	longer := b.Starts[3].Trials["other"]
	longer.Output += 150
	b.Starts[3].Trials["other"] = longer
	texts := func(b studytest.Blocks) string {
		files, _ := pages(t, renderer(t), b)
		_, text, _ := strings.Cut(files["en/small/guide.md"], "{#workloads}")
		text, _, _ = strings.Cut(text, "\n## ")
		return text
	}
	plain := texts(b)
	require.Contains(t, plain, "| main load | 100 | 4 | mean 200 / 100 (dataset) |")
	require.Contains(t, plain, "| other load | 100 | none: all sent at once | mean 200 / 100–102 (dataset) |")
	require.NotContains(t, plain, "fixed length")
	require.Contains(t, texts(studytest.Winner()), "| other load | 100 | none: all sent at once | from the dataset |", "nothing was measured under it")

	b.Edit = []string{"concurrency: 4, command: vllm bench serve", "concurrency: 4, command: vllm bench serve --ignore-eos"}
	require.Contains(t, texts(b), "\nAnswers have fixed lengths under: main load. With `--ignore-eos` each is")
	b.Edit = []string{"command: vllm bench serve", "command: vllm bench serve --ignore-eos"}
	require.Contains(t, texts(b), "\nAnswers have fixed lengths: with `--ignore-eos` each is")
}
