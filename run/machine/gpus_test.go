package machine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/run/machine"
)

func TestGPUsThatWereLeftToTheProcessAreUsed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		visible string
		granted bool
		profile []int
		want    []int
	}{
		{"some", "2, 3", false, nil, []int{2, 3}},
		{"the machine's own go before them", "1", false, []int{0}, []int{0}},
		{"a scheduler's go before the machine's own", "1", true, []int{0}, []int{1}},
		{"nothing said", "", true, []int{4}, []int{4}},
		{"names and no numbers", "GPU-1f2e,GPU-77aa", true, []int{4}, []int{4}},
		{"a number that is none", "-1", false, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, machine.Profile{GPUs: c.profile}.Seeing(c.visible, c.granted).GPUs)
		})
	}
}
