package parse_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"benchguide/metric"
	"benchguide/parse"
)

// place is a value where it stands; several columns of a table may share a line.
type place struct {
	line int
	id   metric.ID
	text string
}

func valuesByPlace(records []parse.Record) map[place]bool {
	all := map[place]bool{}
	for _, r := range records {
		for _, v := range r.Values {
			all[place{v.Line, v.Metric, fmt.Sprint(asPrinted(v), v.Text)}] = true
		}
	}
	return all
}

// asPrinted returns the number that stands in the file. A value is recomputed only
// from a whole file.
func asPrinted(v parse.Value) float64 {
	if v.Recomputed && v.Text != "" {
		return v.Printed
	}
	return v.Number
}

// checkCut fails when the first n bytes of src give a value that src does not have.
// A usable record may have only values of the whole text. One that says itself that
// it is cut may also have what a later line would take away, such as a zero that
// turns out to mean nothing, but no number that src does not print in that line.
func checkCut(t testing.TB, src []byte, n int, whole []parse.Record) {
	t.Helper()
	values := valuesByPlace(whole)
	records, _ := parse.Bytes("in", src[:n])
	for _, r := range records {
		for _, v := range r.Values {
			if values[place{v.Line, v.Metric, fmt.Sprint(asPrinted(v), v.Text)}] {
				continue
			}
			if redrawnAfter(src, v.Line, n) {
				continue // a terminal wrote over the line behind the cut: the value had been on the screen
			}
			if v.Derived && r.Usable() || !v.Derived && (r.Usable() || !printsNumber(src, v)) {
				t.Fatalf("the first %d bytes give %s = %q in line %d, and the whole text does not", n, v.Metric, v.Text, v.Line)
			}
		}
	}
}

// redrawnAfter reports whether the line was cut at offset n and is overwritten behind it,
// by a carriage return with text after it. Nothing before the cut can tell.
func redrawnAfter(src []byte, line, n int) bool {
	if 1+bytes.Count(src[:n], []byte("\n")) != line {
		return false
	}
	for n > 0 && src[n-1] == '\r' {
		n-- // the cut may lie behind the carriage return itself
	}
	rest, _, _ := bytes.Cut(src[n:], []byte("\n"))
	return bytes.IndexByte(bytes.TrimRight(rest, "\r"), '\r') >= 0
}

// printsNumber reports whether the value's text is a whole number in its line of src.
func printsNumber(src []byte, v parse.Value) bool {
	line := strings.Split(string(src), "\n")[v.Line-1]
	line = strings.Map(func(r rune) rune {
		if r >= '０' && r <= '９' {
			return r - '０' + '0'
		}
		return r
	}, line)
	for {
		_, after, ok := strings.Cut(line, v.Text)
		if !ok {
			return false
		}
		if after == "" || !strings.ContainsAny(after[:1], "0123456789.") {
			return true
		}
		line = after
	}
}

// isRefused tells fixtures of benchmarks without tokens: cut before its tell-tale,
// such a block is an unusable record of another producer's.
func isRefused(problems []parse.Problem) bool {
	return slices.ContainsFunc(problems, func(p parse.Problem) bool { return p.Code == parse.CodeNotTokens })
}

func TestCuttingAFileNeverInventsAValue(t *testing.T) {
	t.Parallel()
	names := textFixtures(t)
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(name)
			require.NoError(t, err)
			records, problems := parse.Bytes("in", src)
			if isRefused(problems) {
				return
			}
			require.NotEmpty(t, valuesByPlace(records))
			// Some hundred places of each file: the fuzz targets try the others. An odd
			// step meets every column of lines that are 50 wide.
			step := 1 + len(src)/300 | 1
			for n := 0; n < len(src); n += step {
				checkCut(t, src, n, records)
			}
		})
	}
}

// textFixtures lists the texts that results are read from.
func textFixtures(t testing.TB) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"*.txt", "*.md", "corpus/*.txt", "corpus/*.typescript"} {
		names, err := filepath.Glob(filepath.Join(fixtures, pattern))
		require.NoError(t, err)
		all = append(all, names...)
	}
	require.NotEmpty(t, all)
	return slices.DeleteFunc(all, func(name string) bool { return filepath.Base(name) == "README.md" })
}

// A block in any order, with any percentile and with noise between its lines, gives
// back what was written into it.
func TestReadsBackWhatWasWritten(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := map[metric.ID]string{}
		lines := []string{fmt.Sprintf("%-40s %-10d", "Successful requests:", rapid.IntRange(1, 1e6).Draw(t, "done"))}
		for _, q := range metric.Quantities() {
			word := map[metric.Quantity]string{metric.TTFT: "TTFT", metric.TPOT: "TPOT", metric.ITL: "ITL", metric.E2E: "E2EL"}[q]
			percentiles := rapid.SliceOfNDistinct(rapid.SampledFrom([]float64{1, 25, 50, 90, 95, 99, 99.9, 99.99}), 0, 4, rapid.ID[float64]).Draw(t, "percentiles")
			add := func(stat metric.Stat, name string) {
				text := fmt.Sprintf("%.2f", rapid.Float64Range(0.01, 1e7).Draw(t, "value"))
				want[metric.Of(stat, q)] = text
				lines = append(lines, fmt.Sprintf("%-40s %-10s", name+" "+word+" (ms):", text))
			}
			add(metric.Mean, "Mean")
			for _, p := range percentiles {
				add(metric.Pct(p), fmt.Sprintf("P%v", p))
			}
		}
		lines = rapid.Permutation(lines).Draw(t, "order")
		noise := rapid.SampledFrom([]string{"", "INFO 11-30 22:15:14 [utils.py:90] Sampling", " 50%|█  | 1/2 [00:01<00:01,  3.75it/s]", "Number of widgets: 12"})
		var src strings.Builder
		src.WriteString("============ Serving Benchmark Result ============\n")
		for _, l := range lines {
			src.WriteString(l + "\n")
			for range rapid.IntRange(0, 3).Draw(t, "noise lines") {
				src.WriteString(noise.Draw(t, "noise") + "\n")
			}
		}
		src.WriteString("==================================================\n")
		records, problems := parse.Bytes("in", []byte(src.String()))
		if len(records) != 1 || len(problems) > 0 || len(records[0].Problems) > 0 {
			t.Fatalf("%d records, problems %v", len(records), foundIn(records, problems))
		}
		if got := len(records[0].Values); got != len(want)+1 {
			t.Fatalf("%d values, want %d", got, len(want)+1)
		}
		for id, text := range want {
			if v, ok := records[0].Value(id); !ok || v.Text != text {
				t.Fatalf("%s is %q, want %q", id, v.Text, text)
			}
		}
	})
}

// FuzzBytes tries every reader, by way of what tells them apart.
func FuzzBytes(f *testing.F) {
	for _, name := range textFixtures(f) {
		src, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src, uint16(len(src)/2))
	}
	f.Fuzz(checkText)
}

// checkText holds what is true of every text: there is a record or a reason, values
// lie in the lines of their record, and a part of the text has no values of its own.
func checkText(t *testing.T, src []byte, cut uint16) {
	records, problems := parse.Bytes("in", src)
	if len(records) == 0 && len(problems) == 0 {
		t.Fatal("neither a record nor a reason")
	}
	lines := strings.Count(string(src), "\n") + 1
	for _, r := range records {
		if r.Line < 1 || r.EndLine < r.Line || r.EndLine > lines {
			t.Fatalf("lines %d to %d of %d", r.Line, r.EndLine, lines)
		}
		for _, v := range r.Values {
			if v.Line < r.Line || v.Line > r.EndLine || v.Number != v.Number {
				t.Fatalf("%+v in lines %d to %d", v, r.Line, r.EndLine)
			}
			if _, ok := metric.Lookup(v.Metric); !ok {
				t.Fatalf("%s is not declared", v.Metric)
			}
		}
	}
	if n := int(cut); n < len(src) && !isRefused(problems) {
		checkCut(t, src, n, records)
	}
}

// However a reader hands out its bytes, and wherever a block lies in the window,
// the result is that of the whole text at once.
func TestStreamReadsWhatBytesReads(t *testing.T) {
	t.Parallel()
	guide := fixture(t, "guide-8b.txt")
	flood := strings.Repeat("INFO 11-30 22:15:14 [loggers.py:122] nothing to see\n", 3000)
	src := []byte(flood + string(guide) + flood + strings.Repeat("y", 300_000) + "\n" + string(guide) + string(fixture(t, "vllm-0.3.3.txt")))
	want, wantProblems := parse.Bytes("in", src)
	require.Len(t, want, 13)
	for name, r := range map[string]io.Reader{
		"at once":       bytes.NewReader(src),
		"halves":        iotest.HalfReader(bytes.NewReader(src)),
		"byte by byte":  iotest.OneByteReader(bytes.NewReader(src)),
		"data with EOF": iotest.DataErrReader(bytes.NewReader(src)),
	} {
		var got []parse.Record
		problems, err := parse.Stream("in", r, func(r parse.Record) { got = append(got, r) })
		require.NoError(t, err, name)
		require.Equal(t, wantProblems, problems, name)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-bytes +stream):\n%s", name, diff)
		}
	}
}

func BenchmarkStreamLog(b *testing.B) {
	const lines = 400_000
	line := []byte("INFO 11-30 22:15:14 [loggers.py:122] Engine 000: Avg prompt throughput: 12.3 tokens/s, Running: 4 reqs\n")
	b.SetBytes(int64(lines * len(line)))
	for b.Loop() {
		if _, err := parse.Stream("in", &repeated{line: line, n: lines}, func(parse.Record) {}); err != nil {
			b.Fatal(err)
		}
	}
}
