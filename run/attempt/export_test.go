package attempt

import "time"

// What is hard to see from outside, for tests.
var (
	SameVersion = sameVersion
	TokensNow   = tokensNow
)

// CPUShare is the share of a core that a client used between two times, in seconds after
// the first sample, which are one second apart.
func CPUShare(used []time.Duration, from, to float64) (float64, bool) {
	began := time.Unix(0, 0)
	var c cpuTrack
	for i, u := range used {
		c.at, c.used = append(c.at, began.Add(time.Duration(i)*time.Second)), append(c.used, u)
	}
	after := func(s float64) time.Time { return began.Add(time.Duration(s * float64(time.Second))) }
	return c.share(after(from), after(to))
}
