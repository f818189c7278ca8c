package gpulog

import (
	"maps"
	"slices"
	"time"
)

// reach is how far from its own time a sample may speak at most. Beyond it, nothing is
// known; it is more than half of a second between samples, which come late now and then.
const reach = 1500 * time.Millisecond

// Summary is what the GPUs did in a stretch of time. What is not known is negative.
type Summary struct {
	GPUs          int
	Samples       int     // within the time
	Seconds       float64 // of the time of which something is known; the least of the GPUs
	MeanPowerW    float64 // summed over the GPUs
	Joules        float64 // in those seconds, summed
	PowerCap      float64 // part of the seconds in which the power limit held a GPU back; the worst of the GPUs
	Throttled     float64 // the same of anything that Throttled counts
	MaxCelsius    float64
	MinSMClockMHz float64 // while the GPU was not idle
	SMClockMHz    float64 // mean over that time; of the GPU with the lowest one
	Utilization   float64 // mean, in per cent; of the GPU with the lowest one
	MaxMemoryMiB  float64 // of one GPU
}

// Window sums up samples between two times. Each sample speaks for the time that is nearer
// to it than to its neighbours', so that a sample before and one after the window complete
// it, and a gap is left out and not filled.
//
// Several GPUs share one model, and the slowest one sets the pace: shares of time are those
// of the GPU that was held back most.
func Window(samples []Sample, from, to time.Time) Summary {
	byGPU := map[int][]Sample{}
	for _, s := range samples {
		byGPU[s.Index] = append(byGPU[s.Index], s)
	}
	sum := nothing()
	for n, index := range slices.Sorted(maps.Keys(byGPU)) {
		list := byGPU[index]
		slices.SortStableFunc(list, func(a, b Sample) int { return a.Time.Compare(b.Time) })
		sum.add(oneGPU(list, from, to), n == 0)
	}
	return sum
}

func nothing() Summary {
	return Summary{Seconds: 0, MeanPowerW: Unknown, Joules: Unknown, PowerCap: Unknown, Throttled: Unknown,
		MaxCelsius: Unknown, MinSMClockMHz: Unknown, SMClockMHz: Unknown, Utilization: Unknown, MaxMemoryMiB: Unknown}
}

// oneGPU sums up the samples of one GPU, which are in order.
func oneGPU(list []Sample, from, to time.Time) Summary {
	sum := nothing()
	sum.GPUs = 1
	var power, cap, throttled, clock, utilization mean
	for i, s := range list {
		if !s.Time.Before(from) && !s.Time.After(to) {
			sum.Samples++
		}
		seconds := share(list, i, from, to)
		if seconds <= 0 {
			continue
		}
		sum.Seconds += seconds
		power.add(s.PowerW, seconds)
		utilization.add(s.Utilization, seconds)
		if s.Reasons != ReasonsUnknown {
			cap.add(truth(s.Reasons&PowerCap != 0), seconds)
			throttled.add(truth(Throttled(s.Reasons)), seconds)
		}
		sum.MaxCelsius = max(sum.MaxCelsius, s.Celsius)
		sum.MaxMemoryMiB = max(sum.MaxMemoryMiB, s.MemoryMiB)
		if s.SMClockMHz >= 0 && (s.Reasons == ReasonsUnknown || s.Reasons&Idle == 0) {
			sum.MinSMClockMHz = least(sum.MinSMClockMHz, s.SMClockMHz)
			clock.add(s.SMClockMHz, seconds)
		}
	}
	sum.SMClockMHz, sum.Utilization = clock.value(), utilization.value()
	sum.MeanPowerW, sum.PowerCap, sum.Throttled = power.value(), cap.value(), throttled.value()
	if sum.MeanPowerW >= 0 {
		sum.Joules = power.sum
	}
	return sum
}

// share is how many seconds of the window a sample speaks for.
func share(list []Sample, i int, from, to time.Time) float64 {
	begin, end := list[i].Time.Add(-reach), list[i].Time.Add(reach)
	if i > 0 {
		begin = later(begin, middle(list[i-1].Time, list[i].Time))
	}
	if i+1 < len(list) {
		end = earlier(end, middle(list[i].Time, list[i+1].Time))
	}
	return earlier(end, to).Sub(later(begin, from)).Seconds()
}

// add adds another GPU's summary. A sum with something unknown in it is unknown.
func (sum *Summary) add(gpu Summary, first bool) {
	if first {
		*sum = gpu
		return
	}
	sum.GPUs++
	sum.Samples += gpu.Samples
	sum.Seconds = min(sum.Seconds, gpu.Seconds)
	sum.MeanPowerW = both(sum.MeanPowerW, gpu.MeanPowerW)
	sum.Joules = both(sum.Joules, gpu.Joules)
	sum.PowerCap = max(sum.PowerCap, gpu.PowerCap)
	sum.Throttled = max(sum.Throttled, gpu.Throttled)
	sum.MaxCelsius = max(sum.MaxCelsius, gpu.MaxCelsius)
	sum.MaxMemoryMiB = max(sum.MaxMemoryMiB, gpu.MaxMemoryMiB)
	sum.MinSMClockMHz = least(sum.MinSMClockMHz, gpu.MinSMClockMHz)
	sum.SMClockMHz = least(sum.SMClockMHz, gpu.SMClockMHz)
	sum.Utilization = least(sum.Utilization, gpu.Utilization)
}

// mean is a mean over time.
type mean struct{ sum, seconds float64 }

func (m *mean) add(value, seconds float64) {
	if value >= 0 {
		m.sum += value * seconds
		m.seconds += seconds
	}
}

func (m *mean) value() float64 {
	if m.seconds <= 0 {
		return Unknown
	}
	return m.sum / m.seconds
}

func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// both is a sum of two numbers that are both known.
func both(a, b float64) float64 {
	if a < 0 || b < 0 {
		return Unknown
	}
	return a + b
}

// least is the lesser of the known numbers.
func least(a, b float64) float64 {
	if a < 0 || b >= 0 && b < a {
		return b
	}
	return a
}

func middle(a, b time.Time) time.Time { return a.Add(b.Sub(a) / 2) }

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
