package run_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/run"
	"benchguide/run/attempt"
	"benchguide/study"
	"benchguide/study/studytest"
)

// quick is a plan of few starts.
func quick() studytest.Plan {
	p := two()
	p.YAML = "run: {blocks: 3, confirm: 1}\n"
	return p
}

func TestARunLeavesWhatAGuideNeeds(t *testing.T) {
	t.Parallel()
	dir := place(t, two())
	var events []run.Event
	d := &double{events: true}
	out, err := run.Run(context.Background(), run.Options{Dir: dir, Client: "vLLM bench CLI 0.26.0"}, deps(d, &events))
	require.NoError(t, err)
	require.True(t, out.Done(), out.Why)
	require.Equal(t, "2026-12-01", out.Run)
	require.Equal(t, "next/more", out.Step.FinalOf)
	require.Equal(t, len(d.orders), out.Made)

	f, problems := study.Load(os.DirFS(filepath.Dir(dir)), filepath.Base(dir))
	require.Empty(t, problems)
	current, ok := f.Current()
	require.True(t, ok)
	require.Equal(t, out.Run, current.ID)
	require.Equal(t, "vLLM bench CLI 0.26.0", current.Info.Client)
	require.Empty(t, current.Info.Mark)
	require.NotNil(t, current.Info.Seed)
	require.Equal(t, run.MeasuredBy(f).Digest(), current.Info.Plan)
	require.NoDirExists(t, filepath.Join(out.Dir, ".work"), "nothing of no use is left")

	nonces := map[string]bool{}
	for _, o := range d.orders {
		require.Regexp(t, `^[a-z][a-z0-9-]{8,59}$`, o.Nonce)
		require.False(t, nonces[o.Nonce])
		nonces[o.Nonce] = true
		require.Equal(t, "sitting-1", o.Sitting)
		require.NotContains(t, o.Command, "Qwen3-8B-FP8")
	}
	kinds := map[run.Kind]int{}
	for _, e := range events {
		kinds[e.Kind]++
		require.NotEmpty(t, e.Text)
	}
	require.Equal(t, map[run.Kind]int{run.Began: 1, run.Ordered: out.Made, run.Phased: out.Made, run.Finished: out.Made,
		run.LeftStage: 1, run.Decided: 2, run.Confirmed: 2, run.Ended: 1}, kinds)
	kept, err := run.ReadJournal(out.Dir)
	require.NoError(t, err)
	require.Len(t, kept, len(events)-kinds[run.Phased], "the journal has everything but progress")
}

// TestAnOrderIsInNoRepository: it has the environment of machine.yaml, tokens among it, and lies
// in the study's folder while a run lasts, which may be nights.
func TestAnOrderIsInNoRepository(t *testing.T) {
	t.Parallel()
	dir := place(t, quick())
	d := &double{cancel: func(int) {
		found, err := filepath.Glob(filepath.Join(dir, "runs", "*", ".work", "*.order.json"))
		require.NoError(t, err)
		require.Len(t, found, 1)
		ignored, err := os.ReadFile(filepath.Join(filepath.Dir(found[0]), ".gitignore"))
		require.NoError(t, err)
		require.Equal(t, "*\n", string(ignored))
	}}
	_, err := run.Run(context.Background(), run.Options{Dir: dir}, deps(d, nil))
	require.NoError(t, err)
}

// TestAKilledRunEndsAsAnUndisturbedOne whatever the moments at which it was killed.
func TestAKilledRunEndsAsAnUndisturbedOne(t *testing.T) {
	t.Parallel()
	undisturbed := place(t, quick())
	out, err := run.Run(context.Background(), run.Options{Dir: undisturbed, Rehearse: &attempt.Rehearse{}}, deps(&double{}, nil))
	require.NoError(t, err)
	require.True(t, out.Done(), out.Why)
	require.Equal(t, "rehearsal", out.Run)
	want := files(t, undisturbed)
	require.NotEmpty(t, want)

	for seed := range uint64(5) { // the program itself is killed as well, in its own package
		random := rand.New(rand.NewPCG(seed, 1))
		dir := place(t, quick())
		kills := 0
		kill := func(int) moment {
			if random.IntN(4) > 0 {
				return never
			}
			kills++
			return []moment{before, halfway, sealed}[random.IntN(3)]
		}
		for tries := 0; ; tries++ {
			require.Less(t, tries, mostStarts)
			var out run.Outcome
			var err error
			options := run.Options{Dir: dir, Rehearse: &attempt.Rehearse{}, Resume: tries > 0}
			if survive(func() { out, err = run.Run(context.Background(), options, deps(&double{kill: kill}, nil)) }) {
				require.NoError(t, err)
				require.True(t, out.Done(), out.Why)
				break
			}
		}
		require.Positive(t, kills)
		require.Empty(t, cmp.Diff(want, files(t, dir)), "seed %d", seed)
	}
}

// TestARunThatWasKilledAtItsVeryEndIsTidiedUp: everything was measured and nothing said.
func TestARunThatWasKilledAtItsVeryEndIsTidiedUp(t *testing.T) {
	t.Parallel()
	dir := place(t, quick())
	out, err := run.Run(context.Background(), run.Options{Dir: dir}, deps(&double{}, nil))
	require.NoError(t, err)
	_, err = run.Run(context.Background(), run.Options{Dir: dir, Resume: true}, deps(&double{}, nil))
	require.ErrorContains(t, err, "there is no unfinished run")
	work, half := filepath.Join(out.Dir, ".work"), filepath.Join(dir, "runs", "."+out.Run+".part-1")
	for _, name := range []string{"", out.Run} {
		require.NoError(t, os.MkdirAll(filepath.Join(work, "abandoned", "old"), 0o755))
		require.NoError(t, os.MkdirAll(half, 0o755))
		again, err := run.Run(context.Background(), run.Options{Dir: dir, Name: name, Resume: true}, deps(&double{}, nil))
		require.NoError(t, err)
		require.True(t, again.Done())
		require.Equal(t, out.Run, again.Run)
		require.Equal(t, out.Made, again.Made)
		require.NoDirExists(t, work)
		require.NoDirExists(t, half)
	}
}

// TestAClockThatIsSetChangesNothing but the times in the journal.
func TestAClockThatIsSetChangesNothing(t *testing.T) {
	t.Parallel()
	steady, jumping := place(t, quick()), place(t, quick())
	for dir, now := range map[string]func() time.Time{steady: clock(), jumping: jumps()} {
		d := deps(&double{}, nil)
		d.Now = now
		out, err := run.Run(context.Background(), run.Options{Dir: dir, Name: "r", Rehearse: &attempt.Rehearse{}}, d)
		require.NoError(t, err)
		require.True(t, out.Done(), out.Why)
	}
	require.Empty(t, cmp.Diff(files(t, steady), files(t, jumping)))
}

// jumps is a clock that somebody sets back and forth, by a year at most, within one day of the
// run's beginning.
func jumps() func() time.Time {
	n, begun := 0, time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	return func() time.Time {
		n++
		if n < 5 {
			return begun
		}
		return begun.AddDate(n%3-1, 0, 0)
	}
}

func TestFailedAttemptsAreFiledAndCounted(t *testing.T) {
	t.Parallel()
	dir := place(t, quick())
	fault := func(class string) attempt.Result {
		return attempt.Result{State: attempt.Failed, Class: class, Reason: "it broke"}
	}
	d := &double{lost: func(n int) bool { return n == 2 }, fault: func(o attempt.Order, n int) attempt.Result {
		switch {
		case n == 4:
			return fault(study.FailInfra)
		case o.Candidate == "slow":
			return fault(study.FailFlaky)
		case o.Candidate == "flat":
			return fault(study.FailConfig)
		}
		return attempt.Result{}
	}}
	var events []run.Event
	out, err := run.Run(context.Background(), run.Options{Dir: dir}, deps(d, &events))
	require.NoError(t, err)
	require.True(t, out.Done(), out.Why)
	failed, err := run.ReadFailed(out.Dir)
	require.NoError(t, err)
	classes := map[string]int{}
	for _, f := range failed {
		classes[f.Class]++
		require.NotEmpty(t, f.Reason)
	}
	require.Equal(t, map[string]int{study.FailInfra: 2, study.FailFlaky: 1}, classes)
	journal, err := os.ReadFile(filepath.Join(out.Dir, run.JournalFile))
	require.NoError(t, err)
	require.Contains(t, string(journal), "is lost: the node is gone: NODE=[host], [path].", "it is published, and the screen is not")
	f, problems := study.Load(os.DirFS(filepath.Dir(dir)), filepath.Base(dir))
	require.Empty(t, problems)
	require.Equal(t, study.FailFlaky, f.Runs[0].Failure("one/slow").Class, "the second time it is a result")
	require.Equal(t, study.FailConfig, f.Runs[0].Failure("next/flat").Class)
}

func TestThreeFailuresOfTheMachineStopTheRunUntilSomebodyResumes(t *testing.T) {
	t.Parallel()
	dir := place(t, quick())
	broken := true
	d := &double{fault: func(o attempt.Order, _ int) attempt.Result {
		if broken && o.Candidate == "fast" {
			return attempt.Result{State: attempt.Failed, Class: study.FailInfra, Reason: "the port is taken"}
		}
		return attempt.Result{}
	}}
	out, err := run.Run(context.Background(), run.Options{Dir: dir}, deps(d, nil))
	require.NoError(t, err)
	require.False(t, out.Done())
	require.Contains(t, out.Why, "3 attempts at one/fast in a row failed by the machine, the last with: the port is taken")
	broken = false
	out, err = run.Run(context.Background(), run.Options{Dir: dir, Resume: true}, deps(d, nil))
	require.NoError(t, err)
	require.True(t, out.Done(), out.Why)
}

func TestABudgetEndsARunCleanly(t *testing.T) {
	t.Parallel()
	dir := place(t, quick())
	var events []run.Event
	d := &double{}
	out, err := run.Run(context.Background(), run.Options{Dir: dir, Budget: time.Hour}, deps(d, &events))
	require.NoError(t, err)
	require.Contains(t, out.Why, "the budget of 1 h 00 min is spent")
	require.Positive(t, out.Made)
	require.NotNil(t, out.Step.Start)
	last := events[len(events)-1]
	require.Equal(t, run.Stopped, last.Kind)
	made := out.Made
	out, err = run.Run(context.Background(), run.Options{Dir: dir, Resume: true}, deps(d, nil))
	require.NoError(t, err)
	require.True(t, out.Done(), out.Why)
	require.Len(t, d.orders, out.Made, "none of the first %d was repeated", made)
}

func TestADirtyGPUEndsTheRun(t *testing.T) {
	t.Parallel()
	dir := place(t, quick())
	d := &double{fault: func(_ attempt.Order, n int) attempt.Result { return attempt.Result{Dirty: n == 2} }}
	out, err := run.Run(context.Background(), run.Options{Dir: dir}, deps(d, nil))
	require.NoError(t, err)
	require.Contains(t, out.Why, "the GPUs did not come free")
	require.Len(t, d.orders, 2)
	require.Len(t, files(t, filepath.Join(out.Dir, "one")), 6, "what was measured is kept")
}

func TestAStoppedRunKeepsWhatIsFinished(t *testing.T) {
	t.Parallel()
	dir := place(t, quick())
	ctx, cancel := context.WithCancel(context.Background())
	d := &double{cancel: func(n int) {
		if n == 3 {
			cancel()
		}
	}}
	out, err := run.Run(ctx, run.Options{Dir: dir}, deps(d, nil))
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 2, len(glob(t, out.Dir, "*/*/start-*")))
	require.Len(t, glob(t, out.Dir, "*/*/failed-1"), 1, "the attempt in hand is kept as one that a person stopped")
	out, err = run.Run(context.Background(), run.Options{Dir: dir, Resume: true}, deps(&double{}, nil))
	require.NoError(t, err)
	require.True(t, out.Done(), out.Why)
}

func glob(t *testing.T, dir, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, pattern))
	require.NoError(t, err)
	return found
}

func TestAnotherMachineIsAnotherSitting(t *testing.T) {
	t.Parallel()
	dir := place(t, quick())
	d := &double{}
	_, err := run.Run(context.Background(), run.Options{Dir: dir, Budget: time.Hour}, deps(d, nil))
	require.NoError(t, err)
	made := len(d.orders)
	elsewhere := deps(d, nil)
	elsewhere.Identity = "machine-2"
	out, err := run.Run(context.Background(), run.Options{Dir: dir, Resume: true}, elsewhere)
	require.NoError(t, err)
	require.True(t, out.Done(), out.Why)
	for i, o := range d.orders {
		require.Equal(t, i < made, o.Sitting == "sitting-1")
	}
	require.True(t, d.orders[made].Candidate == study.IncumbentSide || d.orders[made].Candidate == "base", "a sitting begins with the incumbent")
}

func TestWhatARunRefuses(t *testing.T) {
	t.Parallel()
	unfinished := func(t *testing.T, dir string) {
		_, err := run.Run(context.Background(), run.Options{Dir: dir, Budget: time.Hour}, deps(&double{}, nil))
		require.NoError(t, err)
	}
	edit := func(old, new string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			unfinished(t, dir)
			name := filepath.Join(dir, "study.yaml")
			data, err := os.ReadFile(name)
			require.NoError(t, err)
			require.Contains(t, string(data), old)
			require.NoError(t, os.WriteFile(name, []byte(strings.Replace(string(data), old, new, 1)), 0o644))
		}
	}
	for _, c := range []struct {
		name    string
		before  func(t *testing.T, dir string)
		options run.Options
		want    string // "" if the run goes on
	}{
		{"an unfinished run", unfinished, run.Options{}, "run 2026-12-01 is not finished: go on with it by --resume"},
		{"another one beside it", unfinished, run.Options{Name: "other"}, ""},
		{"nothing to resume", nil, run.Options{Resume: true}, "there is no unfinished run of small"},
		{"no such run", nil, run.Options{Resume: true, Name: "x"}, "there is no run x of small"},
		{"a name with a slash", nil, run.Options{Name: "a/b"}, `"a/b" cannot be the name of a run`},
		{"a name with a space", nil, run.Options{Name: "a b"}, `"a b" cannot be the name of a run`},
		{"a rehearsal is another kind", unfinished, run.Options{Name: "2026-12-01", Resume: true, Rehearse: &attempt.Rehearse{}}, "is of another kind"},
		{"changed options", edit("add: --fast", "add: --faster"), run.Options{Resume: true},
			"the study has changed since run 2026-12-01 began, in what its prompts or its starts were made with: candidate one/fast (add); what it measures from now on could not be compared with what is there: undo that, or begin another run with --name"},
		{"changed options of what has no start", edit("add: --more", "add: --most"), run.Options{Resume: true},
			"the study has changed since run 2026-12-01 began: candidate next/more; undo that, begin another run with --name, or go on with --accept-changes"},
		{"a new stage", edit("\nrun:", "\n  - id: last\n    title: {zh: 后, en: Last}\n    question: {zh: 快吗？, en: Faster?}\n    candidates:\n      - id: new\n        name: {zh: 新, en: new}\n        add: --new\nrun:"), run.Options{Resume: true},
			"began: stage last (new); undo that"},
		{"a stage gone", edit("  - id: next", "  - id: other"), run.Options{Resume: true}, "began: stage other (new), stage next (gone); undo that"},
		{"a new candidate, accepted", edit("      - id: flat", "      - id: new\n        name: {zh: 新, en: new}\n        add: --new\n      - id: flat"), run.Options{Resume: true, AcceptChanges: true}, ""},
		{"changed texts", edit("A small study", "A tiny study"), run.Options{Resume: true}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := place(t, quick())
			if c.before != nil {
				c.before(t, dir)
			}
			c.options.Dir = dir
			d := &double{}
			var events []run.Event
			out, err := run.Run(context.Background(), c.options, deps(d, &events))
			if c.want == "" {
				require.NoError(t, err)
				require.True(t, out.Done(), out.Why)
				return
			}
			var refusal *run.Refusal
			require.ErrorAs(t, err, &refusal)
			require.Contains(t, err.Error(), c.want)
			require.Empty(t, d.orders, "nothing is started")
		})
	}
}

// TestWhichChangesOfAStudyARunGoesOnWith when a person accepts them: those that leave what
// was made so far comparable with what comes. The others are refused, by name.
func TestWhichChangesOfAStudyARunGoesOnWith(t *testing.T) {
	t.Parallel()
	const stage = "\n  - id: last\n    title: {zh: 后, en: Last}\n    question: {zh: 快吗？, en: Faster?}\n    candidates:\n      - id: new\n        name: {zh: 新, en: new}\n        add: --new\n"
	for _, c := range []struct {
		name     string
		old, new string
		begun    string // what is named while the run has no start; "" if it goes on
		made     string // the same with the starts of a block
	}{
		{"the model", "Qwen/Qwen3-8B,", "Qwen/Qwen3-14B,", "the model (id)", "the model (id)"},
		{"a load", "prompts: 100, command", "prompts: 200, command", "workload other (prompts)", "workload other (prompts)"},
		{"the load in the client's command", "100, concurrency: 4, command: vllm bench serve", "100, concurrency: 4, command: vllm bench serve --burstiness 2", "workload main (command)", "workload main (command)"},
		{"where prompts are from", "id: sharegpt\n", "id: sharegpt\n    file: other.json\n", "dataset sharegpt (File)", "dataset sharegpt (File)"},
		{"the seed", "run: {", "run: {seed: 5, ", "the plan of the run (seed)", "the plan of the run (seed)"},
		{"prompts of the warm-up", "run: {", "run: {warmup: 5, ", "the plan of the run (warmup)", "the plan of the run (warmup)"},
		{"the temperature", "run: {", "run: {temperature: 1, ", "", "the plan of the run (temperature)"},
		{"how many blocks confirm", "confirm: 1", "confirm: 2", "", ""},
		{"how many blocks decide", "blocks: 3", "blocks: 6", "", ""},
		{"the hardware", "gpu: NVIDIA H100 SXM", "gpu: NVIDIA H200", "", "the hardware (gpu)"},
		{"its short name", "short: H100", "short: Hopper", "", ""},
		{"the objective", "goal: throughput", "goal: latency", "", "the objective (goal)"},
		{"the version of an engine", "vllm: v0.11.0", "vllm: v0.12.0", "", "the engines (vllm)"},
		{"the version of an engine that was not started", "sglang: v0.5.3", "sglang: v0.5.4", "", ""},
		{"the baseline", "engine: vllm\n", "engine: vllm\n  add: --new\n", "", "the baseline (add)"},
		{"a candidate", "add: --fast", "add: --faster", "", "candidate one/fast (add)"},
		{"a candidate without a start", "add: --more", "add: --most", "", ""},
		{"a candidate more", "      - id: flat", "      - id: new\n        name: {zh: 新, en: new}\n        add: --new\n      - id: flat", "", ""},
		{"a stage more", "\nrun:", stage + "run:", "", ""},
		{"a stage without a start under another name", "  - id: next", "  - id: other", "", ""},
	} {
		for want, budget := range map[string]time.Duration{"begun": time.Nanosecond, "made": 30 * time.Minute} {
			t.Run(c.name+" of a run that is "+want, func(t *testing.T) {
				t.Parallel()
				dir := place(t, quick())
				out, err := run.Run(context.Background(), run.Options{Dir: dir, Budget: budget}, deps(&double{}, nil))
				require.NoError(t, err)
				fixed := c.begun
				if want == "made" {
					fixed = c.made
					require.DirExists(t, filepath.Join(out.Dir, "one", "fast", "start-1"))
				} else {
					require.Zero(t, out.Made)
				}
				name := filepath.Join(dir, "study.yaml")
				data, err := os.ReadFile(name)
				require.NoError(t, err)
				require.Contains(t, string(data), c.old)
				require.NoError(t, os.WriteFile(name, []byte(strings.Replace(string(data), c.old, c.new, 1)), 0o644))
				before := everything(t, dir)
				d := &double{}
				out, err = run.Run(context.Background(), run.Options{Dir: dir, Resume: true, AcceptChanges: true}, deps(d, nil))
				if fixed == "" {
					require.NoError(t, err)
					require.True(t, out.Done(), out.Why)
					return
				}
				var refusal *run.Refusal
				require.ErrorAs(t, err, &refusal)
				require.Contains(t, err.Error(), "in what its prompts or its starts were made with: "+fixed+"; ")
				require.Empty(t, d.orders)
				require.Empty(t, cmp.Diff(before, everything(t, dir)), "nothing is written")
			})
		}
	}
}

func TestTwoRunnersDoNotWorkOnOneRun(t *testing.T) {
	t.Parallel()
	dir := place(t, quick())
	d := &double{}
	var refused []error
	d.cancel = func(n int) {
		if n != 2 {
			return
		}
		for _, resume := range []bool{false, true} {
			_, err := run.Run(context.Background(), run.Options{Dir: dir, Resume: resume}, deps(&double{}, nil))
			refused = append(refused, err)
		}
	}
	out, err := run.Run(context.Background(), run.Options{Dir: dir}, deps(d, nil))
	require.NoError(t, err)
	require.True(t, out.Done(), out.Why)
	require.Len(t, refused, 2)
	for _, err := range refused {
		require.ErrorContains(t, err, "another benchguide run is working on")
		require.ErrorContains(t, err, "benchguide run --logs follows it")
	}
}

func TestATornJournalIsReadAndContinued(t *testing.T) {
	t.Parallel()
	dir := place(t, quick())
	out, err := run.Run(context.Background(), run.Options{Dir: dir, Budget: time.Hour}, deps(&double{}, nil))
	require.NoError(t, err)
	name := filepath.Join(out.Dir, run.JournalFile)
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	before, err := run.ReadJournal(out.Dir)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(name, data[:len(data)-9], 0o644))
	_, err = run.Run(context.Background(), run.Options{Dir: dir, Resume: true}, deps(&double{}, nil))
	require.NoError(t, err)
	after, err := run.ReadJournal(out.Dir)
	require.NoError(t, err)
	require.Equal(t, before[:len(before)-1], after[:len(before)-1], "the torn line is lost, and no other")
	require.Equal(t, run.Began, after[len(before)-1].Kind)
}
