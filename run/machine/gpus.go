package machine

import (
	"strconv"
	"strings"
)

// VisibleGPUs is the variable that restricts a process to some GPUs. A run sets it.
const VisibleGPUs = "CUDA_VISIBLE_DEVICES"

// Seeing returns the profile where that variable already stands in the environment: what it
// lists is what somebody left to this process, and the others may be somebody else's. GPUs
// that the profile names itself go before it, unless a scheduler has granted what is listed,
// since the profile knows nothing of other jobs on the node. A list that is none of numbers
// changes nothing.
func (p Profile) Seeing(visible string, granted bool) Profile {
	if len(p.GPUs) > 0 && !granted {
		return p
	}
	var all []int
	for _, word := range strings.Split(visible, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || n < 0 {
			return p
		}
		all = append(all, n)
	}
	p.GPUs = all
	return p
}
