package stat

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Obs is one start of one configuration in one block of a run, with the value of one
// metric under one workload.
//
// More must be better: of a metric of which less is better, such as a latency, the
// value is the reciprocal. On the log scale that only turns the sign, so nothing is
// lost by it, and every ratio of the package is above 1 when its first side is better.
type Obs struct {
	Config string
	Block  string
	Value  float64 // positive and finite; the log is taken by Fit
}

// Model is the additive model configuration + block, fitted by least squares to the
// logs of the values of a run's starts. Fit makes it; the zero Model knows no
// configuration.
//
// A factor that all starts of a block share (another machine, a hot afternoon) is a
// block effect and so changes no comparison.
type Model struct {
	configs   []string       // sorted
	index     map[string]int // of a configuration in configs
	starts    []int          // by configuration
	component []int          // by configuration; the smallest index of its component
	effect    []float64      // by configuration, relative to the first of its component
	factor    *mat.SymDense  // covariance of the effects, in units of the residual variance
	rss       float64
	df        int
}

// Fit fits the model to the starts of a run: any number of configurations and blocks,
// any cells missing or filled more than once. The order of the starts does not matter,
// to the last bit. It reports every value that is not a positive number; there has to
// be at least one start.
func Fit(obs []Obs) (*Model, error) {
	if err := check(obs); err != nil {
		return nil, err
	}
	obs = slices.Clone(obs)
	slices.SortFunc(obs, func(a, b Obs) int { // sums depend on their order
		return cmp.Or(cmp.Compare(a.Config, b.Config), cmp.Compare(a.Block, b.Block), cmp.Compare(a.Value, b.Value))
	})
	d := newDesign(obs)
	m := &Model{configs: d.configs, index: d.configIndex, starts: d.startsOf(), component: d.components()}
	var err error
	if m.effect, m.factor, err = d.solve(m.component); err != nil {
		return nil, err
	}
	m.rss = d.residual(m.effect)
	m.df = len(obs) - d.rank(m.component)
	return m, nil
}

// check reports every start whose value has no log.
func check(obs []Obs) error {
	if len(obs) == 0 {
		return errors.New("no starts to compare: at least one is needed")
	}
	var errs []error
	for _, o := range obs {
		if !(o.Value > 0) || math.IsInf(o.Value, 1) {
			errs = append(errs, fmt.Errorf("configuration %q, block %q: the value %v is not a positive number: leave the start out",
				o.Config, o.Block, o.Value))
		}
	}
	return errors.Join(errs...)
}

// Configs lists the configurations that have starts, sorted by name.
func (m *Model) Configs() []string { return slices.Clone(m.configs) }

// Starts is the number of starts of a configuration; 0 of one that is not in the model.
func (m *Model) Starts(config string) int {
	if i, ok := m.index[config]; ok {
		return m.starts[i]
	}
	return 0
}

// DF is the number of degrees of freedom of the residual variance: starts minus the
// rank of the design, which is configurations + blocks - components.
func (m *Model) DF() int { return m.df }

// Spread is the residual standard deviation of the logs, as it was measured: 0.01 is
// about 1 % between starts. It is false when no degree of freedom is left to
// measure it with.
func (m *Model) Spread() (s float64, ok bool) {
	if m.df <= 0 {
		return 0, false
	}
	return math.Sqrt(m.rss / float64(m.df)), true
}

// Contrast is the difference of two configurations in a model.
type Contrast struct {
	LogRatio float64 // log of first / second
	// VarianceFactor times the variance between starts is the variance of LogRatio. It
	// is exact for the design at hand, from the normal equations. Where both sides
	// have one start in each of the same blocks it is 1/StartsA + 1/StartsB; with gaps
	// it is larger, since a block that measured one side only tells less.
	VarianceFactor   float64
	StartsA, StartsB int
}

// Contrast compares configuration a with b. It is false when there is nothing to
// compare: a side was never measured, both are the same, or no chain of shared blocks
// links them, so that any difference may as well be one of blocks.
func (m *Model) Contrast(a, b string) (Contrast, bool) {
	i, okA := m.index[a]
	j, okB := m.index[b]
	if !okA || !okB || i == j || m.component[i] != m.component[j] {
		return Contrast{}, false
	}
	return Contrast{
		LogRatio:       m.effect[i] - m.effect[j],
		VarianceFactor: m.factor.At(i, i) + m.factor.At(j, j) - 2*m.factor.At(i, j),
		StartsA:        m.starts[i],
		StartsB:        m.starts[j],
	}, true
}
