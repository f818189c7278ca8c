package parse_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/metric"
	"benchguide/parse"
)

// corpusColumns are the values that values.tsv lists for each record, in its order.
func corpusColumns() []metric.ID {
	return []metric.ID{
		metric.CompletedRequests, metric.FailedRequests, metric.Duration, metric.OutputThroughput, metric.TotalThroughput,
		"mean_ttft", "mean_tpot", "mean_itl", "mean_e2e_latency",
	}
}

// printCorpus prints the records of a file as values.tsv has them: "-" is absent,
// "d:" stands before what was derived.
func printCorpus(name string, records []parse.Record, problems []parse.Problem) []string {
	var lines []string
	for i, r := range records {
		cells := []string{name, fmt.Sprint(i + 1), r.Producer, r.Versions}
		for _, id := range corpusColumns() {
			switch v, ok := r.Value(id); {
			case !ok:
				cells = append(cells, "-")
			case v.Derived:
				cells = append(cells, fmt.Sprintf("d:%v", v.Number))
			default:
				cells = append(cells, fmt.Sprint(v.Number))
			}
		}
		lines = append(lines, strings.Join(cells, "\t"))
	}
	for _, p := range problems {
		lines = append(lines, strings.Join([]string{name, "problem", p.Code}, "\t"))
	}
	return lines
}

// The corpus is real output of real clients with the values that its collectors
// read from it by eye, see values.tsv.
func TestReadsTheCorpus(t *testing.T) {
	t.Parallel()
	want := map[string][]string{}
	scanner := bufio.NewScanner(bytes.NewReader(fixture(t, "corpus/values.tsv")))
	for scanner.Scan() {
		if line := scanner.Text(); !strings.HasPrefix(line, "#") {
			name, _, _ := strings.Cut(line, "\t")
			want[name] = append(want[name], line)
		}
	}
	names, err := filepath.Glob(filepath.Join(fixtures, "corpus", "*.t*"))
	require.NoError(t, err)
	read := 0
	for _, path := range names {
		name := filepath.Base(path)
		if name == "values.tsv" {
			continue
		}
		read++
		src, err := os.ReadFile(path)
		require.NoError(t, err)
		records, problems := parse.Bytes(name, src)
		require.Equal(t, want[name], printCorpus(name, records, problems), name)
		for _, r := range records {
			require.True(t, r.Usable(), "%s: %v", name, r.Problems)
			require.Empty(t, r.Unknown, name)
		}
	}
	require.Len(t, want, read, "values.tsv names files that are not there")
}
