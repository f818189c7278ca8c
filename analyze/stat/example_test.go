package stat_test

import (
	"fmt"
	"math"

	"benchguide/analyze/stat"
)

// A stage of two candidates after three blocks: throughput in tokens/s of each start.
func ExampleRule_Test() {
	obs := grid([]string{"base", "fp8", "graphs"},
		[]float64{680, 940, 690},
		[]float64{641, 903, 644}, // a slow hour: all of the block is slower
		[]float64{683, 951, 680},
	)
	model, err := stat.Fit(obs)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, candidate := range []string{"fp8", "graphs"} {
		r := stat.DefaultRule().Test(model, candidate, "base", 2, 3)
		fmt.Printf("%s: %s, ratio %.3f, must exceed %.3f\n", candidate, r.Verdict, r.Ratio, math.Exp(r.Threshold))
	}
	// Output:
	// fp8: better, ratio 1.394, must exceed 1.033
	// graphs: not-distinguishable, ratio 1.005, must exceed 1.033
}
