package prompts

import "math/rand/v2"

func fixed(j job) func(int) (int, int) {
	return func(int) (int, int) { return j.input, j.output }
}

// The lengths of the 100 conversations that vLLM's client drew from ShareGPT in a run
// on an H200, by deciles: what a rehearsal sends where the dataset itself is not at hand.
// Chance is drawn in whole numbers, so that every machine makes the same.
var (
	chatInputs  = [...]int{12, 16, 23, 27, 41, 67, 134, 244, 360, 586, 798}
	chatOutputs = [...]int{4, 13, 25, 42, 94, 144, 195, 265, 318, 389, 1090}
)

// chatLike draws the lengths of the nth conversation.
func (r Request) chatLike(n int) (input, output int) {
	return drawn(rand.New(rand.NewPCG(seedOf(r.Seed, "lengths", n), 2)))
}

func drawn(r *rand.Rand) (input, output int) {
	return between(r, chatInputs[:]), between(r, chatOutputs[:])
}

// between draws from a distribution that is even within each decile.
func between(r *rand.Rand, deciles []int) int {
	i := r.IntN(len(deciles) - 1)
	return deciles[i] + r.IntN(deciles[i+1]-deciles[i]+1)
}
