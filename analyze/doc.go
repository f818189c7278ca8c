// Package analyze works out what each optimization of a study was worth.
//
// It is pure: a study with its records goes in, a Report comes out. Nothing is
// read, written or formatted here, and no sentence in any language is made; what
// has to be said is a code with the facts that it speaks of.
//
// The order of work, one file each:
//
//  1. trial.go: the records of the run become trials with a configuration.
//     requests.go is what the client saved of each request; cache.go and hits.go what a
//     prefix cache knew of the prompts.
//  2. latency.go: the latency of a request, or the reason why there is none.
//  3. noise.go: what one configuration differs from itself, the noise floor.
//  4. compare.go: may two trials be compared, and what is the ratio.
//  5. stage.go: verdicts of a stage, from its comparisons.
//  6. cases.go, summary.go: baseline against optimized; what stages explain.
//     beside.go: other workloads than the one that decides; steady.go, within.go: what
//     single starts were like inside; spell.go, meanwhile.go: seconds in which a trial was
//     disturbed, and what the GPUs did in them. All of it is shown, never deciding.
//  7. claim.go: what an earlier publication said against what the data say.
//
// Every number that leaves the package is a Fact with an id, a unit and a source.
package analyze
