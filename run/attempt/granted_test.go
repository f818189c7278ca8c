package attempt_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/study"
)

func TestAJobUsesTheGPUsThatItWasGiven(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		visible string
		profile []int
		want    []int
	}{
		{"some", "2,3", nil, []int{2, 3}},
		{"before the machine's own", "1", []int{0}, []int{1}},
		{"nothing said", "", []int{4}, []int{4}},
		{"names and no numbers", "GPU-1f2e,GPU-77aa", nil, []int{0, 1}},
		{"a number that is none", "-1", nil, []int{0, 1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o := anOrder()
			o.Hardware.Count, o.Machine.NoGPU, o.Machine.GPUs = 2, false, test.profile
			require.Equal(t, test.want, o.Granted(test.visible).GPUs())
			o.Hardware.Kind = study.KindCPU
			require.Empty(t, o.Granted(test.visible).GPUs(), "a study of a CPU has none")
		})
	}
}
