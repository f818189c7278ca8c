package prompts

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"

	"benchguide/bench"
	"benchguide/bench/tokenizer"
	"benchguide/study"
)

// Request is what the prompts of a run depend on, and nothing else.
type Request struct {
	Study study.Study
	Dir   string            // the study's folder; its datasets' files are relative to it
	Files map[string]string // dataset id to a file of this machine, which goes first
	Seed  int
	// Warmup is the number of prompts to warm up with; 0 for twice the largest
	// concurrency, at least 8.
	Warmup int

	Tokenizer string        // tokenizer.json of the model, or a folder that may have one; empty for none
	Server    *bench.Client // counts where there is no such file; nil for none
	Rehearse  bool          // a dataset without a file is then made up
}

// job is a list to be filled.
type job struct {
	name    string
	want    int
	dataset string
	input   int // tokens of each prompt; 0 for those of the dataset
	output  int // tokens of each answer; 0 for those of the dataset
}

// synthetic reports whether the workload states all lengths, and needs no file.
func (j job) synthetic() bool { return j.input > 0 && j.output > 0 }

// Prepare makes the lists. No text is in two of them, or twice in one; the same request
// gives the same bytes. Workloads take their prompts first and in the study's order, so
// that another warm-up does not change them.
func Prepare(ctx context.Context, r Request) (Set, error) {
	jobs, err := r.jobs()
	if err != nil {
		return Set{}, err
	}
	count, how := r.counter(ctx)
	d := dealer{request: r, count: count, seen: map[string]bool{}, pools: map[string]*pool{}}
	set := Set{Seed: r.Seed}
	for _, j := range jobs {
		list, err := d.deal(ctx, j, jobs)
		if err != nil {
			return Set{}, err
		}
		list.Counted = how
		if list.Input, err = total(ctx, count, list.Prompts); err != nil {
			return Set{}, err
		}
		set.Lists = append(set.Lists, list)
	}
	last := len(set.Lists) - 1 // the warm-up, which is sent first
	set.Lists = append([]List{set.Lists[last]}, set.Lists[:last]...)
	return set, nil
}

// jobs are the workloads and, last, the warm-up, whose prompts are like those of the
// workload that decides.
func (r Request) jobs() ([]job, error) {
	var jobs []job
	var warm *job
	most := 0
	for _, w := range r.Study.Workloads {
		if w.ID == study.WarmupPrompts {
			return nil, fmt.Errorf("a workload cannot be called %q, which is the name of the warm-up; give it another id", w.ID)
		}
		j := job{w.ID, w.Prompts, w.Dataset, w.InputTokens, w.OutputTokens}
		jobs = append(jobs, j)
		most = max(most, w.Concurrency)
		if w.ID == r.Study.Objective.Workload || warm == nil {
			warm = &job{study.WarmupPrompts, 0, j.dataset, j.input, j.output}
		}
	}
	if warm == nil {
		return nil, errors.New("the study has no workloads, so there is nothing to send")
	}
	const least = 8
	warm.want = r.Warmup
	if r.Warmup <= 0 {
		warm.want = max(2*most, least)
	}
	return append(jobs, *warm), nil
}

// counter returns the best counter that there is, and its name. A tokenizer that is not
// there, or is of a kind that is not read here, stops no run: lengths are then less
// exact, and prompts.json says so.
func (r Request) counter(ctx context.Context) (bench.Counter, string) {
	why := ""
	if r.Tokenizer != "" {
		t, err := tokenizer.Open(r.Tokenizer)
		if err == nil {
			return t, ByFile
		}
		if !errors.Is(err, fs.ErrNotExist) {
			why = Unread
		}
	}
	if r.Server != nil {
		if c := bench.CounterOf(ctx, r.Server); c.Exact() {
			return c, ByServer + why
		}
	}
	return bench.Approximate(), Roughly + why
}

// total counts prompts again after they were cleaned: what is sent is what is counted.
func total(ctx context.Context, count bench.Counter, prompts []bench.Prompt) (int, error) {
	sum := 0
	for _, p := range prompts {
		n, err := count.Count(ctx, p.Text)
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}

// seedOf makes independent seeds of one: by purpose and number.
func seedOf(seed int, purpose string, n int) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\n%s\n%d", seed, purpose, n))
	return binary.BigEndian.Uint64(sum[:])
}
