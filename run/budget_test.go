package run_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"benchguide/run"
	"benchguide/run/attempt"
	"benchguide/study"
	"benchguide/study/studytest"
)

// timed is a run of which every start takes as long as a test says, and nothing else any time.
type timed struct {
	t       *testing.T
	dir     string
	long    func(o attempt.Order) time.Duration
	now     time.Time
	machine string
	fault   func(o attempt.Order, n int) attempt.Result
	events  []run.Event
	orders  []attempt.Order // of the last invocation
}

func newTimed(t *testing.T, long func(o attempt.Order) time.Duration) *timed {
	return &timed{t: t, dir: place(t, quick()), long: long, now: time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC), machine: "machine-1"}
}

// within is one invocation. It returns what it came to, and how long that took.
func (s *timed) within(budget time.Duration, resume bool) (run.Outcome, time.Duration) {
	s.t.Helper()
	d := &double{fault: s.fault, takes: func(o attempt.Order) *study.Times {
		began := s.now
		s.now = began.Add(s.long(o))
		return &study.Times{Began: began.Format(time.RFC3339), Ended: s.now.Format(time.RFC3339)}
	}}
	with := deps(d, &s.events)
	with.Now, with.Identity = func() time.Time { return s.now }, s.machine
	began := s.now
	out, err := run.Run(context.Background(), run.Options{Dir: s.dir, Name: "r", Budget: budget, Resume: resume}, with)
	require.NoError(s.t, err)
	s.orders = d.orders
	return out, s.now.Sub(began)
}

// cut are the blocks that stay unfinished if the machine is gone now.
func (s *timed) cut() []string {
	s.t.Helper()
	f, problems, err := run.Load(s.dir)
	require.NoError(s.t, err)
	require.Empty(s.t, problems)
	plan, err := run.PlanOf(&f.Study)
	require.NoError(s.t, err)
	return run.Next(f, "r", nil, plan, "elsewhere").Cut
}

// guessed is what a start is taken to last while none was made, without and with empty caches.
func guessed(t *testing.T) (warm, cold time.Duration) {
	t.Helper()
	f, _, err := run.Load(place(t, quick()))
	require.NoError(t, err)
	o := run.OutlookOf(f, "", run.Plan{Points: []int{3}}, run.Step{})
	return o.Each, o.Each + o.Once
}

// most is the number of members of the largest block of quick.
const most = 3

// TestABudgetCutsNoBlockOfAMachineThatIsTakenAway: each sitting is another machine, and has
// time for a block at least.
func TestABudgetCutsNoBlockOfAMachineThatIsTakenAway(t *testing.T) {
	t.Parallel()
	warm, _ := guessed(t)
	for seed := range uint64(6) {
		random := rand.New(rand.NewPCG(seed, 2))
		each := warm + time.Duration(random.Int64N(int64(warm)))
		budget := most*each + time.Duration(random.Int64N(int64(4*each)))
		s := newTimed(t, func(attempt.Order) time.Duration { return each })
		for sitting := 1; ; sitting++ {
			require.Less(t, sitting, mostStarts)
			s.machine = fmt.Sprint("machine-", sitting)
			out, took := s.within(budget, sitting > 1)
			require.LessOrEqual(t, took, budget)
			if out.Done() {
				break
			}
			require.GreaterOrEqual(t, len(s.orders), 2, "there was time for a block")
			require.Empty(t, s.cut(), "seed %d, sitting %d: %s each, %s in all; %s", seed, sitting, each, budget, out.Why)
		}
	}
}

// TestAnyBudgetThatHoldsAStartGetsSomewhereOnAMachineThatStays although it holds no block.
func TestAnyBudgetThatHoldsAStartGetsSomewhereOnAMachineThatStays(t *testing.T) {
	t.Parallel()
	warm, cold := guessed(t)
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(seed, 3))
		each := cold + time.Duration(random.Int64N(int64(warm)))
		budget := each + (cold - warm) + time.Duration(random.Int64N(int64(each)-int64(cold-warm)))
		s := newTimed(t, func(attempt.Order) time.Duration { return each })
		for tries := 0; ; tries++ {
			require.Less(t, tries, mostStarts)
			out, took := s.within(budget, tries > 0)
			require.LessOrEqual(t, took, budget)
			require.NotEmpty(t, s.orders, "%s each, %s in all: %s", each, budget, out.Why)
			if out.Done() {
				break
			}
		}
		notes := 0
		for _, e := range s.events {
			require.NotContains(t, e.Text, "is not completed in another sitting")
			if e.Kind == run.Noted && strings.Contains(e.Text, "is too short for block") {
				notes++
			}
		}
		require.Positive(t, notes)
	}
}

// TestABudgetIsOverrunByTheErrorOfAnEstimateAtMost, which is never larger than what starts
// differ by: also where attempts fail early, and after them.
func TestABudgetIsOverrunByTheErrorOfAnEstimateAtMost(t *testing.T) {
	t.Parallel()
	warm, _ := guessed(t)
	for seed := range uint64(8) {
		random := rand.New(rand.NewPCG(seed, 4))
		shortest, longest := warm*9/10, warm*11/10
		failing := false
		s := newTimed(t, func(attempt.Order) time.Duration {
			if failing = random.IntN(2) == 0; failing {
				return time.Second
			}
			return shortest + time.Duration(random.Int64N(int64(longest-shortest)))
		})
		s.fault = func(attempt.Order, int) attempt.Result {
			if failing {
				return attempt.Result{State: attempt.Failed, Class: study.FailInfra, Reason: "the port is taken"}
			}
			return attempt.Result{}
		}
		for tries := range 40 {
			budget := time.Duration(random.Int64N(int64(8 * warm)))
			if random.IntN(2) == 0 {
				s.machine += "x"
			}
			out, took := s.within(budget, tries > 0)
			require.LessOrEqual(t, took, budget+longest-shortest, "seed %d: %s", seed, out.Why)
			if out.Done() {
				break
			}
		}
	}
}

// TestAnAttemptThatFailedSaysNothingOfHowLongAStartTakes: taken for starts, those that end
// after a second would have a budget hold starts that it does not.
func TestAnAttemptThatFailedSaysNothingOfHowLongAStartTakes(t *testing.T) {
	t.Parallel()
	warm, _ := guessed(t)
	cold := warm + 170*time.Second // of vLLM, as a first start on a machine
	t.Run("within an invocation", func(t *testing.T) {
		t.Parallel()
		s := newTimed(t, func(attempt.Order) time.Duration { return time.Second })
		s.fault = func(attempt.Order, int) attempt.Result {
			return attempt.Result{State: attempt.Failed, Class: study.FailInfra, Reason: "the port is taken"}
		}
		out, _ := s.within(cold, false)
		require.Equal(t, 1, len(s.orders), "the time that is left is a second short of a start")
		require.Contains(t, out.Why, "the next start takes about")
	})
	t.Run("in an earlier one, as starts of candidates that cannot run", func(t *testing.T) {
		t.Parallel()
		failing := func(o attempt.Order) bool { return o.Candidate == "fast" || o.Candidate == "slow" }
		long := 2 * cold
		s := newTimed(t, func(o attempt.Order) time.Duration {
			if failing(o) {
				return time.Second
			}
			return long
		})
		s.fault = func(o attempt.Order, _ int) attempt.Result {
			if failing(o) {
				return attempt.Result{State: attempt.Failed, Class: study.FailConfig, Reason: "no such option"}
			}
			return attempt.Result{}
		}
		// Taken for as long as the first, each of the others just fits; the next stage does not.
		out, _ := s.within(2*long+time.Second, false)
		require.Equal(t, most, len(s.orders), "one start that was measured, and two that were not")
		require.Equal(t, "next", out.Step.Start.Stage)
		out, took := s.within(cold, true)
		require.Zero(t, took, "a start took twice that time: %s", out.Why)
	})
	t.Run("nor has it filled the caches of its engine", func(t *testing.T) {
		t.Parallel()
		p := quick()
		p.Stages[0].Candidates = []studytest.Candidate{{ID: "sg", YAML: "engine: sglang"}, {ID: "sg-more", YAML: "engine: sglang\nadd: --more"}}
		s := newTimed(t, func(o attempt.Order) time.Duration {
			if o.Engine == "sglang" {
				return time.Second
			}
			return cold
		})
		s.dir = place(t, p)
		s.fault = func(o attempt.Order, _ int) attempt.Result {
			if o.Engine == "sglang" {
				return attempt.Result{State: attempt.Failed, Class: study.FailConfig, Reason: "no such option"}
			}
			return attempt.Result{}
		}
		// SGLang takes 20 s less than vLLM to get ready, and 59 s more where its caches are empty.
		out, _ := s.within(2*cold+39*time.Second, false)
		require.Equal(t, 2, len(s.orders), "the time that is left is a second short of a first start of SGLang: %s", out.Why)
	})
}

// TestWhatABudgetSays when a block does not fit, and when it is begun all the same.
func TestWhatABudgetSays(t *testing.T) {
	t.Parallel()
	s := newTimed(t, func(o attempt.Order) time.Duration {
		if o.Candidate == "slow" {
			return 10 * time.Minute
		}
		return 5 * time.Minute
	})
	out, took := s.within(39*time.Minute, false)
	require.Equal(t, 20*time.Minute, took, "one block of 5, 5 and 10 minutes")
	require.Regexp(t, `^the budget of 39 min 00 s has 19 min 00 s left, and block 2 of one \([a-z, ]{16}\) would take about 20 min 00 s: it is not begun, since a block that the end of a sitting cuts compares nothing; --resume goes on with it$`, out.Why)
	require.Equal(t, run.Stopped, s.events[len(s.events)-1].Kind)

	// An invocation that was given less begins it, and one on the same machine goes on with it.
	s.events = nil
	out, took = s.within(19*time.Minute, true)
	require.GreaterOrEqual(t, took, 9*time.Minute)
	require.Regexp(t, `^the budget of 19 min 00 s is spent: the next start takes about (5|10) min 00 s, and (4|9) min 00 s are left; --resume goes on, on this machine before its next boot with block 2, and elsewhere with another block$`, out.Why)
	require.Equal(t, run.Noted, s.events[1].Kind)
	require.Regexp(t, `^The budget of 19 min 00 s is too short for block 2 of one \([a-z, ]{16}\), which takes about 20 min 00 s: it is begun all the same, and has to be completed by --resume on this machine before its next boot, or else compares nothing\.$`, s.events[1].Text)
	require.Len(t, s.cut(), 1)
	_, took = s.within(10*time.Minute, true)
	require.Positive(t, took)
	require.Empty(t, s.cut())

	// Elsewhere an engine may find its caches empty.
	s.machine = "machine-2"
	out, took = s.within(7*time.Minute, true)
	require.Zero(t, took)
	require.Equal(t, "the budget of 7 min 00 s is spent: the next start takes about 7 min 50 s, and 7 min 00 s are left; --resume goes on", out.Why)
	require.NoDirExists(t, filepath.Join(s.dir, "runs", "r", "one", "base", "start-3"))
}
