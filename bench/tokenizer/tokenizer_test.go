package tokenizer_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"benchguide/bench"
	"benchguide/bench/tokenizer"
)

var _ bench.Counter = (*tokenizer.Tokenizer)(nil)

// The tokenizers of testdata are small ones of the four shapes that models have. They and
// the counts were made with Hugging Face's library, tokenizers 0.23.3.
func TestCountsAreThoseOfTheOriginalLibrary(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile("testdata/counts.json")
	require.NoError(t, err)
	var rows []map[string]any
	require.NoError(t, json.Unmarshal(src, &rows))
	require.Greater(t, len(rows), 10)
	for _, name := range []string{"qwen", "gpt2", "llama3", "deepseek"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tok, err := tokenizer.Open("testdata/" + name + ".json")
			require.NoError(t, err)
			require.True(t, tok.Exact())
			for _, row := range rows {
				n, err := tok.Count(t.Context(), row["text"].(string))
				require.NoError(t, err)
				require.EqualValues(t, row[name], n, "%q", row["text"])
			}
		})
	}
}

func TestAFolderNamesItsTokenizer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	src, err := os.ReadFile("testdata/gpt2.json")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, tokenizer.FileName), src, 0o644))
	tok, err := tokenizer.Open(dir)
	require.NoError(t, err)
	n, err := tok.Count(t.Context(), "a")
	require.NoError(t, err)
	require.Equal(t, 1, n)
	_, err = tokenizer.Open(t.TempDir())
	require.ErrorIs(t, err, os.ErrNotExist)
}

// A count lies between one token and one for each byte, whatever the text is.
func TestCountsStayWithinTheBytes(t *testing.T) {
	t.Parallel()
	tok, err := tokenizer.Open("testdata/llama3.json")
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringN(1, 200, -1).Draw(t, "text")
		n, err := tok.Count(t.Context(), text)
		require.NoError(t, err)
		require.True(t, n >= 1 && n <= len(text), "%d tokens of %d bytes", n, len(text))
	})
}

// Newer patterns have possessive quantifiers, and a plus in a class or behind a
// backslash is none.
func TestPossessiveQuantifiersAreRead(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile("testdata/llama3.json")
	require.NoError(t, err)
	plain, err := tokenizer.Parse(src)
	require.NoError(t, err)
	for old, new := range map[string]string{
		`[^\\r\\n\\p{L}\\p{N}]?\\p{L}+`: `[^\\r\\n\\p{L}\\p{N}]?+\\p{L}++`,
		`\\s*[\\r\\n]+`:                 `\\s*[\\r\\n]+|[?+]\\++`,
	} {
		require.Contains(t, string(src), old)
		possessive, err := tokenizer.Parse([]byte(strings.Replace(string(src), old, new, 1)))
		require.NoError(t, err)
		for _, text := range []string{"I'm here  now\n\n 12345", "a ?+++ b", "++"} {
			want, err := plain.Count(t.Context(), text)
			require.NoError(t, err)
			got, err := possessive.Count(t.Context(), text)
			require.NoError(t, err)
			require.Equal(t, want, got, "%s in %q", new, text)
		}
	}
}

func TestOtherTokenizersAreRefusedByName(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile("testdata/qwen.json")
	require.NoError(t, err)
	change := func(old, new string) []byte {
		require.Contains(t, string(src), old)
		return []byte(strings.Replace(string(src), old, new, 1))
	}
	for name, c := range map[string]struct {
		src  []byte
		says string
	}{
		"no JSON":         {[]byte("x"), "no tokenizer.json"},
		"a word piece":    {change(`"type":"BPE"`, `"type":"WordPiece"`), `"WordPiece" is not read`},
		"byte fallback":   {change(`"byte_fallback":false`, `"byte_fallback":true`), "byte fallback"},
		"a suffix":        {change(`"end_of_word_suffix":null`, `"end_of_word_suffix":"</w>"`), `"</w>"`},
		"dropout":         {change(`"dropout":null`, `"dropout":0.1`), "dropout"},
		"a stripping one": {change(`"rstrip":false`, `"rstrip":true`), "takes blanks"},
		"a normaliser":    {change(`"type":"NFC"`, `"type":"Lowercase"`), `"Lowercase"`},
		"a blank before":  {change(`"add_prefix_space":false`, `"add_prefix_space":true`), "blank before each text"},
		"another step":    {change(`"type":"Split"`, `"type":"Metaspace"`), `"Metaspace"`},
		"other cutting":   {change(`"behavior":"Isolated"`, `"behavior":"MergedWithNext"`), "MergedWithNext"},
		"a bad pattern":   {change(`"Regex":"`, `"Regex":"(`), "not understood"},
		"no byte token":   {change(`"Ā":`, `"Ā!":`), "not byte-level"},
		"a lost token":    {change(`"merges":[[`, `"merges":[["nowhere","to be"],[`), "vocabulary lacks"},
		"no steps":        {[]byte(`{"model":{"type":"BPE"}}`), "no pre-tokenizer"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := tokenizer.Parse(c.src)
			require.ErrorContains(t, err, c.says)
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"model":{"type":"BPE","vocab":{"a":0},"merges":["a b"]},"pre_tokenizer":{"type":"ByteLevel"}}`))
	src, err := os.ReadFile("testdata/gpt2.json")
	require.NoError(f, err)
	f.Add(src)
	f.Fuzz(func(t *testing.T, src []byte) {
		tok, err := tokenizer.Parse(src)
		if err != nil {
			return
		}
		n, err := tok.Count(t.Context(), "some text, 文字")
		if err == nil && n < 1 {
			t.Fatalf("%d tokens", n)
		}
	})
}
