package run_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/run"
	"benchguide/study"
)

// BenchmarkReport analyses the studies that benchguide measured itself: their runs are
// judged again at every look, to know which stage is open.
func BenchmarkReport(b *testing.B) {
	for _, id := range []string{"qwen3-8b-h200-latency", "smollm2-135m-cpu-latency"} {
		b.Run(id, func(b *testing.B) {
			f, problems := study.Load(os.DirFS("../content"), "studies/"+id)
			require.Empty(b, problems)
			b.ReportAllocs()
			for b.Loop() {
				run.Report(f)
			}
		})
	}
}
