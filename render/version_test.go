package render_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/study/studytest"
)

// versions is a stage in which another version of the engine wins, by the same command.
func versions() studytest.Blocks {
	p := studytest.Fleet("fast", "flat")
	p.Stages[0].Candidates[0].YAML = "version: v0.9.0"
	b := p.Blocks(3, studytest.Noisy(studytest.Gains()))
	b.Each(`"engine": "vllm", "version": "v0.9.0"`, studytest.Of("one/fast"))
	b.Own = true
	return b
}

// TestACommandNamesItsVersionWhereSeveralAreCompared: the command is the same in all of
// them, and whoever copies it would start another one than was measured.
func TestACommandNamesItsVersionWhereSeveralAreCompared(t *testing.T) {
	t.Parallel()
	files, report := pages(t, renderer(t), versions())
	require.Equal(t, "v0.9.0", report.Final.Version)
	require.Equal(t, report.Baseline.Command, report.Final.Command)
	for lang, titles := range map[string][]string{
		"en": {"Recommended serving command, vLLM v0.9.0", "Serving command of the baseline, vLLM v0.11.0", "Serving command of the optimized configuration, vLLM v0.9.0", "Serving command, vLLM v0.9.0"},
		"zh": {"推荐的推理服务命令，vLLM v0.9.0", "基准配置的推理服务命令，vLLM v0.11.0", "优化后配置的推理服务命令，vLLM v0.9.0", "推理服务命令，vLLM v0.9.0"},
	} {
		guide := files[lang+"/small/guide.md"]
		for _, title := range titles {
			require.Contains(t, guide, `title="`+title+`"`)
		}
	}
	guide := files["en/small/guide.md"]
	require.Contains(t, guide, "| Inference engines | vLLM v0.11.0, vLLM v0.9.0 |")
	require.Regexp(t, `(?m)^\| vLLM v0\.9\.0 \|[^|]+\| 3 \|`, guide, "how long it took to be ready is said of each version")
	require.Regexp(t, `(?m)^\| vLLM v0\.11\.0 \|[^|]+\| 6 \|`, guide)
	require.Contains(t, files["en/small/reproduce.sh"], "installed vLLM 0.9.0 vllm --version")
	// A single version goes without saying.
	files, _ = pages(t, renderer(t), undecided())
	require.NotContains(t, files["en/small/guide.md"], "Serving command, vLLM")
}

// TestAnIncumbentIsNamedWithItsEngineBesideAnother: its own name says which change made it
// the incumbent, and that is not what the candidates of such a stage differ by.
func TestAnIncumbentIsNamedWithItsEngineBesideAnother(t *testing.T) {
	t.Parallel()
	b := studytest.TwoStages()
	files, report := pages(t, renderer(t), b)
	require.Equal(t, "one/fast", report.Stages[1].Incumbent)
	require.NotContains(t, files["en/small/guide.md"], "(vLLM v0.11.0)", "both sides run the same engine")

	b.Plan.Stages[1].Candidates[0].YAML = "version: v0.9.0"
	b.Each(`"engine": "vllm", "version": "v0.9.0"`, studytest.Of("next/more"))
	files, report = pages(t, renderer(t), b)
	require.Equal(t, "v0.9.0", report.Stages[1].Candidates[0].Configuration.Version)
	require.Contains(t, files["en/small/guide.md"], "fast (vLLM v0.11.0)")
	require.Contains(t, files["zh/small/guide.md"], "fast（vLLM v0.11.0）")
}
