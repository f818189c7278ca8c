package attempt

import (
	"time"

	"benchguide/run/proc"
)

// cpuTrack is how much processor time a client had used at which time.
type cpuTrack struct {
	at   []time.Time
	used []time.Duration
}

// sample looks once. A client that has just ended is not there any more, and what it used
// since the last look is not known.
func (c *cpuTrack) sample(now time.Time, id proc.Identity) {
	tree, err := proc.Tree("", id)
	if err != nil || tree.Processes == 0 {
		return
	}
	// A child that ends takes its time along if nobody has waited for it.
	if n := len(c.used); n > 0 && tree.CPU < c.used[n-1] {
		tree.CPU = c.used[n-1]
	}
	c.at, c.used = append(c.at, now), append(c.used, tree.CPU)
}

// share returns how much of one core the client used between two times: what it does
// before it measures, reading its data, bounds nothing.
func (c *cpuTrack) share(from, to time.Time) (float64, bool) {
	first, last := -1, -1
	for i, at := range c.at {
		if first < 0 || !at.After(from) {
			first = i
		}
		if !at.After(to) {
			last = i
		}
	}
	if first < 0 || last <= first {
		return 0, false
	}
	used, passed := c.used[last]-c.used[first], c.at[last].Sub(c.at[first])
	return used.Seconds() / passed.Seconds(), passed > 0
}
