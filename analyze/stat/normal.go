package stat

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
)

// design is a run's starts as a table of configurations by blocks.
type design struct {
	configs     []string
	configIndex map[string]int
	blocks      int
	cells       []cell
	count       [][]float64 // starts by configuration and block
}

// cell is one start: where it stands in the table, and the log of its value.
type cell struct {
	config, block int
	y             float64
}

// newDesign lays out starts that are sorted by configuration. Logs are kept relative
// to the first one: the level means nothing here, and small numbers lose less.
func newDesign(obs []Obs) *design {
	d := &design{configIndex: map[string]int{}}
	blockIndex := map[string]int{}
	level := math.Log(obs[0].Value)
	for _, o := range obs {
		i, ok := d.configIndex[o.Config]
		if !ok {
			i = len(d.configs)
			d.configIndex[o.Config] = i
			d.configs = append(d.configs, o.Config)
		}
		j, ok := blockIndex[o.Block]
		if !ok {
			j = len(blockIndex)
			blockIndex[o.Block] = j
		}
		d.cells = append(d.cells, cell{i, j, math.Log(o.Value) - level})
	}
	d.blocks = len(blockIndex)
	d.count = make([][]float64, len(d.configs))
	for i := range d.count {
		d.count[i] = make([]float64, d.blocks)
	}
	for _, c := range d.cells {
		d.count[c.config][c.block]++
	}
	return d
}

func (d *design) startsOf() []int {
	starts := make([]int, len(d.configs))
	for _, c := range d.cells {
		starts[c.config]++
	}
	return starts
}

// components gives every configuration the smallest index among those that it is
// linked with by shared blocks. Designs are small: labels spread until none changes.
func (d *design) components() []int {
	label := make([]int, len(d.configs))
	for i := range label {
		label[i] = i
	}
	least := make([]int, d.blocks)
	for changed := true; changed; {
		changed = false
		for j := range least {
			least[j] = len(d.configs)
		}
		for _, c := range d.cells {
			least[c.block] = min(least[c.block], label[c.config])
		}
		for _, c := range d.cells {
			if least[c.block] < label[c.config] {
				label[c.config], changed = least[c.block], true
			}
		}
	}
	return label
}

// rank is that of the model: each component has one level too many.
func (d *design) rank(component []int) int {
	rank := len(d.configs) + d.blocks
	for i, label := range component {
		if label == i {
			rank--
		}
	}
	return rank
}

// solve returns the effects of the configurations and their covariance, in units of
// the residual variance. Blocks are eliminated from the normal equations, which leaves
// one equation for each configuration; the first of each component is held at 0 by
// a row and a column of the identity, so that all components are solved at once.
func (d *design) solve(component []int) ([]float64, *mat.SymDense, error) {
	n := len(d.configs)
	left, right := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	size, sum := d.blockSums(nil)
	for _, c := range d.cells {
		right.SetVec(c.config, right.AtVec(c.config)+c.y-sum[c.block]/size[c.block])
	}
	for i := range n {
		for l := i; l < n; l++ {
			left.SetSym(i, l, d.reduced(i, l, size))
		}
	}
	for i, label := range component {
		if label != i {
			continue
		}
		for l := range n {
			left.SetSym(i, l, 0)
		}
		left.SetSym(i, i, 1)
		right.SetVec(i, 0)
	}
	return invert(left, right, component)
}

// reduced is an entry of the normal equations without the blocks.
func (d *design) reduced(i, l int, size []float64) float64 {
	entry := 0.0
	for j, k := range size {
		if i == l {
			entry += d.count[i][j]
		}
		entry -= d.count[i][j] * d.count[l][j] / k
	}
	return entry
}

func invert(left *mat.SymDense, right *mat.VecDense, component []int) ([]float64, *mat.SymDense, error) {
	var chol mat.Cholesky
	factor, effect := new(mat.SymDense), new(mat.VecDense)
	if !chol.Factorize(left) || chol.InverseTo(factor) != nil || chol.SolveVecTo(effect, right) != nil {
		return nil, nil, errors.New("the starts do not determine the configurations' values: too few blocks link them")
	}
	for i, label := range component {
		if label == i {
			factor.SetSym(i, i, 0) // a level that is held at 0 has no variance
		}
	}
	return effect.RawVector().Data, factor, nil
}

// blockSums is the number of starts of each block and the sum of their logs, after
// the effects are taken off.
func (d *design) blockSums(effect []float64) (size, sum []float64) {
	size, sum = make([]float64, d.blocks), make([]float64, d.blocks)
	for _, c := range d.cells {
		size[c.block]++
		sum[c.block] += c.y
		if effect != nil {
			sum[c.block] -= effect[c.config]
		}
	}
	return size, sum
}

// residual is the sum of squares that the model leaves. It is summed from residuals,
// not taken as a difference of sums, so that it is never negative.
func (d *design) residual(effect []float64) float64 {
	size, sum := d.blockSums(effect)
	rss := 0.0
	for _, c := range d.cells {
		r := c.y - effect[c.config] - sum[c.block]/size[c.block]
		rss += r * r
	}
	return rss
}
