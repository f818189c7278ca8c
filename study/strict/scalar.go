package strict

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// What numbers and durations look like. Numbers are JSON's, since 010, 1_000,
// 0x10, .5 and 1:30 mean different things to different YAML readers.
const (
	integerPattern  = `-?(0|[1-9][0-9]*)`
	numberPattern   = integerPattern + `(\.[0-9]+)?([eE][-+]?[0-9]+)?`
	durationPattern = `([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+`
)

// The forms are compiled once; a document may hold many numbers.
var (
	integerForm  = whole(integerPattern)
	numberForm   = whole(numberPattern)
	durationForm = whole(durationPattern)
)

func whole(pattern string) *regexp.Regexp { return regexp.MustCompile("^(?:" + pattern + ")$") }

// decodeScalar fills a string, number, bool or duration. Quotes say "this is a text",
// so that only texts and durations, which are written as texts, may have them.
func decodeScalar(n *Node, v reflect.Value) []Problem {
	if n.kind != Scalar {
		return mismatch(n, scalarWord(v.Type()), "write a single value")
	}
	switch {
	case isDuration(v.Type()):
		return decodeDuration(n, v)
	case v.Kind() == reflect.String:
		return decodeString(n, v)
	case n.quoted:
		return mismatch(n, scalarWord(v.Type()), "remove the quotes")
	case v.Kind() == reflect.Bool:
		if n.text != "true" && n.text != "false" {
			return mismatch(n, scalarWord(v.Type()), "write true or false")
		}
		v.SetBool(n.text == "true")
		return nil
	case v.CanFloat():
		return decodeFloat(n, v)
	default:
		return decodeInteger(n, v)
	}
}

// scalarWord names what a type takes, for "must be ...".
func scalarWord(t reflect.Type) string {
	switch k := t.Kind(); {
	case isDuration(t):
		return "a duration"
	case k == reflect.String:
		return "a text"
	case k == reflect.Bool:
		return "true or false"
	case k == reflect.Float32, k == reflect.Float64:
		return "a number"
	default:
		return "a whole number"
	}
}

// decodeString takes any scalar as it is written; only a closed list of values
// narrows it.
func decodeString(n *Node, v reflect.Value) []Problem {
	if enum, ok := hook[Enum](v); ok {
		if allowed := enum.StrictValues(); !slices.Contains(allowed, n.text) {
			hint := "write one of these"
			if best := Closest(n.text, allowed); best != "" {
				hint = didYouMean(best)
			}
			return mismatch(n, "one of "+strings.Join(allowed, ", "), hint)
		}
	}
	v.SetString(n.text)
	return nil
}

// decodeInteger refuses 3.0 and 1e3 too: whoever counts GPUs writes digits, and a
// point is more often a slip than a style.
func decodeInteger(n *Node, v reflect.Value) []Problem {
	if !integerForm.MatchString(n.text) {
		return mismatch(n, scalarWord(v.Type()), "write decimal digits only, such as 8")
	}
	bits := v.Type().Bits()
	if v.CanUint() {
		number, err := strconv.ParseUint(n.text, 10, bits)
		if err != nil {
			return outOfRange(n, 0, ^uint64(0)>>(64-bits))
		}
		v.SetUint(number)
		return nil
	}
	number, err := strconv.ParseInt(n.text, 10, bits)
	if err != nil {
		return outOfRange(n, int64(-1)<<(bits-1), ^uint64(0)>>(65-bits))
	}
	v.SetInt(number)
	return nil
}

func outOfRange(n *Node, lowest int64, highest uint64) []Problem {
	return []Problem{n.Problem(fmt.Sprintf("%s is out of range: %s", n.label(), n.found()), fmt.Sprintf("write a number from %d to %d", lowest, highest))}
}

// decodeFloat has no room for NaN and infinities: a missing number is left out.
func decodeFloat(n *Node, v reflect.Value) []Problem {
	if !numberForm.MatchString(n.text) {
		return mismatch(n, scalarWord(v.Type()), "write a decimal number, such as 0.5")
	}
	number, err := strconv.ParseFloat(n.text, v.Type().Bits())
	if err != nil {
		return []Problem{n.Problem(fmt.Sprintf("%s is out of range: %s", n.label(), n.found()), "write a smaller number")}
	}
	v.SetFloat(number)
	return nil
}

// decodeDuration demands units. Go's parser accepts a bare 0 and signs, which no
// schema pattern for editors would explain.
func decodeDuration(n *Node, v reflect.Value) []Problem {
	const hint = "write a number with its unit, such as 90s, 30m or 1h30m"
	if !durationForm.MatchString(n.text) {
		return mismatch(n, scalarWord(v.Type()), hint)
	}
	d, err := time.ParseDuration(n.text)
	if err != nil {
		return []Problem{n.Problem(fmt.Sprintf("%s is out of range: %s", n.label(), n.found()), "write a shorter duration")}
	}
	v.SetInt(int64(d))
	return nil
}
