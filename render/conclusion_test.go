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
