package e2e

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRawFilesArePublishedByteForByte(t *testing.T) {
	t.Parallel()
	s := theSite(t)
	content := os.DirFS(contentDir)
	results := map[string]int{}
	err := fs.WalkDir(content, "studies", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		source, err := fs.ReadFile(content, name)
		if err != nil {
			return err
		}
		study, file, _ := strings.Cut(strings.TrimPrefix(name, "studies/"), "/")
		if bookkeeping(file) {
			return nil
		}
		if plain, packed := strings.CutSuffix(file, ".gz"); packed {
			file, source = plain, unpacked(t, source)
		}
		published, ok := s.files[path.Join("studies", study, "raw", file)]
		if !ok {
			t.Errorf("%s is not published", name)
		} else if string(published) != string(source) {
			t.Errorf("%s is published with other bytes", name)
		}
		if path.Ext(file) == ".txt" {
			results[study]++
		}
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, map[string]int{"qwen3-8b-h100-latency": 25, "qwen3-14b-h100-throughput": 15, "qwen3-8b-h200-latency": 78, "smollm2-135m-cpu-latency": 100}, results, "result blocks by study")
}

// unpacked is what is in a gzipped file.
func unpacked(t *testing.T, source []byte) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(source))
	require.NoError(t, err)
	plain, err := io.ReadAll(z)
	require.NoError(t, err)
	return plain
}

// bookkeeping reports files of a study that no page speaks of: what a run keeps to go on
// by, attempts that were set aside, which pages only count, and the datasets that its
// prompts, which are published, were drawn from.
func bookkeeping(file string) bool {
	name := path.Base(file)
	return slices.Contains([]string{"journal.jsonl", "plan.json", "sittings.json"}, name) ||
		path.Dir(file) == "." && path.Ext(file) == ".jsonl" || strings.HasPrefix(path.Base(path.Dir(file)), "failed-")
}

// A program that reads report.json finds every candidate with its verdict, and both
// comparisons, except those of a configuration with itself.
func TestReportsHaveEveryCandidateWithVerdictAndComparisons(t *testing.T) {
	t.Parallel()
	s := theSite(t)
	verdicts := []string{"baseline", "adopted", "tied", "outperformed", "not-distinguishable", "no-gain", "infeasible", "invalid", "undecided"}
	for _, f := range s.collection.Folders {
		r, ok := s.reports[f.ID]
		require.True(t, ok, "studies/%s/report.json is not published", f.ID)
		require.NotEmpty(t, r.Stages, f.ID)
		for _, stage := range r.Stages {
			require.NotEmpty(t, stage.Candidates, "%s: stage %s", f.ID, stage.ID)
			for _, c := range stage.Candidates {
				where := f.ID + ": " + c.Ref
				require.Equal(t, stage.ID+"/"+c.ID, c.Ref, where)
				require.True(t, slices.Contains(verdicts, c.Verdict), "%s: verdict %q", where, c.Verdict)
				incumbent, adopted := stage.Incumbent, stage.Adopted
				if own := stage.ID + "/incumbent"; c.VersusIncumbent != nil && c.VersusIncumbent.Against == own {
					incumbent = own // the stage measured it again beside its candidates
					if adopted == stage.Incumbent {
						adopted = own
					}
				}
				checkComparison(t, where+" versus incumbent", c.VersusIncumbent, incumbent, c.Ref)
				checkComparison(t, where+" versus adopted", c.VersusAdopted, adopted, c.Ref)
			}
		}
	}
}

func checkComparison(t *testing.T, where string, c *comparison, against, self string) {
	t.Helper()
	if against == self {
		require.Nil(t, c, "%s: it is the same configuration", where)
		return
	}
	require.NotNil(t, c, where)
	require.Equal(t, against, c.Against, where)
	require.NotEmpty(t, c.Metric, where)
	require.Positive(t, c.Ratio, where)
}
