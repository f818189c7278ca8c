// Package roofline says how fast a model can decode on a GPU at the very best: the
// time in which the memory can deliver what one step must read, or the arithmetic
// units can do what it must compute, whichever is longer.
//
// The bound is a lower one in every respect: weights are read once for the whole
// batch, the input embedding not at all, nothing else is read, nothing waits. So a
// measured time per output token below it is impossible without speculation (which
// yields several tokens a step), and the share of the bound that a configuration
// reaches says how much room is left. There is no bound here for prefill or total
// tokens, since a prefix cache may answer.
//
// The tables are data with a source for each row (gpus.json, models.json). A name
// that can mean several variants means the fastest of them, so that the bound stays
// a bound.
package roofline
