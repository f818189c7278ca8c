package render_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/study/studytest"
)

// A latency that was bought with throughput is not praised alone, and one that was not
// has no such sentence.
func TestTheConclusionSaysWhatALatencyWasBoughtWith(t *testing.T) {
	t.Parallel()
	r := renderer(t)
	for total, traded := range map[float64]bool{700: true, 1300: false} {
		fast := studytest.Throughput(total)
		fast.TPOT = 5
		plan := studytest.Simple(studytest.Good(), fast)
		plan.Goal = "latency"
		plan.Cases = []studytest.Case{{Workload: "main", YAML: "baseline: one/base\noptimized: one/c1\n"}}
		files := site(t, r, plan.FS())
		for lang, words := range map[string]string{"zh": "代价是总吞吐量从", "en": "Total throughput falls from"} {
			lead, _, _ := strings.Cut(guideOf(t, files, lang), "```")
			require.Equal(t, traded, strings.Contains(lead, words), "%s at %v: %s", lang, total, lead)
		}
	}
}

// guideOf is the exported guide of the only study in a language.
func guideOf(t *testing.T, files map[string][]byte, lang string) string {
	t.Helper()
	for name, data := range files {
		if strings.HasPrefix(name, lang+"/") && strings.HasSuffix(name, "/guide.md") {
			return string(data)
		}
	}
	t.Fatalf("no guide in %s", lang)
	return ""
}

// A study of a CPU says so: how many of its cores, and no word of GPUs or of their memory.
func TestAStudyOfACPUSaysSo(t *testing.T) {
	t.Parallel()
	r := renderer(t)
	for count, want := range map[string]map[string]string{
		"2": {"zh": "2 核 CPU", "en": "2 CPU cores"},
		"1": {"zh": "1 核 CPU", "en": "1 CPU core,"},
	} {
		fast := studytest.Throughput(1300)
		plan := studytest.Simple(studytest.Good(), fast)
		plan.Cases = []studytest.Case{{Workload: "main", YAML: "baseline: one/base\noptimized: one/c1\n"}}
		files := plan.FS()
		name := studytest.Dir + "/study.yaml"
		text := strings.Replace(string(files[name].Data), "gpu: NVIDIA H100 SXM, short: H100, count: 1", "kind: cpu, gpu: Xeon, short: CPU, count: "+count, 1)
		pages := site(t, r, studytest.With(files, map[string]string{name: text}))
		for lang, words := range want {
			guide := guideOf(t, pages, lang)
			lead, _, _ := strings.Cut(guide, "```")
			require.Contains(t, lead, words)
			require.NotContains(t, guide, "GPU")
		}
	}
}

// TestCardsSayThatTheyShowAGain: a percentage beside the name of a latency alone reads as a
// latency that grew.
func TestCardsSayThatTheyShowAGain(t *testing.T) {
	t.Parallel()
	files := site(t, renderer(t), small().FS())
	require.Contains(t, string(files["en/index.html"]), `gain in total throughput: <data class="fact"`)
	require.Contains(t, string(files["zh/index.html"]), `总吞吐量的增益：<data class="fact"`)
}
