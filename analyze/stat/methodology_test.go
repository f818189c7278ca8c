package stat_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/analyze/stat"
)

var update = flag.Bool("update", false, "write the tables of docs/methodology.md anew")

const methodology = "../../docs/methodology.md"

// TestMethodologyShowsWhatTheSimulationFinds compares the tables of the page with those
// of the studies that the proofs have just carried out.
func TestMethodologyShowsWhatTheSimulationFinds(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(methodology)
	require.NoError(t, err)
	page, want := string(raw), string(raw)
	for _, part := range []struct{ name, text string }{
		{"false adoptions", falseAdoptions()}, {"power", power()}, {"bias", biases()}, {"uneven", unevenScatter()}, {"need", needs()}, {"intervals", intervalTable()},
	} {
		begin, end := fmt.Sprintf("<!-- begin %s: written by go test ./analyze/stat -update -->\n", part.name), "<!-- end -->\n"
		before, rest, ok := strings.Cut(want, begin)
		require.Truef(t, ok, "%s has no line %q", methodology, begin)
		_, after, ok := strings.Cut(rest, end)
		require.Truef(t, ok, "%s has no end after %q", methodology, begin)
		want = before + begin + "\n" + part.text + "\n" + end + after
	}
	if *update {
		require.NoError(t, os.WriteFile(methodology, []byte(want), 0o644))
		return
	}
	require.Empty(t, cmp.Diff(want, page), "run with -update to accept the new numbers")
}

// table is Markdown of a head and rows.
func table(head []string, rows [][]string) string {
	var out strings.Builder
	line := func(cells []string) { fmt.Fprintf(&out, "| %s |\n", strings.Join(cells, " | ")) }
	line(head)
	rule := make([]string, len(head))
	for i := range rule {
		rule[i] = "---"
	}
	line(rule)
	for _, row := range rows {
		line(row)
	}
	return out.String()
}

func percent(x float64) string { return fmt.Sprintf("%g %%", x*100) }

func rate(n, of int) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of)) }

func tailed(tail bool) string {
	if tail {
		return "with"
	}
	return "without"
}

func falseAdoptions() string {
	var rows [][]string
	for _, s := range simulated() {
		if s.world.effect > 0 {
			continue
		}
		rows = append(rows, []string{percent(s.world.spread), tailed(s.world.tail),
			rate(s.adopted[after3], s.studies), rate(s.adopted[after6], s.studies), rate(s.adopted[after10], s.studies)})
	}
	return table([]string{"Spread between starts", "Tail", "Look at 3", "Looks at 3 and 6", "Looks at 3 and 10"}, rows)
}

func power() string {
	var rows [][]string
	for _, s := range simulated() {
		if s.world.effect == 0 {
			continue
		}
		rows = append(rows, []string{percent(s.world.effect), percent(s.world.spread), tailed(s.world.tail), "not tested",
			rate(s.found[after3], s.studies), rate(s.found[after6], s.studies), rate(s.found[after10], s.studies)})
	}
	return table([]string{"True gain", "Spread between starts", "Tail", "2 starts", "3 starts", "6 starts", "10 starts"}, rows)
}

// points prints an average in percentage points, with twice its standard error.
func points(b bias) string {
	mean := strings.Replace(fmt.Sprintf("%+.2f", 100*b.mean()), "-", "−", 1)
	if strings.HasSuffix(mean, "0.00") {
		mean = "0.00"
	}
	return fmt.Sprintf("%s ± %.2f", mean, 200*b.standardError())
}

func biases() string {
	var rows [][]string
	for _, s := range simulated() {
		rows = append(rows, []string{percent(s.world.effect), percent(s.world.spread), tailed(s.world.tail),
			fmt.Sprint(int(s.printed.n)), points(s.printed), points(s.confirmed)})
	}
	return table([]string{"True gain", "Spread between starts", "Tail", "Winners", "Gain of the starts that chose", "Gain of fresh starts"}, rows)
}

func unevenScatter() string {
	var all []world
	for _, uneven := range []float64{2, 4} {
		for _, spread := range []float64{0.005, 0.01, 0.02} {
			all = append(all, world{spread: spread, uneven: uneven})
		}
	}
	var rows [][]string
	for _, s := range simulate(all) {
		rows = append(rows, []string{percent(s.world.spread), fmt.Sprintf("%g times", s.world.uneven),
			rate(s.adopted[after3], s.studies), rate(s.adopted[after6], s.studies)})
	}
	return table([]string{"Spread of the others", "One candidate scatters", "Look at 3", "Looks at 3 and 6"}, rows)
}

// needs is by the formula, not simulated.
func needs() string {
	rule := stat.DefaultRule()
	need := func(effect, s float64, k int, power float64) string {
		if n, ok := rule.Need(effect, s, k, power); ok {
			return fmt.Sprint(n)
		}
		return "over 200"
	}
	var rows [][]string
	for _, effect := range []float64{0.025, 0.03, 0.05, 0.10} {
		for _, s := range []float64{0.005, 0.01, 0.015, 0.02, 0.03} {
			rows = append(rows, []string{percent(effect), percent(s),
				need(effect, s, 1, 0.8), need(effect, s, 1, 0.9), need(effect, s, 4, 0.8), need(effect, s, 4, 0.9)})
		}
	}
	text := fmt.Sprintf("A gain of 3 %% among four candidates, to be found in four studies out of five, takes %s starts of each side at a\n"+
		"spread of 0.5 %%, %s at 1 %%, %s at 2 %% and %s at 3 %%.\n\n",
		need(0.03, 0.005, 4, 0.8), need(0.03, 0.01, 4, 0.8), need(0.03, 0.02, 4, 0.8), need(0.03, 0.03, 4, 0.8))
	return text + table([]string{"True gain", "Spread of a start's value", "1 candidate, 80 %", "1 candidate, 90 %", "4 candidates, 80 %", "4 candidates, 90 %"}, rows)
}
