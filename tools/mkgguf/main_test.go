package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

var small = []string{"-embd", "16", "-heads", "4", "-kv-heads", "2", "-ff", "24", "-layers", "2", "-words", "40", "-ctx", "128"}

func build(t *testing.T, args ...string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.gguf")
	var stderr bytes.Buffer
	require.Equal(t, 0, run(append(args, "-o", path), io.Discard, &stderr), stderr.String())
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return b
}

func TestSameFlagsSameBytes(t *testing.T) {
	t.Parallel()
	require.Equal(t, sha256.Sum256(build(t, small...)), sha256.Sum256(build(t, small...)))
	require.NotEqual(t, sha256.Sum256(build(t, small...)), sha256.Sum256(build(t, append(small, "-seed", "2")...)))
}

// The sizes that the header announces are those of what follows; a server reads the rest.
func TestHeader(t *testing.T) {
	t.Parallel()
	b := build(t, small...)
	require.Equal(t, "GGUF", string(b[:4]))
	require.EqualValues(t, 3, binary.LittleEndian.Uint32(b[4:]))
	require.EqualValues(t, 3+2*9, binary.LittleEndian.Uint64(b[8:]), "tensors")
	require.EqualValues(t, 4+12+4, binary.LittleEndian.Uint64(b[16:]), "entries")
	require.Zero(t, len(b)%32)
	// Two embeddings of 300 tokens, and two layers.
	values := 2*16*300 + 16 + 2*(2*16+2*16*16+2*16*8+3*16*24)
	require.Greater(t, len(b), 4*values)
	require.Less(t, len(b), 4*values+20_000)
}

func TestImpossibleSizes(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"heads that do not divide":  {"-embd", "30", "-heads", "4"},
		"key heads neither":         {"-heads", "4", "-kv-heads", "3", "-embd", "16"},
		"no layers":                 {"-layers", "0"},
		"more words than there are": {"-words", "1000000000"},
		"no flag":                   {"-depth", "3"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var stderr bytes.Buffer
			require.Equal(t, 2, run(append(args, "-o", filepath.Join(t.TempDir(), "x")), io.Discard, &stderr))
			require.NotEmpty(t, stderr.String())
		})
	}
}
