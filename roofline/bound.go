package roofline

import "math"

// Precision is how wide numbers are kept, in bytes.
type Precision struct {
	Weights float64 // of the layers
	Head    float64 // of the output head
	KV      float64 // of the KV cache
}

// BF16 is the precision of a model as it is published.
func BF16() Precision { return Precision{Weights: 2, Head: 2, KV: 2} }

// Load is what a step has to serve.
type Load struct {
	Batch   float64 // sequences that are decoded together
	Context float64 // tokens of each sequence that are in the KV cache, on average
}

// Bound is the least possible time per output token and what it is made of.
type Bound struct {
	Seconds     float64
	Memory      float64 // seconds that reading takes
	Compute     float64 // seconds that arithmetic takes
	WeightBytes float64 // read in each step
	KVBytes     float64 // read in each step
}

// TPOT returns the bound for a model on a number of GPUs that share the work
// without loss.
func TPOT(g GPU, gpus int, m Model, p Precision, l Load) Bound {
	n := float64(gpus)
	b := Bound{
		WeightBytes: m.LayerParameters()*p.Weights + m.HeadParameters()*p.Head,
		KVBytes:     l.Batch * l.Context * m.KVBytesPerToken(p.KV),
	}
	b.Memory = (b.WeightBytes + b.KVBytes) / (g.Bandwidth * 1e9 * n)
	operations := 2 * l.Batch * (m.LayerParameters() + m.HeadParameters())
	b.Compute = operations / (g.Rate(p.Weights) * 1e12 * n)
	b.Seconds = math.Max(b.Memory, b.Compute)
	return b
}

// Rate is the fastest arithmetic that weights of this width can be multiplied with.
func (g GPU) Rate(width float64) float64 {
	if width > 1 {
		return g.BF16
	}
	return max(g.BF16, g.FP8, g.INT8)
}

// Fits reports whether weights and KV cache fit into the memory of the GPUs.
func Fits(g GPU, gpus int, m Model, p Precision, l Load) bool {
	return m.Parameters()*p.Weights+l.Batch*l.Context*m.KVBytesPerToken(p.KV) <= g.Memory*1e9*float64(gpus)
}

// LayerParameters counts what each token must visit in the layers: of the experts
// only those that one token takes, since a whole batch may take the same.
func (m Model) LayerParameters() float64 {
	return float64(m.Layers) * (m.attention() + m.router() + m.expert()*float64(max(m.ActiveExperts, 1)))
}

// HeadParameters counts the output head, which is read in every step, also where it
// is the input embedding at the same time.
func (m Model) HeadParameters() float64 { return float64(m.Vocabulary) * float64(m.Hidden) }

// Parameters counts all that must be kept in memory besides the input embedding.
func (m Model) Parameters() float64 {
	return float64(m.Layers)*(m.attention()+m.router()+m.expert()*float64(max(m.Experts, 1))) + m.HeadParameters()
}

// KVBytesPerToken is the size of one token's keys and values.
func (m Model) KVBytesPerToken(width float64) float64 {
	return 2 * float64(m.Layers*m.KVHeads*m.HeadSize) * width
}

// attention counts the four projections of a layer.
func (m Model) attention() float64 {
	query := float64(m.Hidden) * float64(m.Heads*m.HeadSize)
	keyValue := float64(m.Hidden) * float64(m.KVHeads*m.HeadSize)
	return 2*query + 2*keyValue
}

// expert counts the three matrices of a gated feed-forward layer.
func (m Model) expert() float64 { return 3 * float64(m.Hidden) * float64(m.Intermediate) }

func (m Model) router() float64 { return float64(m.Hidden) * float64(m.Experts) }
