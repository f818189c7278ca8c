// Package prompts prepares the prompts of a run once: a list for the warm-up and one for
// each workload, disjoint, in a fixed order, with the length of each answer. Every start,
// candidate and client is sent the same.
package prompts
