package parse_test

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/metric"
	"benchguide/parse"
)

// found is a problem without its wording.
type found struct {
	Code     string
	Severity parse.Severity
	Line     int
}

func foundIn(records []parse.Record, problems []parse.Problem) []found {
	var all []found
	for _, r := range records {
		for _, p := range r.Problems {
			all = append(all, found{p.Code, p.Severity, p.Line})
		}
	}
	for _, p := range problems {
		all = append(all, found{p.Code, p.Severity, p.Line})
	}
	return all
}

func TestBadInputIsReportedWithItsPlace(t *testing.T) {
	t.Parallel()
	block := base(t)
	line := func(prefix string) string {
		i := strings.Index(block, prefix)
		require.GreaterOrEqual(t, i, 0, prefix)
		text, _, _ := strings.Cut(block[i:], "\n")
		return text + "\n"
	}
	replace := func(prefix, with string) string { return strings.Replace(block, line(prefix), with, 1) }
	footer := strings.Repeat("=", 50) + "\n"
	header := line("============ Serving")
	const mean = "Mean TTFT (ms):                          "
	for name, c := range map[string]struct {
		src     string
		records int
		want    []found
	}{
		"a whole block":               {block, 1, nil},
		"no closing rule":             {strings.Replace(block, footer, "", 1), 1, []found{{parse.CodeTruncated, parse.Error, 24}}},
		"ends after the header":       {header, 1, []found{{parse.CodeTruncated, parse.Error, 1}}},
		"ends inside a value":         {block[:strings.Index(block, "65.57")+3], 1, []found{{parse.CodeCutValue, parse.Error, 14}, {parse.CodeTruncated, parse.Error, 14}}},
		"value cut inside the block":  {replace(mean, mean+"65.\n"), 1, []found{{parse.CodeCutValue, parse.Error, 14}}},
		"decimals cut off":            {replace(mean, mean+"65\n"), 1, []found{{parse.CodeCutValue, parse.Error, 14}}},
		"no header":                   {strings.Replace(block, header, "", 1), 1, []found{{parse.CodeNoHeader, parse.Warning, 1}}},
		"label without number":        {replace(mean, mean+"\n"), 1, []found{{parse.CodeNoValue, parse.Error, 14}}},
		"text for a number":           {replace(mean, mean+"fast\n"), 1, []found{{parse.CodeUnreadable, parse.Error, 14}}},
		"two points":                  {replace(mean, mean+"65.57.1\n"), 1, []found{{parse.CodeUnreadable, parse.Error, 14}}},
		"nan":                         {replace(mean, mean+"nan\n"), 1, []found{{parse.CodeNotFinite, parse.Warning, 14}}},
		"inf":                         {replace(mean, mean+"inf\n"), 1, []found{{parse.CodeNotFinite, parse.Warning, 14}}},
		"out of range":                {replace(mean, mean+"1e999\n"), 1, []found{{parse.CodeNotFinite, parse.Warning, 14}}},
		"repeated label, same value":  {replace(mean, line(mean)+line(mean)), 1, nil},
		"repeated label, other value": {replace(mean, line(mean)+mean+"66.00\n"), 1, []found{{parse.CodeDuplicate, parse.Error, 15}}},
		"not UTF-8":                   {replace(mean, "Mean TTFT (ms):\xff 65.57\n"), 1, []found{{parse.CodeEncoding, parse.Error, 14}}},
		"two blocks, the rule and header between lost": {
			strings.Replace(block, footer, "", 1) + strings.Replace(block, header, "", 1), 2,
			[]found{{parse.CodeRunTogether, parse.Error, 24}, {parse.CodeNoHeader, parse.Warning, 25}},
		},
		"two blocks, the rule between lost": {
			strings.Replace(block, footer, "", 1) + block, 2, []found{{parse.CodeRunTogether, parse.Error, 24}},
		},
		"rule and header on one line":     {strings.TrimSuffix(block, "\n") + block, 2, nil},
		"value and header on one line":    {strings.TrimSuffix(strings.Replace(block, footer, "", 1), "\n") + block, 2, []found{{parse.CodeRunTogether, parse.Error, 24}}},
		"progress bar before the header":  {"100%|███| 25/25 [00:02<00:00,  9.47it/s]" + block, 1, nil},
		"empty":                           {"", 0, []found{{parse.CodeNoResult, parse.Error, 0}}},
		"prose":                           {"Successful requests：请求总数。\nnothing else\n", 0, []found{{parse.CodeNoResult, parse.Error, 0}}},
		"UTF-16":                          {"S\x00u\x00c\x00c\x00e\x00s\x00s\x00f\x00u\x00l\x00", 0, []found{{parse.CodeBinary, parse.Error, 0}}},
		"something else that takes time":  {"Total time: 3.00 s\nbye\n", 0, []found{{parse.CodeNoResult, parse.Error, 0}}},
		"a rule that is cut by the input": {strings.TrimSuffix(block, strings.Repeat("=", 30)+"\n"), 1, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			records, problems := parse.Bytes("in", []byte(c.src))
			require.Len(t, records, c.records)
			if diff := cmp.Diff(c.want, foundIn(records, problems)); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
			for _, p := range problems {
				require.NotEmpty(t, p.Hint, p.Code)
			}
		})
	}
}

func TestADoubtfulValueIsAbsent(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "nan", "inf", "1e999", "65.", "65", "fast", "1/1", "N/A", "None"} {
		src := strings.Replace(base(t), "65.57", text, 1)
		records, _ := parse.Bytes("in", []byte(src))
		require.Len(t, records, 1, text)
		_, ok := records[0].Number("mean_ttft")
		require.False(t, ok, "%q was taken for a number", text)
		_, ok = records[0].Number("median_ttft")
		require.True(t, ok, "the next line was lost after %q", text)
	}
}

func TestBlocksRunTogetherKeepTheirOwnValues(t *testing.T) {
	t.Parallel()
	first := strings.TrimSuffix(base(t), strings.Repeat("=", 50)+"\n")
	second := strings.Replace(base(t), "1515.51", "9999.99", 1)
	records, _ := parse.Bytes("in", []byte(first+second))
	require.Len(t, records, 2)
	for i, want := range []float64{1515.51, 9999.99} {
		got, _ := records[i].Number(metric.TotalThroughput)
		require.Equal(t, want, got)
	}
	require.False(t, records[0].Usable())
	require.True(t, records[1].Usable())
}

func TestWhatTerminalsAndPagesAddChangesNothing(t *testing.T) {
	t.Parallel()
	plain, _ := parse.Bytes("in", []byte(base(t)))
	eachLine := func(f func(string) string) string {
		lines := strings.Split(strings.TrimSuffix(base(t), "\n"), "\n")
		for i, l := range lines {
			lines[i] = f(l)
		}
		return strings.Join(lines, "\n") + "\n"
	}
	for name, src := range map[string]string{
		"CRLF":               eachLine(func(s string) string { return s + "\r" }),
		"indentation":        eachLine(func(s string) string { return "     " + s }),
		"block quote":        eachLine(func(s string) string { return "> " + s }),
		"colours":            eachLine(func(s string) string { return "\x1b[32m" + s + "\x1b[0m" }),
		"no-break spaces":    eachLine(func(s string) string { return strings.ReplaceAll(s, "  ", "\u00a0 ") }),
		"collapsed spaces":   eachLine(func(s string) string { return strings.Join(strings.Fields(s), " ") }),
		"tabs":               eachLine(func(s string) string { return strings.Replace(s, ": ", ":\t", 1) }),
		"full-width colon":   eachLine(func(s string) string { return strings.Replace(s, ":", "：", 1) }),
		"overwritten by bar": eachLine(func(s string) string { return "50%|███  | 1/2\r" + s }),
		"byte-order mark":    "\ufeff" + base(t),
	} {
		records, problems := parse.Bytes("in", []byte(src))
		require.Empty(t, problems, name)
		require.Len(t, records, 1, name)
		require.Empty(t, records[0].Problems, name)
		ignoreWording := cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Label" }, cmp.Ignore())
		if diff := cmp.Diff(plain[0].Values, records[0].Values, ignoreWording); diff != "" {
			t.Errorf("%s (-plain +got):\n%s", name, diff)
		}
	}
}

// A server log of 200 MB by mistake, with one block near its end. Not parallel: it
// measures what the process allocates.
func TestMemoryDoesNotGrowWithTheInput(t *testing.T) {
	const lines = 2_000_000
	noise := strings.Repeat("x", 60)
	log := io.MultiReader(
		&repeated{line: []byte("INFO 11-30 22:15:14 [loggers.py:122] Engine 000: " + noise + "\n"), n: lines},
		strings.NewReader("# after the flood\n"+base(t)),
	)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var records []parse.Record
	problems, err := parse.Stream("server.log", log, func(r parse.Record) { records = append(records, r) })
	runtime.ReadMemStats(&after)
	require.NoError(t, err)
	require.Empty(t, problems)
	require.Len(t, records, 1)
	require.Equal(t, lines+2, records[0].Line)
	require.Equal(t, []string{"# after the flood"}, records[0].Labels)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(8<<20))
}

func TestOneEndlessLineIsNoResult(t *testing.T) {
	records, problems := parse.Bytes("in", bytes.Repeat([]byte("Successful requests: x "), 500_000))
	require.Empty(t, records)
	require.Equal(t, []found{{parse.CodeNoResult, parse.Error, 0}}, foundIn(records, problems))
}

func TestAReadErrorIsReturnedAfterWhatWasRead(t *testing.T) {
	t.Parallel()
	broken := fmt.Errorf("the disk is gone")
	var records []parse.Record
	_, err := parse.Stream("in", io.MultiReader(strings.NewReader(base(t)), &repeated{err: broken}), func(r parse.Record) { records = append(records, r) })
	require.ErrorIs(t, err, broken)
	require.Len(t, records, 1)
}

// repeated is a reader of one line n times, and of err after that.
type repeated struct {
	line []byte
	n    int
	rest []byte
	err  error
}

func (r *repeated) Read(p []byte) (int, error) {
	total := 0
	for total < len(p) {
		if len(r.rest) == 0 {
			if r.n == 0 {
				break
			}
			r.n, r.rest = r.n-1, r.line
		}
		n := copy(p[total:], r.rest)
		r.rest = r.rest[n:]
		total += n
	}
	if total > 0 {
		return total, nil
	}
	if r.err != nil {
		return 0, r.err
	}
	return 0, io.EOF
}
