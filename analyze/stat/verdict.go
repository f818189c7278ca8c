package stat

import "math"

// Verdict is what a comparison of two configurations says.
type Verdict string

// The verdicts on the first side of a comparison.
const (
	Better             Verdict = "better"              // its gain exceeds the threshold
	Worse              Verdict = "worse"               // the other side's gain does
	NotDistinguishable Verdict = "not-distinguishable" // neither: no size is to be claimed
	TooFew             Verdict = "too-few"             // not tested: NeedStarts says what is missing
	NotComparable      Verdict = "not-comparable"      // no shared block links the two, or a side has no start
)

// Result is a comparison with all that decided it. Logs are natural logs of ratios;
// math.Expm1 makes a fraction of Threshold or Margin.
type Result struct {
	Contrast         // LogRatio and its variance, the starts; zero if NotComparable
	Ratio    float64 // of first / second, above 1 when the first is better

	DF      int
	RawS    float64 // residual spread as measured; meaningful where DF > 0
	Verdict Verdict

	// What follows is set where something was tested: Better, Worse, NotDistinguishable.

	S         float64 // RawS, or the rule's least spread if that is larger
	Look      int     // from 1
	Alpha     float64 // of the look, for the whole stage
	Critical  float64 // t(1 - Alpha/k, DF)
	Margin    float64 // Critical * S * sqrt(VarianceFactor)
	Threshold float64 // what the log ratio must exceed: Margin, or log(1 + Delta) if larger
	T         float64 // LogRatio in units of its standard error

	// NeedStarts is the number of starts that each side has to have before it is
	// tested; set with TooFew only.
	NeedStarts int
}

// Tested reports whether the starts sufficed for a verdict on a gain.
func (r Result) Tested() bool {
	return r.Verdict == Better || r.Verdict == Worse || r.Verdict == NotDistinguishable
}

// Test compares configuration a with b, in a stage of k candidates (at least 1) of
// which so many blocks were run. The gain counts if its log exceeds
//
//	max(log(1 + Delta), t(1 - alpha/k, df) * s * sqrt(VarianceFactor))
//
// and a loss likewise, so that swapping the sides swaps better and worse.
func (r Rule) Test(m *Model, a, b string, k, blocks int) Result {
	out := Result{DF: m.DF()}
	out.RawS, _ = m.Spread()
	var ok bool
	if out.Contrast, ok = m.Contrast(a, b); !ok {
		out.Verdict = NotComparable
		return out
	}
	out.Ratio = math.Exp(out.LogRatio)
	number, look, ok := r.At(blocks)
	if !ok || !r.Tests(min(out.StartsA, out.StartsB), out.DF) {
		out.Verdict = TooFew
		out.NeedStarts = r.needToTest(out, k)
		return out
	}
	out.S = max(out.RawS, r.SMin)
	out.Look, out.Alpha = number, look.Alpha
	out.Critical = critical(look.Alpha, k, out.DF)
	out.Threshold, out.Margin = r.threshold(out.Critical, out.S, out.VarianceFactor)
	out.T = out.LogRatio / (out.S * math.Sqrt(out.VarianceFactor))
	out.Verdict = decide(out.LogRatio, out.Threshold)
	return out
}

func decide(logRatio, threshold float64) Verdict {
	switch {
	case logRatio > threshold:
		return Better
	case -logRatio > threshold:
		return Worse
	}
	return NotDistinguishable
}

// needToTest is the least number of starts of each side with which the comparison
// can be tested: those of the first look, and as many more blocks (k candidates
// and the incumbent, which leave k degrees of freedom each) as are missing.
func (r Rule) needToTest(out Result, k int) int {
	need := minStarts
	if len(r.Looks) > 0 {
		need = max(need, r.Looks[0].Blocks)
	}
	if missing := max(1, r.MinDF) - out.DF; missing > 0 {
		k = max(1, k)
		need = max(need, min(out.StartsA, out.StartsB)+(missing+k-1)/k)
	}
	return need
}
