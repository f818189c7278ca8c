package executor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"benchguide/run/attempt"
)

// Queued is the phase of an attempt whose job has not begun.
const Queued attempt.Phase = "queued"

// state is what a look at a job told.
type state int

const (
	unknown state = iota // nobody answered: nothing follows from it
	absent               // whoever was asked knows no such job
	waiting              // not begun
	running
	ended
)

// sight is a look at a job.
type sight struct {
	state state
	text  string // for a person: why it waits, how it ended
	next  string // what to do about its end
}

// job is an attempt that somebody else runs for us.
type job interface {
	// look asks once what it is at.
	look(ctx context.Context) sight
	// ask asks it to end itself.
	ask(ctx context.Context, s sight) error
	// end ends it for certain.
	end(ctx context.Context) error
	// fetch brings its files back, where they are elsewhere.
	fetch(ctx context.Context) error
}

// follower waits for a job. What it believes, in this order: the attempt's own seal,
// whoever runs the job, and at last the time since the job was seen.
type follower struct {
	pace   Pace
	folder string
	name   string
	job    job
	tail   *tail

	seen   time.Time // when the job was last known to be there
	over   time.Time // when it was first known to have ended, or its seal to be there
	told   string    // last text that was told
	before state     // of the last look
}

// newFollower returns what waits for a job that was last seen then.
func newFollower(j job, pace Pace, folder, name string, last time.Time, seen func(attempt.Event)) *follower {
	return &follower{pace: pace, folder: folder, name: name, job: j, tail: newTail(folder, seen), seen: last}
}

// settle waits for a job that an earlier runner left. That it is lost is no error: nothing
// of it runs any more, which is all that is asked then.
func (f *follower) settle(ctx context.Context) error {
	if err := f.follow(ctx); !errors.Is(err, ErrLost) {
		return err
	}
	return nil
}

// follow returns nil when the folder is sealed and the job has gone, ErrLost when it has
// gone without a seal, and ctx's error when it was ended for that.
func (f *follower) follow(ctx context.Context) error {
	defer f.tail.close()
	wait := f.pace.First
	for {
		if ctx.Err() != nil {
			return f.stop(ctx)
		}
		s := f.look(ctx)
		if ctx.Err() != nil {
			continue // it may be the reason of what was seen
		}
		if done, err := f.judge(ctx, s, time.Now()); done {
			return err
		}
		if s.state != f.before || !f.over.IsZero() {
			wait = f.pace.First // something has happened, and more will: a sealed job ends at once
		}
		f.before = s.state
		f.idle(ctx, wait)
		wait = f.pace.slower(wait)
	}
}

// judge says whether the wait is over, and how.
func (f *follower) judge(ctx context.Context, s sight, now time.Time) (done bool, err error) {
	gone := s.state == ended || s.state == absent
	if gone {
		if err := f.job.fetch(ctx); err != nil {
			s.text += "; " + err.Error()
		}
	}
	switch {
	case sealed(f.folder):
		return f.behindSeal(ctx, gone, now)
	case s.state == ended:
		// The seal may be written and not show here yet.
		if f.since(now) < f.pace.Settle {
			return false, nil
		}
		return true, f.lost(s.text, s.next)
	case s.state == absent:
		if now.Sub(f.seen) < f.pace.Lost {
			return false, nil
		}
		return true, f.lost(fmt.Sprintf("nothing has known of %s for %s", s.text, f.pace.Lost),
			"the cluster's log may say what became of it; a new attempt can be made")
	case s.state == unknown:
		// While nobody answers, absence cannot be told from silence: the clock starts anew.
		f.seen = now
	default:
		f.seen, f.over = now, time.Time{}
		touchNote(f.folder, now)
	}
	return false, nil
}

// behindSeal gives a job the time to end by itself once it has written its seal. Nothing
// that comes later changes what the attempt came to.
func (f *follower) behindSeal(ctx context.Context, gone bool, now time.Time) (bool, error) {
	if !gone && f.since(now) < f.pace.Settle {
		return false, nil
	}
	if !gone {
		// An error here is a job that ends by itself later, or by its time limit.
		_ = f.job.end(ctx)
	}
	return true, tidy(f.folder)
}

// since returns how long the job has been over.
func (f *follower) since(now time.Time) time.Duration {
	if f.over.IsZero() {
		f.over = now
	}
	return now.Sub(f.over)
}

// look asks for the job and tells of what is new.
func (f *follower) look(ctx context.Context) sight {
	ctx, cancel := context.WithTimeout(ctx, f.pace.Command)
	defer cancel()
	s := f.job.look(ctx)
	f.tail.read()
	if (s.state == waiting || s.state == unknown) && s.text != f.told {
		f.told = s.text
		f.tail.seen(attempt.Event{Time: time.Now(), Nonce: f.name, Phase: Queued, Text: s.text})
	}
	return s
}

// idle waits between two looks, handing events on. A seal ends it early.
func (f *follower) idle(ctx context.Context, d time.Duration) {
	had := sealed(f.folder)
	for end := time.Now().Add(d); ctx.Err() == nil; {
		left := time.Until(end)
		if left <= 0 || !had && sealed(f.folder) {
			return
		}
		pause(ctx, min(left, f.pace.Tail))
		f.tail.read()
	}
}

// stop ends the job: first by asking, then for certain.
func (f *follower) stop(ctx context.Context) error {
	why := context.Cause(ctx)
	// What ended the wait must not end the ending.
	ctx = context.WithoutCancel(ctx)
	s := f.look(ctx)
	if s.state == running || s.state == unknown {
		if err := f.job.ask(ctx, s); err == nil {
			s = f.outlast(ctx, f.pace.Grace)
		}
	}
	// A job that waits must not begin, so it is not asked; one that nobody answers for is
	// cancelled too, in case.
	for try := 0; try < 3 && s.state != ended && s.state != absent; try++ {
		if err := f.job.end(ctx); err != nil {
			s.text = err.Error()
		}
		s = f.outlast(ctx, f.pace.Settle)
	}
	if s.state != ended && s.state != absent {
		return fmt.Errorf("the job of %s could not be ended (%s): end it by hand before the run goes on: %w", f.name, s.text, why)
	}
	if err := f.job.fetch(ctx); err != nil {
		return fmt.Errorf("%w: %w", why, err)
	}
	if sealed(f.folder) {
		return tidy(f.folder)
	}
	return fmt.Errorf("the job of %s was ended: %w", f.name, why)
}

// outlast waits until the job has gone, for no longer than d.
func (f *follower) outlast(ctx context.Context, d time.Duration) sight {
	end := time.Now().Add(d)
	for wait := f.pace.First; ; wait = f.pace.slower(wait) {
		s := f.look(ctx)
		if s.state == ended || s.state == absent || time.Now().After(end) {
			return s
		}
		f.idle(ctx, min(wait, max(time.Until(end), f.pace.Tail)))
	}
}

// lost is the error of a job that has gone without a seal.
func (f *follower) lost(found, next string) error {
	return &failure{kind: ErrLost, found: found, next: next, log: lastLines(f.folder)}
}
