package attempt

import (
	"time"

	"benchguide/run/proc"
)

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

// MeasuredUntil is the second in which a client counts as having measured that was looked at
// once a second. Its result is what write leaves in the second of that number, and it ends in
// the last one.
func MeasuredUntil(result string, write func() error, written, ended int) (int, error) {
	began := time.Unix(0, 0)
	t := trial{result: result}
	for second := range ended {
		if second == written {
			if err := write(); err != nil {
				return 0, err
			}
		}
		t.look(began.Add(time.Duration(second)*time.Second), proc.Identity{})
	}
	t.end(began.Add(time.Duration(ended) * time.Second))
	_, to := t.measured()
	return int(to.Sub(began).Seconds()), nil
}
