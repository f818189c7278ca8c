package analyze_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/analyze"
	"benchguide/study/studytest"
)

// TestLengthsOfTheShippedStudies: a dataset's prompts have the lengths that the client
// counted, which every start of ours counted alike.
func TestLengthsOfTheShippedStudies(t *testing.T) {
	t.Parallel()
	h200, throughput := content(t, "qwen3-8b-h200-latency"), throughput14B(t)
	facts(t, h200, 2, map[string]float64{
		"workload/c4:mean_input_tokens": 220.69, "workload/c4:mean_output_tokens": 243.09,
		"workload/c1:mean_input_tokens": 236.5, "workload/c1:mean_output_tokens": 173.7,
		"workload/c64:mean_input_tokens": 224.52, "workload/c64:mean_output_tokens": 193.59,
	})
	require.Len(t, h200.Lengths, 3)
	require.Len(t, throughput.Lengths, 1, "of what the study declares, nothing is measured")
	facts(t, throughput, 0, map[string]float64{"workload/sharegpt:mean_input_tokens": 217,
		"workload/sharegpt:mean_output_tokens.least": 201, "workload/sharegpt:mean_output_tokens.most": 202})
}

// TestLengthsThatDiffer: the model ends its answers where it likes, so some starts have longer
// ones. A start that lost requests was not sent all prompts, and tells nothing of them.
func TestLengthsThatDiffer(t *testing.T) {
	t.Parallel()
	b := studytest.Winner()
	b.Also("other", func(s studytest.Start) studytest.Trial { return studytest.Good() })
	for i, output := range map[int]int{2: 10040, 3: 10130, 4: 9960} {
		trial := b.Starts[i].Trials["other"]
		trial.Output = output
		b.Starts[i].Trials["other"] = trial
	}
	lost := b.Starts[5].Trials["other"]
	lost.Completed, lost.Failed = 50, 50
	b.Starts[5].Trials["other"] = lost
	r := judge(t, b)
	require.Equal(t, []analyze.Lengths{
		{Workload: "main", Input: analyze.Span{Least: "workload/main:mean_input_tokens", Most: "workload/main:mean_input_tokens"},
			Output: analyze.Span{Least: "workload/main:mean_output_tokens", Most: "workload/main:mean_output_tokens"}},
		{Workload: "other", Input: analyze.Span{Least: "workload/other:mean_input_tokens", Most: "workload/other:mean_input_tokens"},
			Output: analyze.Span{Least: "workload/other:mean_output_tokens.least", Most: "workload/other:mean_output_tokens.most"}},
	}, r.Lengths)
	facts(t, r, 2, map[string]float64{"workload/other:mean_input_tokens": 200, "workload/main:mean_output_tokens": 100,
		"workload/other:mean_output_tokens.least": 99.6, "workload/other:mean_output_tokens.most": 101.3})
	for id, inputs := range map[string]int{"workload/main:mean_output_tokens": 2 * len(b.Starts), "workload/other:mean_output_tokens.most": 2} {
		f, _ := r.Facts.Get(id)
		require.Len(t, f.Inputs, inputs, id)
		require.NotEmpty(t, f.Formula)
	}
}
