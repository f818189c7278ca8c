package analyze

import (
	"slices"
	"strconv"

	"benchguide/metric"
)

// Card is what the starts of a sample on one GPU, or on one set of them, took of power.
type Card struct {
	GPU    string `json:"gpu"`              // identities, as the attempts recorded them
	Starts string `json:"starts"`           // fact
	Power  string `json:"power"`            // fact: of all GPUs of the set, mean over its starts
	Energy string `json:"energy,omitempty"` // fact: for each output token
}

// gpuUUID is the name of the GPUs' identities among the surroundings of a start.
const gpuUUID = "gpu_uuid"

// cards tells the GPUs of a sample apart where one draws more power than another by more
// than the starts on any one of them differ: GPUs of one name are not alike in that, and a
// mean over them is that of no GPU. Where no GPU has several starts, nobody knows by how
// much starts on one would differ.
func (a *analysis) cards(s *Sample) []Card {
	trials := map[string][]*Trial{}
	var gpus []string
	for _, id := range s.Trials {
		t := a.trialByID[id]
		gpu := a.made[id].Environment[gpuUUID]
		if gpu == "" || a.powerOf(t) == "" {
			return nil
		}
		gpus = addOnce(gpus, gpu)
		trials[gpu] = append(trials[gpu], t)
	}
	if len(gpus) < 2 || len(gpus) == len(s.Trials) {
		return nil
	}
	var means []float64
	within := 0.0
	for _, gpu := range gpus {
		var watts []float64
		for _, t := range trials[gpu] {
			watts = append(watts, a.facts.value(a.powerOf(t)))
		}
		within = max(within, slices.Max(watts)-slices.Min(watts))
		means = append(means, mean(watts))
	}
	if slices.Max(means)-slices.Min(means) <= within {
		return nil
	}
	var list []Card
	for i, gpu := range gpus {
		list = append(list, a.card(s.ID+":gpu"+strconv.Itoa(i+1), gpu, trials[gpu]))
	}
	return list
}

func (a *analysis) card(id, gpu string, trials []*Trial) Card {
	var power, rate []string
	for _, t := range trials {
		power = append(power, a.powerOf(t))
		if fact, ok := t.Values[metric.OutputThroughput]; ok {
			rate = append(rate, fact)
		}
	}
	c := Card{GPU: gpu,
		Starts: a.facts.add(Fact{ID: id + ".starts", Kind: Count, Value: float64(len(trials)), Derived: true, Formula: "count", Inputs: power}),
		Power: a.facts.add(Fact{ID: id + ".power", Kind: Measured, Value: a.meanFact(power), Unit: "W", Derived: true,
			Formula: "mean over the starts on this GPU", Inputs: power})}
	if tokens := a.meanFact(rate); len(rate) == len(trials) && tokens > 0 {
		c.Energy = a.facts.add(Fact{ID: id + ".energy", Kind: Measured, Value: a.meanFact(power) / tokens, Unit: "J/token", Precision: 3, Derived: true,
			Formula: "mean power / mean output_throughput, of the starts on this GPU", Inputs: append([]string{c.Power}, rate...)})
	}
	return c
}

// meanFact is the mean of some facts; that of none is no number.
func (a *analysis) meanFact(ids []string) float64 {
	var values []float64
	for _, id := range ids {
		values = append(values, a.facts.value(id))
	}
	return mean(values)
}
