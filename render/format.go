package render

import (
	"fmt"
	"math"
	"strconv"

	"benchguide/analyze"
	"benchguide/metric"
)

// The styles in which a fact can be stated. The default prints a measured number
// with its unit and a ratio as a gain.
const (
	StyleDefault = ""
	StylePercent = "percent" // +46.5%, whatever the size
	StyleTimes   = "times"   // 1.46x, 2.7x
	StyleFactor  = "factor"  // 1.46, 2.7: the number alone, for sentences that say "times" themselves
	StyleBare    = "bare"    // the number without its unit
	StyleChange  = "change"  // the change of the metric's own value: -31.7%
)

// gainTurnsTimes is the ratio from which a gain is printed as a multiple: percentages
// above 100 are hard to picture.
const gainTurnsTimes = 2

// factText prints a fact. Text is the same in both languages, so that a reader of
// both finds the same figures.
func factText(f analyze.Fact, style string) (string, error) {
	switch f.Kind {
	case analyze.Ratio:
		return ratioText(f, style)
	case analyze.Fraction:
		if style != StyleDefault {
			return "", fmt.Errorf("fact %s is a fraction and has no style %q", f.ID, style)
		}
		return strconv.FormatFloat(f.Value*100, 'f', f.Precision, 64) + "%", nil
	}
	number := strconv.FormatFloat(f.Value, 'f', f.Precision, 64)
	switch {
	case style == StyleBare || style == StyleDefault && !printsUnit(f.Unit):
		return number, nil
	case style == StyleDefault && f.Unit == string(metric.Percent):
		return number + f.Unit, nil // as fractions are printed
	case style == StyleDefault:
		return number + " " + f.Unit, nil
	}
	return "", fmt.Errorf("fact %s is no ratio and has no style %q", f.ID, style)
}

// printsUnit tells units from the names of what is counted: "100 requests" is said
// in the words around the number, in the language of the page.
func printsUnit(unit string) bool {
	return unit != "" && unit != string(metric.Requests) && unit != string(metric.Tokens)
}

func ratioText(f analyze.Fact, style string) (string, error) {
	switch style {
	case StyleDefault:
		if f.Value >= gainTurnsTimes {
			return timesText(f.Value) + "x", nil
		}
		return percentText(f.Value - 1), nil
	case StylePercent:
		return percentText(f.Value - 1), nil
	case StyleTimes:
		return timesText(f.Value) + "x", nil
	case StyleFactor:
		return timesText(f.Value), nil
	case StyleChange:
		return percentText(change(f)), nil
	}
	return "", fmt.Errorf("fact %s is a ratio and has no style %q", f.ID, style)
}

// change is how much the metric itself moved. A ratio is turned so that above 1 is
// better; for a latency the value moved by the inverse.
func change(f analyze.Fact) float64 {
	m, ok := metric.Lookup(f.Metric)
	if ok && m.Better == metric.LowerIsBetter {
		return 1/f.Value - 1
	}
	return f.Value - 1
}

// timesText prints a multiple: two decimals below 2, where a second one still
// tells multiples apart, one above.
func timesText(v float64) string {
	if v >= gainTurnsTimes {
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// percentText prints a signed percentage with one decimal; what rounds to zero has
// no sign, since a gain of "-0.0%" would be neither.
func percentText(v float64) string {
	rounded := math.Round(v*1000) / 10
	if rounded == 0 {
		return "0.0%"
	}
	return fmt.Sprintf("%+.1f%%", rounded)
}

// exact is the shortest decimal that reads back as the same number: the value
// attribute of a fact.
func exact(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
