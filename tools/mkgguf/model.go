package main

import (
	"errors"
	"fmt"
	"math"
	"math/rand"
)

// shape is the size of a model.
type shape struct {
	embedding, layers, feedForward, heads, kvHeads, context, words int
	seed                                                           int64
}

// mostWords keeps the search for new words far from their end, where it would take for ever.
const mostWords = 100_000

// check says what cannot be built.
func (m shape) check() error {
	for _, n := range []int{m.embedding, m.layers, m.feedForward, m.heads, m.kvHeads, m.context, m.words} {
		if n < 1 {
			return errors.New("every size has to be at least 1")
		}
	}
	if m.embedding%m.heads != 0 || m.heads%m.kvHeads != 0 {
		return errors.New("-embd must be a multiple of -heads, and -heads one of -kv-heads")
	}
	if m.words > mostWords {
		return fmt.Errorf("at most %d words can be made up", mostWords)
	}
	return nil
}

// vocabulary is the list of tokens with their scores and kinds, as a SentencePiece
// tokenizer has them.
type vocabulary struct {
	tokens []string
	scores []float32
	kinds  []int32
	plain  int // tokens before the first word
}

// The kinds of tokens in GGUF.
const (
	kindNormal  int32 = 1
	kindUnknown int32 = 2
	kindControl int32 = 3
	kindByte    int32 = 6
)

// vocabulary makes the tokens: what stands for no text, the bytes, and made-up words,
// before each of which a space is part of the token.
func (m shape) vocabulary(rng *rand.Rand) vocabulary {
	const space = "\u2581"
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	var v vocabulary
	add := func(token string, score float32, kind int32) {
		v.tokens, v.scores, v.kinds = append(v.tokens, token), append(v.scores, score), append(v.kinds, kind)
	}
	add("<unk>", 0, kindUnknown)
	add("<s>", 0, kindControl)
	add("</s>", 0, kindControl)
	for b := range 256 {
		add(fmt.Sprintf("<0x%02X>", b), 0, kindByte)
	}
	add(space, -1, kindNormal)
	v.plain = len(v.tokens)
	seen := map[string]bool{}
	for len(seen) < m.words {
		word := ""
		for s := 1 + rng.Intn(3); s > 0; s-- {
			word += string(consonants[rng.Intn(len(consonants))]) + string(vowels[rng.Intn(len(vowels))])
		}
		if !seen[word] {
			seen[word] = true
			add(space+word, -float32(len(seen)), kindNormal)
		}
	}
	return v
}

// tensor is a named array whose values are made when they are written.
type tensor struct {
	name string
	dims []uint64
	fill func(i uint64) float32
}

// count is the number of values.
func (t tensor) count() uint64 {
	n := uint64(1)
	for _, d := range t.dims {
		n *= d
	}
	return n
}

// tensors lists the weights in the order in which they are written.
func (m shape) tensors(v vocabulary, rng *rand.Rand) []tensor {
	e, f, n := uint64(m.embedding), uint64(m.feedForward), uint64(len(v.tokens))
	kv := e / uint64(m.heads) * uint64(m.kvHeads)
	normal := func(scale float64) func(uint64) float32 {
		return func(uint64) float32 { return float32(rng.NormFloat64() * scale) }
	}
	ones := func(uint64) float32 { return 1 }
	scale := 1 / math.Sqrt(float64(e))
	list := []tensor{
		{"token_embd.weight", []uint64{e, n}, normal(1)},
		{"output_norm.weight", []uint64{e}, ones},
		// A row is one token's. Those of bytes and control tokens are zero, and a wide spread of the
		// words' logits leaves nothing to them, so that every token is a whole piece of text.
		{"output.weight", []uint64{e, n}, func(i uint64) float32 {
			value := float32(rng.NormFloat64() * 4 * scale)
			if i/e < uint64(v.plain) {
				return 0
			}
			return value
		}},
	}
	for l := range m.layers {
		at := fmt.Sprintf("blk.%d.", l)
		list = append(list,
			tensor{at + "attn_norm.weight", []uint64{e}, ones},
			tensor{at + "attn_q.weight", []uint64{e, e}, normal(scale)},
			tensor{at + "attn_k.weight", []uint64{e, kv}, normal(scale)},
			tensor{at + "attn_v.weight", []uint64{e, kv}, normal(scale)},
			tensor{at + "attn_output.weight", []uint64{e, e}, normal(scale)},
			tensor{at + "ffn_norm.weight", []uint64{e}, ones},
			tensor{at + "ffn_gate.weight", []uint64{e, f}, normal(scale)},
			tensor{at + "ffn_up.weight", []uint64{e, f}, normal(scale)},
			tensor{at + "ffn_down.weight", []uint64{f, e}, normal(1 / math.Sqrt(float64(f)))},
		)
	}
	return list
}
