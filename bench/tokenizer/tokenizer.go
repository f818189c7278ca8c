package tokenizer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Tokenizer counts. It may be used by several goroutines at once.
type Tokenizer struct {
	normal []norm.Form
	cuts   []cutter
	added  []string // longest first: the first that fits is the one that is taken
	bytes  [256]int32
	merges map[pair]merged
	whole  map[string]struct{} // pieces that are one token whatever the merges say; nil in most models
}

func build(f file) (*Tokenizer, error) {
	t := &Tokenizer{merges: make(map[pair]merged, len(f.Model.Merges))}
	var err error
	if t.normal, err = forms(f.Normalizer); err != nil {
		return nil, err
	}
	if t.cuts, err = cutters(f.PreTokenizer); err != nil {
		return nil, err
	}
	for _, a := range f.Added {
		if a.Content != "" {
			t.added = append(t.added, a.Content)
		}
	}
	slices.SortStableFunc(t.added, func(a, b string) int { return len(b) - len(a) })
	alphabet := byteAlphabet()
	for b, r := range alphabet {
		id, ok := f.Model.Vocab[string(r)]
		if !ok {
			return nil, fmt.Errorf("the vocabulary has no token for the byte %d, so it is not byte-level", b)
		}
		t.bytes[b] = id
	}
	for rank, m := range f.Model.Merges {
		left, okLeft := f.Model.Vocab[m[0]]
		right, okRight := f.Model.Vocab[m[1]]
		both, ok := f.Model.Vocab[m[0]+m[1]]
		if !okLeft || !okRight || !ok {
			return nil, fmt.Errorf("the merge of %q and %q names a token that the vocabulary lacks", m[0], m[1])
		}
		t.merges[pair{left, right}] = merged{int32(rank), both}
	}
	if f.Model.IgnoreMerges {
		t.whole = wholePieces(f.Model.Vocab, alphabet)
	}
	return t, nil
}

// wholePieces is the vocabulary as the bytes that its tokens stand for.
func wholePieces(vocab map[string]int32, alphabet [256]rune) map[string]struct{} {
	back := make(map[rune]byte, len(alphabet))
	for b, r := range alphabet {
		back[r] = byte(b)
	}
	pieces := make(map[string]struct{}, len(vocab))
	for token := range vocab {
		var piece []byte
		for _, r := range token {
			piece = append(piece, back[r])
		}
		pieces[string(piece)] = struct{}{}
	}
	return pieces
}

// Exact says that the count is the model's own.
func (t *Tokenizer) Exact() bool { return true }

// Count returns the number of tokens of a text, without those that a template or the
// model puts around it.
func (t *Tokenizer) Count(ctx context.Context, text string) (int, error) {
	total := 0
	for text != "" {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		at, token := t.nextAdded(text)
		n, err := t.plain(text[:at])
		if err != nil {
			return 0, err
		}
		total += n
		if token != "" {
			total++
		}
		text = text[at+len(token):]
	}
	return total, nil
}

// nextAdded finds the first added token; it returns the end of the text where there is none.
func (t *Tokenizer) nextAdded(text string) (int, string) {
	at, token := len(text), ""
	for _, a := range t.added {
		// Only what lies before the one found can win: the longest were asked first.
		limit := min(len(text), at+len(a)-1)
		if token == "" {
			limit = len(text)
		}
		if i := strings.Index(text[:limit], a); i >= 0 && i < at {
			at, token = i, a
		}
	}
	return at, token
}

// plain counts a text without added tokens.
func (t *Tokenizer) plain(text string) (int, error) {
	for _, form := range t.normal {
		text = form.String(text)
	}
	pieces := []string{text}
	for _, c := range t.cuts {
		var next []string
		for _, p := range pieces {
			cut, err := c.cut(p)
			if err != nil {
				return 0, err
			}
			next = append(next, cut...)
		}
		pieces = next
	}
	total := 0
	for _, p := range pieces {
		if _, ok := t.whole[p]; ok {
			total++
			continue
		}
		total += t.merge(p)
	}
	return total, nil
}
