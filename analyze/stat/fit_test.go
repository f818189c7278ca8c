package stat_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"benchguide/analyze/stat"
)

func TestBalancedDesignIsDifferencesOfMeans(t *testing.T) {
	t.Parallel()
	m := mustFit(t, grid([]string{"base", "new"}, []float64{100, 110}, []float64{200, 230}, []float64{50, 53}))
	c, ok := m.Contrast("new", "base")
	require.True(t, ok)
	d := []float64{math.Log(1.10), math.Log(1.15), math.Log(1.06)}
	mean := (d[0] + d[1] + d[2]) / 3
	near(t, mean, c.LogRatio, 1e-12, "log ratio")
	near(t, 1.0/3+1.0/3, c.VarianceFactor, 1e-12, "variance factor")
	require.Equal(t, 2, m.DF())
	// Each residual is half of a difference's distance from the mean of them.
	var rss float64
	for _, x := range d {
		rss += (x - mean) * (x - mean) / 2
	}
	s, ok := m.Spread()
	require.True(t, ok)
	near(t, math.Sqrt(rss/2), s, 1e-12, "spread")
	require.Empty(t, cmp.Diff([]string{"base", "new"}, m.Configs()))
	require.Equal(t, 3, m.Starts("new"))
	require.Zero(t, m.Starts("other"))
}

func TestMissingStartIsFilledInByTheBlocksThatBothMeasured(t *testing.T) {
	t.Parallel()
	// The second block is a slow one and has no start of "new": a plain mean of all
	// starts would take the block for a gain.
	m := mustFit(t, []stat.Obs{
		{Config: "base", Block: "1", Value: 100}, {Config: "new", Block: "1", Value: 110},
		{Config: "base", Block: "2", Value: 50},
		{Config: "base", Block: "3", Value: 80}, {Config: "new", Block: "3", Value: 88},
	})
	c, ok := m.Contrast("new", "base")
	require.True(t, ok)
	near(t, math.Log(1.1), c.LogRatio, 1e-12, "log ratio")
	near(t, 1, c.VarianceFactor, 1e-12, "two pairs, not 1/3 + 1/2")
	require.Equal(t, 1, m.DF())
}

func TestPiecesThatShareNoBlockAreNotComparable(t *testing.T) {
	t.Parallel()
	m := mustFit(t, []stat.Obs{
		{Config: "a", Block: "1", Value: 100}, {Config: "b", Block: "1", Value: 101},
		{Config: "b", Block: "2", Value: 90}, {Config: "c", Block: "2", Value: 92},
		{Config: "x", Block: "9", Value: 10}, {Config: "y", Block: "9", Value: 11},
		{Config: "alone", Block: "10", Value: 10},
	})
	require.Equal(t, 0, m.DF(), "7 starts, 6 configurations + 4 blocks - 3 pieces")
	_, ok := m.Spread()
	require.False(t, ok)
	for _, pair := range [][2]string{{"a", "x"}, {"c", "y"}, {"alone", "a"}, {"a", "unknown"}, {"a", "a"}} {
		_, ok := m.Contrast(pair[0], pair[1])
		require.False(t, ok, pair)
		require.Equal(t, stat.NotComparable, stat.DefaultRule().Test(m, pair[0], pair[1], 1, 6).Verdict, pair)
	}
	c, ok := m.Contrast("a", "c") // through b, that both were measured beside
	require.True(t, ok)
	near(t, math.Log(100.0/101*90/92), c.LogRatio, 1e-12, "log ratio")
	near(t, 4, c.VarianceFactor, 1e-12, "four starts stand in the way")
	c, ok = m.Contrast("y", "x")
	require.True(t, ok)
	near(t, math.Log(1.1), c.LogRatio, 1e-12, "the second piece")
}

func TestBadValuesAreNamed(t *testing.T) {
	t.Parallel()
	_, err := stat.Fit(nil)
	require.ErrorContains(t, err, "no starts to compare")
	for _, bad := range []float64{0, -1, math.NaN(), math.Inf(1), math.Inf(-1)} {
		_, err := stat.Fit([]stat.Obs{
			{Config: "base", Block: "1", Value: 3}, {Config: "new", Block: "2", Value: bad}, {Config: "newer", Block: "2", Value: bad},
		})
		require.ErrorContains(t, err, `configuration "new", block "2": the value`)
		require.ErrorContains(t, err, `configuration "newer", block "2": the value`)
		require.NotContains(t, err.Error(), `"base"`)
	}
}

// TestFitIsLeastSquares holds the reduced normal equations against another way to the
// same: the smallest solution of the whole design, by singular values.
func TestFitIsLeastSquares(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		obs := anyStarts(t)
		m := mustFit(t, obs)
		want := leastSquares(obs)
		require.Equal(t, len(obs)-want.rank, m.DF())
		if s, ok := m.Spread(); ok {
			near(t, math.Sqrt(want.rss/float64(m.DF())), s, 1e-9, "spread")
		}
		for _, a := range m.Configs() {
			for _, b := range m.Configs() {
				c, ok := m.Contrast(a, b)
				require.Equal(t, a != b && want.estimable(a, b), ok, "%s, %s", a, b)
				if ok {
					near(t, want.effect[a]-want.effect[b], c.LogRatio, 1e-9, "log ratio")
					near(t, want.variance(a, b), c.VarianceFactor, 1e-9, "variance factor")
				}
			}
		}
	})
}

// dense is a model solved by brute force.
type dense struct {
	rank    int
	rss     float64
	effect  map[string]float64
	column  map[string]int
	inverse *mat.Dense // pseudo-inverse of X'X
	gram    *mat.Dense // X'X
}

func leastSquares(obs []stat.Obs) dense {
	d := dense{effect: map[string]float64{}, column: map[string]int{}}
	for _, o := range obs {
		for _, key := range []string{o.Config, "block " + o.Block} {
			if _, ok := d.column[key]; !ok {
				d.column[key] = len(d.column)
			}
		}
	}
	x, y := mat.NewDense(len(obs), len(d.column), nil), mat.NewVecDense(len(obs), nil)
	for row, o := range obs {
		x.Set(row, d.column[o.Config], 1)
		x.Set(row, d.column["block "+o.Block], 1)
		y.SetVec(row, math.Log(o.Value))
	}
	d.gram, d.inverse = new(mat.Dense), new(mat.Dense)
	d.gram.Mul(x.T(), x)
	d.pseudoInverse()
	var beta, right, fitted mat.VecDense
	right.MulVec(x.T(), y)
	beta.MulVec(d.inverse, &right)
	fitted.MulVec(x, &beta)
	for row := range obs {
		r := y.AtVec(row) - fitted.AtVec(row)
		d.rss += r * r
	}
	for key, column := range d.column {
		d.effect[key] = beta.AtVec(column)
	}
	return d
}

func (d *dense) pseudoInverse() {
	var svd mat.SVD
	svd.Factorize(d.gram, mat.SVDThin)
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	values := svd.Values(nil)
	for _, s := range values {
		if s > 1e-9*values[0] {
			d.rank++
		}
	}
	inverted := mat.NewDense(len(values), len(values), nil)
	for i := range d.rank {
		inverted.Set(i, i, 1/values[i])
	}
	d.inverse.Product(&v, inverted, u.T())
}

func (d *dense) contrast(a, b string) *mat.VecDense {
	c := mat.NewVecDense(len(d.column), nil)
	c.SetVec(d.column[a], 1)
	c.SetVec(d.column[b], -1)
	return c
}

func (d *dense) variance(a, b string) float64 {
	c := d.contrast(a, b)
	return mat.Inner(c, d.inverse, c)
}

// estimable reports whether the data determine a contrast: it is in the row space.
func (d *dense) estimable(a, b string) bool {
	c := d.contrast(a, b)
	var projected mat.VecDense
	projected.MulVec(d.inverse, c)
	projected.MulVec(d.gram, &projected)
	projected.SubVec(&projected, c)
	return mat.Norm(&projected, 2) < 1e-6
}
