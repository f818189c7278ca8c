package jsonstream

import (
	"math"
	"strconv"
)

// Float reads a number. It returns NaN for null and for what is no number, so that
// lists of numbers stay aligned. It may differ from the number as it is written in
// the last bit, which no statistic over it can show; Scalar keeps what is written.
func (r *Reader) Float() float64 {
	if c, ok := r.next(); ok && (c == '{' || c == '[' || c == '"') {
		r.Skip()
		return math.NaN()
	}
	if f, n := numeral(r.buf[r.pos:]); n > 0 {
		r.pos += n
		r.taken++
		return f
	}
	w := string(r.word())
	switch kind := kindOfWord(w); {
	case kind == None:
		r.failWord(w)
		return math.NaN()
	case kind != Number:
		r.taken++
		return math.NaN()
	}
	r.taken++
	f, err := strconv.ParseFloat(w, 64)
	if err != nil || math.IsInf(f, 0) {
		return math.NaN()
	}
	return f
}

// Floats reads an array of numbers, each as Float does.
func (r *Reader) Floats(each func(float64)) {
	if !r.open('[') {
		return
	}
	for first := true; r.more(']', &first); {
		f := r.Float()
		if r.err != nil {
			return
		}
		each(f)
		for {
			f, n := separated(r.buf[r.pos:])
			if n == 0 {
				break
			}
			r.pos += n
			each(f)
		}
	}
}

// separated reads ", 0.0123" at the start of b, and returns how long it is; 0 says
// that something else stands there, or something that b may not hold to its end.
func separated(b []byte) (f float64, n int) {
	if len(b) < 2 || b[0] != ',' {
		return 0, 0
	}
	from := 1
	if b[1] == ' ' {
		from = 2
	}
	f, n = numeral(b[from:])
	if n == 0 {
		return 0, 0
	}
	return f, from + n
}

const (
	maxDigits = 19 // a mantissa of 64 bits holds so many for certain
	maxPower  = 22 // powers of ten up to this one are exact
)

// numeral reads a number of at most 19 significant digits without exponent, which
// is how nearly all numbers are written, at the start of b. It returns 0 for n when
// b begins with anything else, or ends before the number does.
func numeral(b []byte) (f float64, n int) {
	i, negative := 0, false
	if len(b) > 0 && b[0] == '-' {
		i, negative = 1, true
	}
	mantissa, from := uint64(0), i
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		mantissa = mantissa*10 + uint64(b[i]-'0')
	}
	digits, fraction := i-from, 0
	if digits == 0 {
		return 0, 0
	}
	if i < len(b) && b[i] == '.' {
		for i++; i < len(b) && b[i]-'0' <= 9; i++ {
			mantissa = mantissa*10 + uint64(b[i]-'0')
			fraction++
		}
		if fraction == 0 || fraction > maxPower {
			return 0, 0
		}
	}
	if i == len(b) || !isDelimiter(b[i]) || digits+fraction-leadingZeros(b[from:i]) > maxDigits {
		return 0, 0
	}
	f = float64(mantissa) / powerOfTen(fraction)
	if negative {
		f = -f
	}
	return f, i
}

// leadingZeros counts the zeros before the first significant digit.
func leadingZeros(numeral []byte) int {
	zeros := 0
	for _, c := range numeral {
		switch c {
		case '0':
			zeros++
		case '.':
		default:
			return zeros
		}
	}
	return zeros
}

func powerOfTen(n int) float64 {
	return [...]float64{
		1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
		1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
	}[n]
}
