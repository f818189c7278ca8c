package run

import (
	"fmt"
	"strings"
	"time"
)

// tooLate returns why nothing further is begun within the budget, "" if the next start is.
func (r *runner) tooLate(step Step) string {
	p, b := r.pace(), step.block
	next, _ := p.all(b.pending[:1])
	whole, cold := p.all(b.pending)
	a := allowance{budget: r.options.Budget, left: r.options.Budget - r.deps.Now().Sub(r.began), next: next, block: whole, opens: !b.began, first: r.made == 0}
	name, long := b.name(step.Start.Stage), About(up(whole), cold)
	switch a.verdict() {
	case startTooLong:
		why := fmt.Sprintf("the budget of %s is spent: the next start takes about %s, and %s are left; --resume goes on",
			took(a.budget), took(up(next)), took(down(a.left)))
		if b.began {
			why += fmt.Sprintf(", on this machine before its next boot with block %d, and elsewhere with another block", b.number)
		}
		return why
	case blockTooLong:
		return fmt.Sprintf("the budget of %s has %s left, and %s would take %s: it is not begun, since a block that the end of a sitting cuts compares nothing; --resume goes on with it",
			took(a.budget), took(down(a.left)), name, long)
	case blockAnyway:
		r.once("short "+name+step.Start.Phase, Event{Kind: Noted, Stage: step.Start.Stage, Block: b.number, Text: sentence(fmt.Sprintf(
			"the budget of %s is too short for %s, which takes %s: it is begun all the same, and has to be completed by --resume on this machine before its next boot, or else compares nothing",
			took(a.budget), name, long))})
	}
	return ""
}

// up and down round a duration as far as took prints it: what is needed never looks like
// what is left.
func up(d time.Duration) time.Duration { return down(d + printed(d) - 1) }

func down(d time.Duration) time.Duration { return max(0, d).Truncate(printed(d)) }

func printed(d time.Duration) time.Duration {
	if d < 10*time.Second {
		return 100 * time.Millisecond
	}
	return time.Second
}

// name is a block as a person calls it, with what is still to be started in it.
func (b block) name(stage string) string {
	return fmt.Sprintf("block %d of %s (%s)", b.number, stage, strings.Join(b.missing(), ", "))
}

// allowance is what a budget has to be enough for.
type allowance struct {
	budget, left time.Duration
	next         time.Duration // the next start
	block        time.Duration // all starts that its block still lacks
	opens        bool          // the start is the first of its block
	first        bool          // nothing was measured in this invocation
}

// verdict is what becomes of the next start.
type verdict int

const (
	fits verdict = iota
	startTooLong
	blockTooLong
	blockAnyway // although its block does not fit
)

// verdict weighs two losses. Half a start is worth nothing anywhere. Half a block is, if
// the machine is gone before it goes on, and whether it will be nobody knows: a new block is
// not begun for half of it. One that was begun here goes on start by start, since its
// starts are lost if it does not. So that no budget is too short to get anywhere on a
// machine that stays, an invocation begins its first block in any case: nothing else can be
// done with the time that it was given.
func (a allowance) verdict() verdict {
	switch {
	case a.next > a.left:
		return startTooLong
	case !a.opens || a.block <= a.left:
		return fits
	case a.first:
		return blockAnyway
	}
	return blockTooLong
}
