package stat

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Rule says how sure a verdict has to be. DefaultRule is the one in use; a Rule
// without looks never decides.
type Rule struct {
	// Delta is the least gain that counts, however sure it is: 0.02 is 2 %.
	Delta float64
	// SMin is the least spread between starts that is believed. A few starts agree by
	// chance now and then, and a margin of almost nothing would follow.
	SMin float64
	// MinDF is the number of degrees of freedom below which nothing is tested.
	MinDF int
	// Looks are the moments at which a run may decide, by rising number of blocks.
	// Looking more often would need a smaller alpha each time.
	Looks []Look
}

// Look is a moment at which a run looks at its data: after so many blocks, with this
// chance of a false gain in a stage without any.
type Look struct {
	Blocks int
	Alpha  float64
}

// minStarts is the least number of starts of a side. Of a single start, another rule
// judges: see docs/methodology.md.
const minStarts = 2

// DefaultRule is 2 %, a spread of at least 0.5 %, four degrees of freedom, and looks
// after 3 and 6 blocks that spend 1 % and 4 %.
func DefaultRule() Rule {
	return Rule{Delta: 0.02, SMin: 0.005, MinDF: 4, Looks: []Look{{Blocks: 3, Alpha: 0.01}, {Blocks: 6, Alpha: 0.04}}}
}

// At is the look that a run with so many blocks stands at, counted from 1: the last
// one that it has reached; false before the first. A run that was cut short at 4 or 5
// blocks is judged by the first look's alpha once more, which costs less than the
// second look would have. Beyond the last look its alpha holds for a run that
// planned that many blocks; it is not a leave to look again.
func (r Rule) At(blocks int) (number int, look Look, ok bool) {
	for i, l := range r.Looks {
		if blocks >= l.Blocks {
			number, look, ok = i+1, l, true
		}
	}
	return number, look, ok
}

// Tests reports whether so many starts of each side are tested, with these degrees of
// freedom of the spread.
func (r Rule) Tests(starts, df int) bool { return starts >= minStarts && df >= max(1, r.MinDF) }

// Freedom is the number of degrees of freedom that k candidates and their incumbent leave,
// each started once in each of so many blocks.
func Freedom(k, blocks int) int { return k * max(0, blocks-1) }

// StageError bounds the chance that a stage adopts a candidate although none has a
// gain: the alphas of its looks add up, whatever the looks have in common.
func (r Rule) StageError() float64 {
	sum := 0.0
	for _, l := range r.Looks {
		sum += l.Alpha
	}
	return min(1, sum)
}

// StudyError bounds the chance that at least one of a study's stages does that. It
// adds up too, whether or not stages share starts.
func (r Rule) StudyError(stages int) float64 {
	return min(1, float64(max(0, stages))*r.StageError())
}

// critical is the quantile that a gain must exceed in units of its standard error, for
// one of k candidates that share alpha evenly (Bonferroni; that they also share the
// incumbent makes it err on the safe side).
func critical(alpha float64, k, df int) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: float64(df)}.Quantile(1 - alpha/float64(max(1, k)))
}

// threshold is the log ratio that counts as a gain, and the margin of noise in it.
func (r Rule) threshold(critical, s, factor float64) (threshold, margin float64) {
	margin = critical * s * math.Sqrt(factor)
	return max(math.Log1p(r.Delta), margin), margin
}
