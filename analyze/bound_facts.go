package analyze

import (
	"cmp"
	"fmt"

	"benchguide/metric"
	"benchguide/roofline"
)

// giga turns bytes and operations into the units of data sheets.
const giga = 1e9

// leastTPOT states the least possible time per output token of a sample, with all that it
// is made of: what the GPU and the model are, from the tables, and what a step reads.
func (a *analysis) leastTPOT(out *Bound, s *Sample, gpu roofline.GPU, model roofline.Model, p roofline.Precision, l load) {
	b := roofline.TPOT(gpu, a.study.Hardware.Count, model, p, l.Load)
	add := func(name string, value float64, unit string, precision int, formula string, inputs ...string) string {
		return a.facts.add(Fact{ID: s.ID + ":bound." + name, Kind: Measured, Value: value, Unit: unit, Precision: precision, Derived: true, Formula: formula, Inputs: inputs})
	}
	shape := cmp.Or(model.Source, "model.shape of study.yaml")
	layers := a.count("bound:layers", int(model.LayerParameters()), "parameters of the layers that a token visits, by "+shape)
	head := a.count("bound:head", int(model.HeadParameters()), "parameters of the output head, by "+shape)
	values := a.count("bound:kv_values", int(model.KVBytesPerToken(1)), "2 × layers × KV heads × head size: keys and values of a token, by "+shape)
	out.Bandwidth = a.facts.add(Fact{ID: "bound:bandwidth", Kind: Measured, Value: gpu.Bandwidth, Unit: "GB/s", Derived: true,
		Formula: "memory bandwidth of " + gpu.Name + ", by " + gpu.Source})
	batch := add("sequences", l.Batch, "", 2, l.formula, l.inputs...)
	context := add("context", l.Context, "", 0, "input tokens + output tokens / 2, of a request: the mean length while it is decoded", l.context...)
	out.Weights = add("weights", b.WeightBytes/giga, "GB", 2, fmt.Sprintf("layers × %v + output head × %v bytes", p.Weights, p.Head), layers, head)
	out.KV = add("kv", b.KVBytes/giga, "GB", 2, fmt.Sprintf("sequences × tokens × values × %v bytes", p.KV), batch, context, values)
	tpot := metric.MustLookup(metric.Of(metric.Mean, metric.TPOT))
	formula, inputs := "(weights + KV cache) / (GPUs × memory bandwidth)", []string{out.Weights, out.KV, "hardware:gpus", out.Bandwidth}
	if b.Compute > b.Memory {
		peak := a.facts.add(Fact{ID: s.ID + ":bound.arithmetic", Kind: Measured, Value: gpu.Rate(p.Weights), Unit: "TFLOP/s", Derived: true,
			Formula: "arithmetic of " + gpu.Name + ", by " + gpu.Source})
		formula, inputs = "2 × sequences × (layers + output head) / (GPUs × arithmetic)", []string{batch, layers, head, "hardware:gpus", peak}
	}
	out.TPOT = a.facts.add(Fact{ID: s.ID + ":bound.mean_tpot", Kind: Measured, Value: b.Seconds * 1000, Unit: string(tpot.Unit), Metric: tpot.ID,
		Precision: tpot.Precision, Derived: true, Formula: formula, Inputs: inputs})
}
