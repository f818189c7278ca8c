package executor

import (
	"context"
	"time"
)

// Pace is how long things may take where attempts are jobs. Fields that are zero have
// their default.
type Pace struct {
	First   time.Duration // between the first two looks at a job; 2 s
	Most    time.Duration // between looks that find nothing new; 30 s
	Tail    time.Duration // between looks at the files of the attempt; 1 s
	Command time.Duration // for one command; 1 min
	Submit  time.Duration // to go on trying while the controller does not answer; 30 min
	Lost    time.Duration // without any trace before a job counts as lost; 5 min
	Settle  time.Duration // for a file to show on a shared file system, and for a job to end behind its seal; 1 min
	Grace   time.Duration // for an attempt to end itself; 5 min: a server, then the proof that the GPUs are free
}

// or returns the pace with defaults in place of zeros.
func (p Pace) or() Pace {
	fill := func(d *time.Duration, standard time.Duration) {
		if *d <= 0 {
			*d = standard
		}
	}
	fill(&p.First, 2*time.Second)
	fill(&p.Most, 30*time.Second)
	fill(&p.Tail, time.Second)
	fill(&p.Command, time.Minute)
	fill(&p.Submit, 30*time.Minute)
	fill(&p.Lost, 5*time.Minute)
	fill(&p.Settle, time.Minute)
	fill(&p.Grace, 5*time.Minute)
	return p
}

// slower returns the pause after d. Sites have had trouble with many jobs asked about
// often, and most answers are the same as the last.
func (p Pace) slower(d time.Duration) time.Duration {
	return min(d+d/2, p.Most)
}

// pause waits, and returns early when ctx ends.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
