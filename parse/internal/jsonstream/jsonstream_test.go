package jsonstream_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"benchguide/parse/internal/jsonstream"
)

// text is a source that hands out a text in pieces of size bytes.
type text struct {
	window, rest []byte
	size, line   int
}

var _ jsonstream.Source = (*text)(nil)

func newText(s string, size int) *text { return &text{rest: []byte(s), size: size, line: 1} }

func (t *text) Window() []byte { return t.window }
func (t *text) Line() int      { return t.line }

func (t *text) Take(n int) {
	t.line += bytes.Count(t.window[:n], []byte{'\n'})
	t.window = t.window[n:]
}

func (t *text) More() bool {
	n := min(t.size, len(t.rest))
	// A new array each time, so that a reader that keeps an old window is found out.
	t.window = append(bytes.Clone(t.window), t.rest[:n]...)
	t.rest = t.rest[n:]
	return n > 0
}

// value reads a value the way encoding/json does, with numbers and words as written.
func value(r *jsonstream.Reader) any {
	switch r.Peek() {
	case jsonstream.Object:
		m := map[string]any{}
		r.Object(func(key string) { m[key] = value(r) })
		return m
	case jsonstream.Array:
		list := []any{}
		r.Array(func() { list = append(list, value(r)) })
		return list
	case jsonstream.String:
		return r.Scalar().Text
	default:
		s := r.Scalar()
		return fmt.Sprintf("%d:%s", s.Kind, s.Text)
	}
}

func read(s string, size int) (any, *jsonstream.Error) {
	r := jsonstream.NewReader(newText(s, size))
	r.SkipMark()
	v := value(r)
	return v, r.Err()
}

func TestReadsWhatToolsWrite(t *testing.T) {
	t.Parallel()
	number := func(s string) string { return fmt.Sprintf("%d:%s", jsonstream.Number, s) }
	type object = map[string]any
	for src, want := range map[string]any{
		`{"a": 1, "b": [2.5e-3, -0.0], "c": {}}`:          object{"a": number("1"), "b": []any{number("2.5e-3"), number("-0.0")}, "c": object{}},
		`[Infinity, -Infinity, NaN, 1e999]`:               []any{number("Infinity"), number("-Infinity"), number("NaN"), number("1e999")},
		"\ufeff{\"p99.9_ttft_ms\" :\r\n\t null}":          object{"p99.9_ttft_ms": fmt.Sprintf("%d:null", jsonstream.Null)},
		`["\"\\\/\n\u00e9\ud83d\ude00\ud83d"]`:            []any{"\"\\/\né😀\uFFFD"},
		`["a\\", "\\\"]"]`:                                []any{`a\`, `\"]`},
		`[true,false]`:                                    []any{fmt.Sprintf("%d:true", jsonstream.Bool), fmt.Sprintf("%d:false", jsonstream.Bool)},
		"[\"\xff\"]":                                      []any{"\uFFFD"},
		`{"a":"` + strings.Repeat("x", 5000) + `","b":2}`: object{"a": strings.Repeat("x", 4096), "b": number("2")},
	} {
		for _, size := range []int{1, 2, 3, 7, 1 << 20} {
			got, err := read(src, size)
			require.Nil(t, err, "%s in pieces of %d", src, size)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s in pieces of %d (-want +got):\n%s", src, size, diff)
			}
		}
	}
}

func TestSaysWhatIsWrongAndWhere(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 600) + strings.Repeat("]", 600)
	for src, want := range map[string]jsonstream.Error{
		"{\"a\": 1,\n\"b\" 2}":                {Line: 2, What: `'2' stands after the key "b" instead of a colon`},
		"[1\n2]":                              {Line: 2, What: `'2' stands where a comma or ']' must`},
		"[1,\n]":                              {Line: 2, What: `a comma stands before ']'`},
		"{\"a\":}":                            {Line: 1, What: `'}' stands where a value must`},
		"{a: 1}":                              {Line: 1, What: `'a' stands where a key in quotes must`},
		"[\n0x1p-2]":                          {Line: 2, What: `"0x1p-2" is no value`},
		"[1_000, 2]":                          {Line: 1, What: `"1_000" is no value`},
		"[None]":                              {Line: 1, What: `"None" is no value`},
		"[\"a\n\", 1]":                        {Line: 1, What: "a string is not closed before the end of its line"},
		deep:                                  {Line: 1, What: "values are nested more than 512 deep"},
		"[" + strings.Repeat("9", 2000) + "]": {Line: 1, What: "a word is longer than 1024 bytes"},
		"[1, 2":                               {Line: 1, What: "the text ends inside a value", Truncated: true},
		"{\"a\": 86":                          {Line: 1, What: "the text ends inside a value", Truncated: true},
		"{\"a\"":                              {Line: 1, What: "the text ends inside a value", Truncated: true},
		"{\"a\":":                             {Line: 1, What: "the text ends inside a value", Truncated: true},
		"[\"a":                                {Line: 1, What: "the text ends inside a value", Truncated: true},
	} {
		for _, size := range []int{1, 5, 1 << 20} {
			_, err := read(src, size)
			require.NotNil(t, err, "%s", src)
			require.Equal(t, want, *err, "%s in pieces of %d", src, size)
		}
	}
}

// skipAll skips the first value of a text and says what follows it.
func skipAll(s string, size int) (rest string, err *jsonstream.Error) {
	src := newText(s, size)
	r := jsonstream.NewReader(src)
	r.Skip()
	r.Sync()
	return string(src.window) + string(src.rest), r.Err()
}

func TestSkipsExactlyOneValue(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		`[[1, 2], [3, "]"], {"a": "}\""}]`, `{}`, `[]`, `"a\\"`, `12`, `NaN`, `{"a": [{"b": []}]}`,
		`["` + strings.Repeat("long", 1000) + `", [` + strings.Repeat("0.0123456789, ", 1000) + `1]]`,
	} {
		for _, size := range []int{1, 3, 8, 1 << 20} {
			rest, err := skipAll(src+",next", size)
			require.Nil(t, err, "%.40s", src)
			require.Equal(t, ",next", rest, "%.40s in pieces of %d", src, size)
		}
	}
	for src, want := range map[string]string{
		`[1, 2}`:            `'}' stands where ']' must`,
		"[0.1, 0.2\n{\"a\"": `'{' stands where a comma or ']' must`,
		`[[1]`:              "the text ends inside a value",
		strings.Repeat("[", 513) + strings.Repeat("]", 513): "values are nested more than 512 deep",
	} {
		_, err := skipAll(src, 1<<20)
		require.NotNil(t, err, "%.40s", src)
		require.Equal(t, want, err.What, "%.40s", src)
	}
}

func TestUntakenValuesAreSkipped(t *testing.T) {
	t.Parallel()
	r := jsonstream.NewReader(newText(`{"a": [1, [2]], "b": "x", "c": 3}`, 4))
	var keys []string
	var c jsonstream.Scalar
	r.Object(func(key string) {
		keys = append(keys, key)
		if key == "c" {
			c = r.Scalar()
		}
	})
	require.Nil(t, r.Err())
	require.Equal(t, []string{"a", "b", "c"}, keys)
	require.Equal(t, jsonstream.Scalar{Kind: jsonstream.Number, Text: "3", Line: 1}, c)
}

func TestFloatsStayAligned(t *testing.T) {
	t.Parallel()
	const src = `[0.5, null, "x", [1], NaN, 1e999, true,-2,  3 ,0.00019976500061602565,1.5E2, -0.25]`
	nan := math.NaN()
	want := []float64{0.5, nan, nan, nan, nan, nan, nan, -2, 3, 0.00019976500061602565, 150, -0.25}
	for _, size := range []int{1, 3, 10, 1 << 20} {
		r := jsonstream.NewReader(newText(src, size))
		var got []float64
		r.Floats(func(f float64) { got = append(got, f) })
		require.Nil(t, r.Err())
		if diff := cmp.Diff(want, got, cmpopts.EquateNaNs(), cmpopts.EquateApprox(1e-15, 0)); diff != "" {
			t.Errorf("in pieces of %d (-want +got):\n%s", size, diff)
		}
	}
}

func TestFloatsEndAtAnError(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"[1, 2": "the text ends inside a value", "[1, 2,": "the text ends inside a value", "[1, 2.]": `"2." is no value`,
		"[1, x]": `"x" is no value`, "[1 2]": `'2' stands where a comma or ']' must`, "[1,, 2]": `',' stands where a value must`,
	} {
		r := jsonstream.NewReader(newText(src, 2))
		n := 0
		r.Floats(func(float64) { n++ })
		require.NotNil(t, r.Err(), src)
		require.Equal(t, want, r.Err().What, src)
		require.Less(t, n, 3, "%s: a number was made of what is none", src)
	}
}

// Numbers are read as strconv reads them, but for the last bit.
func TestFloatReadsWhatStrconvReads(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		format := rapid.SampledFrom([]byte("efg")).Draw(t, "format")
		written := strconv.FormatFloat(rapid.Float64().Draw(t, "number"), format, rapid.IntRange(-1, 25).Draw(t, "digits"), 64)
		want, err := strconv.ParseFloat(written, 64)
		if err != nil {
			t.Skip("out of range")
		}
		got := jsonstream.NewReader(newText(written+",", rapid.IntRange(1, 30).Draw(t, "size"))).Float()
		if diff := cmp.Diff(want, got, cmpopts.EquateApprox(3e-16, 0)); diff != "" {
			t.Fatalf("%s: %s", written, diff)
		}
	})
}

// documents draws a JSON document, compact or indented.
func documents() *rapid.Generator[string] {
	var node func(depth int) *rapid.Generator[any]
	node = func(depth int) *rapid.Generator[any] {
		scalar := rapid.OneOf(
			rapid.Map(rapid.Float64(), func(f float64) any { return f }),
			rapid.Map(rapid.String(), func(s string) any { return s }),
			rapid.SampledFrom([]any{nil, true, false, `\`, `"`, "[", "}"}),
		)
		if depth == 0 {
			return scalar
		}
		return rapid.OneOf(scalar,
			rapid.Map(rapid.SliceOfN(rapid.Deferred(func() *rapid.Generator[any] { return node(depth - 1) }), 0, 4), func(l []any) any { return l }),
			rapid.Map(rapid.MapOfN(rapid.StringN(0, 5, -1), rapid.Deferred(func() *rapid.Generator[any] { return node(depth - 1) }), 0, 4), func(m map[string]any) any { return m }))
	}
	return rapid.Custom(func(t *rapid.T) string {
		v := map[string]any{"a": node(3).Draw(t, "value")}
		indent := rapid.SampledFrom([]string{"", "    "}).Draw(t, "indent")
		out, err := json.MarshalIndent(v, "", indent)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	})
}

// What encoding/json reads is read alike, whole or in pieces; what is skipped ends
// where what is read does; and every cut is an error.
func TestAgreesWithTheStandardLibrary(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src, size := documents().Draw(t, "source"), rapid.IntRange(1, 40).Draw(t, "size")
		var want any
		decoder := json.NewDecoder(strings.NewReader(src))
		decoder.UseNumber()
		if err := decoder.Decode(&want); err != nil {
			t.Fatal(err)
		}
		got, err := read(src, size)
		if err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		if diff := cmp.Diff(words(want), got); diff != "" {
			t.Fatalf("%s (-standard +ours):\n%s", src, diff)
		}
		if rest, err := skipAll(src+"@", size); err != nil || rest != "@" {
			t.Fatalf("skipping %s leaves %q, %v", src, rest, err)
		}
		cut := rapid.IntRange(0, len(src)-1).Draw(t, "cut")
		if _, err := read(src[:cut], size); cut > 0 && (err == nil || !err.Truncated) {
			t.Fatalf("%q gives %v", src[:cut], err)
		}
	})
}

// words renders what the standard library read as value does.
func words(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := map[string]any{}
		for k, e := range v {
			m[k] = words(e)
		}
		return m
	case []any:
		list := []any{}
		for _, e := range v {
			list = append(list, words(e))
		}
		return list
	case json.Number:
		return fmt.Sprintf("%d:%s", jsonstream.Number, v)
	case bool:
		return fmt.Sprintf("%d:%t", jsonstream.Bool, v)
	case nil:
		return fmt.Sprintf("%d:null", jsonstream.Null)
	default:
		return v
	}
}

func FuzzReader(f *testing.F) {
	for _, s := range []string{
		`{"a": [1, 2.5, NaN], "b": {"c": "\u00e9\\"}}`, "{\"a\": 1}\n{\"a\": 2}", `[[[`, "\ufeff[]", `{"a": 86`, "[\"\xff\n", `[1,]`, `"\ud83d\ude00"`,
		`{"itls": [[0.1, 0.2], []], "errors": ["", "Traceback \"x\""]}`,
	} {
		f.Add(s, uint8(3))
	}
	f.Fuzz(func(t *testing.T, src string, size uint8) {
		whole, err := read(src, len(src)+1)
		pieces, errPieces := read(src, int(size)+1)
		if diff := cmp.Diff(err, errPieces); diff != "" {
			t.Fatalf("whole and in pieces differ:\n%s", diff)
		}
		if err != nil {
			return
		}
		if diff := cmp.Diff(whole, pieces); diff != "" {
			t.Fatalf("whole and in pieces differ:\n%s", diff)
		}
		// Skipping is more lenient than reading, and takes what reading takes.
		if _, err := skipAll(strings.TrimPrefix(src, "\ufeff"), int(size)+1); err != nil && len(src) > 0 {
			t.Fatalf("read, but not skipped: %v", err)
		}
	})
}
