// Package stat holds the statistics of verdicts: is one configuration faster than
// another, beyond what a new start of the same server differs from the last one?
//
//  1. fit.go: the starts of a run become a model, configuration + block on the log
//     of the value; normal.go solves it, for any design.
//  2. rule.go: how sure a verdict has to be, and when a run may look at its data.
//  3. verdict.go: one configuration against another, by a rule and a model.
//  4. power.go: how many starts it takes to find a gain of a given size.
//  5. show.go: spread within a start and bootstrap over requests, for display.
//
// The replicate is the start of a server, never the trial or the request: what
// happens within one start says how steady that start was, not what the next one
// will do. The helpers of show.go therefore return types that no function here
// accepts.
//
// The package knows numbers only. It does not know metrics, studies or stages, does
// not choose among candidates, and imports no other package of this module. The
// page docs/methodology.md explains the method, with the simulations of the tests.
package stat
