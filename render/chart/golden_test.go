package chart

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestSamplesLookAsTheyDid compares every sample with its golden SVG; -update accepts a change after
// it has been looked at in a browser.
func TestSamplesLookAsTheyDid(t *testing.T) {
	t.Parallel()
	fonts := loadFonts(t)
	for _, s := range samples() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			got, err := s.svg(fonts)
			require.NoError(t, err)
			again, err := s.svg(fonts)
			require.NoError(t, err)
			require.True(t, bytes.Equal(got, again), "two drawings of the same values differ")
			file := filepath.Join("testdata", s.name+".svg")
			if *update {
				require.NoError(t, os.WriteFile(file, got, 0o644))
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err, "run with -update to write it")
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("%s differs (-want +got):\n%s", file, diff)
			}
		})
	}
}
