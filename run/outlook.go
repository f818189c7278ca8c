package run

import (
	"slices"
	"time"

	"benchguide/study"
)

// Outlook is how much of a run is still to be done.
type Outlook struct {
	Least, Most         int // starts
	LeastTime, MostTime time.Duration
	Each                time.Duration // one start, on the average of those that are still to be made
	Block, BlockCold    time.Duration // what the block under way still takes, and what of it is for caches that may be empty
	Once                time.Duration // within the times, for caches that the first starts of this sitting may have to fill
	Measured            bool          // the times come from starts that were made
	Guess               string        // what they are from if they do not
	Idle                []IdleLook    // looks that cannot decide their stage
}

// OutlookOf counts what a run has before it. At least: every look that can decides its
// stage, and nothing is better than the incumbent. At most: none does before the last one,
// and each stage changes something.
func OutlookOf(f *study.Folder, run string, plan Plan, step Step) Outlook {
	n := &next{folder: f, study: &f.Study, run: run, plan: plan, step: step}
	r, _ := f.Run(run)
	n.starts = r.Starts
	return n.outlook(paceOf(&f.Study, lapsOf(r.Starts)))
}

// outlook is OutlookOf at a pace.
func (n *next) outlook(p pace) Outlook {
	o := Outlook{Measured: len(p.laps) > 0}
	o.Block, o.BlockCold = p.all(n.step.block.pending)
	if o.Once = o.BlockCold; !o.Measured {
		o.Once, o.Guess = p.guess.once, p.guess.of
	}
	first, idle := n.looks()
	o.Idle = idle
	least, most := n.ahead(p, first)
	o.Least, o.LeastTime = least.starts, o.Once+least.time
	o.Most, o.MostTime = most.starts, o.Once+most.time
	if o.Each = p.of("", n.study.Baseline.Engine); most.starts > 0 {
		o.Each = most.time / time.Duration(most.starts)
	}
	return o
}

// work is a number of starts and the time that they take.
type work struct {
	starts int
	time   time.Duration
}

// add adds so many blocks of one start of each of these.
func (w *work) add(blocks int, of ...time.Duration) {
	for _, d := range of {
		w.starts += blocks
		w.time += time.Duration(blocks) * d
	}
}

// ahead is the work that is left, at least and at most: of the stage under way first, then
// of whole stages.
func (n *next) ahead(p pace, first []int) (least, most work) {
	s := n.step.Start
	if s == nil {
		return least, most
	}
	at := slices.IndexFunc(n.study.Stages, func(st study.Stage) bool { return st.ID == s.Stage })
	last := n.plan.Points[len(n.plan.Points)-1]
	// Whoever is in the block under way has its own pace; what a later stage builds on is not
	// known, and is taken to be like what the run goes on with now.
	incumbent := p.of(n.step.FinalOf, n.step.Final.Engine.ID)
	switch {
	case at < 0:
		least.add(n.left(ablationBlocks), repeat(incumbent, n.step.Members)...)
		n.less(&least, p)
		return least, least
	case s.Phase == study.Confirm:
		least.add(n.left(n.plan.Confirm), incumbent, p.of(s.Ref(), s.Configuration.Engine.ID))
		n.less(&least, p)
		most = least
	default:
		look := n.nextLook(first[at])
		members := append([]time.Duration{incumbent}, n.paces(p, n.study.Stages[at])...)
		least.add(n.left(look), members...)
		most.add(n.left(last), members...)
		n.less(&least, p)
		n.less(&most, p)
		most.add(n.plan.Confirm, incumbent, incumbent)
	}
	// At least: nobody leaves before the first look, and it decides; nothing is adopted, so
	// that nothing is confirmed. At most: everybody stays to the end.
	for i, st := range n.study.Stages[at+1:] {
		members := append([]time.Duration{incumbent}, n.paces(p, st)...)
		least.add(first[at+1+i], members...)
		most.add(last, members...)
		most.add(n.plan.Confirm, incumbent, incumbent)
	}
	if n.plan.Ablation {
		most.add(ablationBlocks, repeat(incumbent, 1+len(n.study.Stages))...)
	}
	return least, most
}

// nextLook is the look at which the stage under way may be decided, where the first one
// that can is this.
func (n *next) nextLook(first int) int {
	for _, point := range n.plan.Points {
		if point > n.step.Counted && point >= first {
			return point
		}
	}
	return n.plan.Points[len(n.plan.Points)-1]
}

// left is how many further blocks of the phase under way it takes until everybody has so
// many starts; the one under way is the first of them.
func (n *next) left(blocks int) int { return max(1, blocks-n.step.Counted) }

// less takes away what the block under way has already. The next start is always left.
func (n *next) less(w *work, p pace) {
	s := n.step.Start
	for _, o := range n.of(s.Stage, s.Phase) {
		if o.Block() == s.Block && n.valid(o) && w.starts > 1 {
			w.starts--
			w.time -= min(w.time, p.of(o.Ref(), o.Attempt.Engine))
		}
	}
}

// paces are those of the candidates of a stage that have not left it.
func (n *next) paces(p pace, st study.Stage) []time.Duration {
	var list []time.Duration
	engines := map[string]string{}
	for _, c := range st.Candidates {
		engine := n.step.Final.Engine.ID
		if from, ok := engines[c.From]; ok {
			engine = from
		}
		if c.Engine != "" {
			engine = c.Engine
		}
		engines[c.ID] = engine
		ref := st.ID + "/" + c.ID
		gone := slices.ContainsFunc(n.step.Left, func(d Departure) bool { return d.Ref == ref })
		if c.Result == "" && !gone {
			list = append(list, p.of(ref, engine))
		}
	}
	return list
}

func repeat(d time.Duration, times int) []time.Duration {
	return slices.Repeat([]time.Duration{d}, times)
}
