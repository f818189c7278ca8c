package parse

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The finder finds what a search for each anchor would find, wherever the pieces lie.
func TestTheFinderFindsTheFirstOfItsAnchors(t *testing.T) {
	t.Parallel()
	anchors := []string{"abcabcab", "Successful requests", "bcabcabcx", "= OVERVIEW", "|xy", "cab|"}
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom([]int{0, 5, 100, piece - 9, piece, piece + 9, 3*piece + 100}).Draw(t, "size")
		text := bytes.Repeat([]byte("abcab fest = OVER "), size/17+1)[:size]
		for range rapid.IntRange(0, 3).Draw(t, "hits") {
			a := rapid.SampledFrom(anchors).Draw(t, "anchor")
			copy(text[rapid.IntRange(0, size).Draw(t, "at"):], a)
		}
		want := -1
		for _, a := range anchors {
			if at := bytes.Index(text, []byte(a)); at >= 0 && (want < 0 || at < want) {
				want = at
			}
		}
		in := &Input{searches: searchesFor(anchors), buf: text}
		require.Equal(t, want, in.nearest())
	})
}

func TestEveryAnchorIsFoundAtTheEndsOfTheWindow(t *testing.T) {
	t.Parallel()
	_, texts := split(formats())
	for _, a := range anchors(texts) {
		for _, before := range []int{0, 1, 7, chunkSize - len(a), chunkSize - 3, chunkSize, 2*chunkSize - 5} {
			text := append(bytes.Repeat([]byte("\n"), before), a...)
			in := newInput("in", bytes.NewReader(text), anchors(texts))
			require.True(t, in.skipToAnchor(), "%q after %d bytes", a, before)
			require.Equal(t, before+1, in.line, "%q", a)
			require.Equal(t, a, string(in.peek()))
		}
	}
}
