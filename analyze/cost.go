package analyze

import "benchguide/metric"

// Cost is what a sample costs: money where the study states a price, energy where the
// power was measured. What is not known is empty, and never guessed.
type Cost struct {
	Sample string `json:"sample"`
	Money  string `json:"money,omitempty"`  // fact
	Energy string `json:"energy,omitempty"` // fact
}

// costs works out cost and energy of the baseline, and of the final configuration if it is
// another one.
func (a *analysis) costs() {
	for _, side := range a.report.sides() {
		s := a.objectiveSample(side.Ref)
		if s == nil {
			continue
		}
		c := Cost{Sample: s.ID, Money: a.money(s), Energy: a.energy(s)}
		if c.Money != "" || c.Energy != "" {
			a.report.Costs = append(a.report.Costs, c)
		}
	}
}

// money is the price of a million tokens, input and output alike.
func (a *analysis) money(s *Sample) string {
	price := a.study.Hardware.Price
	rate, ok := a.number(s, metric.TotalThroughput)
	if price == nil || !ok || rate <= 0 {
		return ""
	}
	perHour := a.facts.add(Fact{ID: "hardware:price", Kind: Measured, Value: price.PerHour, Unit: price.Currency + "/h", Precision: 2,
		Source: a.at("hardware", "price", "per_hour")})
	return a.facts.add(Fact{ID: s.ID + ":cost", Kind: Measured, Value: price.PerHour * float64(a.study.Hardware.Count) / 3600 / rate * 1e6,
		Unit: price.Currency + "/Mtoken", Precision: 3, Derived: true, Formula: "price × GPUs / total_throughput",
		Inputs: []string{perHour, "hardware:gpus", s.Values[metric.TotalThroughput]}})
}

// energy is what the GPUs took for each output token.
func (a *analysis) energy(s *Sample) string {
	rate, ok := a.number(s, metric.OutputThroughput)
	if !ok || rate <= 0 {
		return ""
	}
	power := a.meanOf(s, "power", a.powerOf)
	if power == "" {
		return ""
	}
	return a.facts.add(Fact{ID: s.ID + ":energy", Kind: Measured, Value: a.facts.value(power) / rate, Unit: "J/token", Precision: 3, Derived: true,
		Formula: "mean power / output_throughput", Inputs: []string{power, s.Values[metric.OutputThroughput]}})
}
