package bench

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
)

// Random is a workload of random words. Lengths are drawn evenly between
// length × (1 - spread), rounded down, and length × (1 + spread), rounded up: 0 is a
// fixed length. That is what vLLM's client does; SGLang's flag of the same name means
// something else.
type Random struct {
	Input, Output             int     // tokens
	InputSpread, OutputSpread float64 // from 0 to below 1
	Prefix                    int     // tokens before the input, the same in all prompts
	Seed                      uint64
	First                     int // number of the first prompt, so that lists made apart differ
}

// Prompts makes n prompts. No two of them begin alike, but for the prefix, so that no
// more than that is answered from a cache. The same seed and counter make the same prompts, and the first of
// them are the same for every n.
func (w Random) Prompts(ctx context.Context, n int, count Counter) ([]Prompt, error) {
	possible := func(spread float64) bool { return spread >= 0 && spread < 1 }
	if w.Input < 1 || w.Output < 1 || w.Prefix < 0 || !possible(w.InputSpread) || !possible(w.OutputSpread) {
		return nil, fmt.Errorf("lengths of %d and %d with range ratios of %v and %v behind a prefix of %d are not possible; "+
			"give lengths of at least 1, ratios from 0 to below 1, and a prefix of 0 or more", w.Input, w.Output, w.InputSpread, w.OutputSpread, w.Prefix)
	}
	prefix, err := w.prefix(ctx, count)
	if err != nil {
		return nil, err
	}
	lengths := source(w.Seed, "lengths")
	inputs, prompts := make([]int, n), make([]Prompt, n)
	for i := range prompts {
		inputs[i], prompts[i].Output = draw(lengths, w.Input, w.InputSpread), draw(lengths, w.Output, w.OutputSpread)
	}
	var working sync.WaitGroup
	errs := make([]error, n)
	places := make(chan struct{}, askers)
	for i := range prompts {
		places <- struct{}{}
		working.Go(func() {
			defer func() { <-places }()
			prompts[i].Text, errs[i] = textOf(ctx, newWords(w.Seed, w.First+i).behind(prefix), w.Prefix, inputs[i], count)
		})
	}
	working.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err // one says it: they are of one server
		}
	}
	return prompts, nil
}

// prefix makes what all prompts begin with.
func (w Random) prefix(ctx context.Context, count Counter) (string, error) {
	if w.Prefix == 0 {
		return "", nil
	}
	return textOf(ctx, &words{r: source(w.Seed, "prefix")}, 0, w.Prefix, count)
}

// askers bounds how many prompts are counted at once.
const askers = 16

func draw(r *rand.Rand, length int, spread float64) int {
	low := max(int(math.Floor(float64(length)*(1-spread))), 1)
	high := int(math.Ceil(float64(length) * (1 + spread)))
	return low + r.IntN(high-low+1)
}

// tries bounds how often a prompt is counted. Two or three are enough where most words
// are one token.
const tries = 8

// textOf returns the text with the wanted number of tokens behind a prefix of some, or
// the nearest that was found.
func textOf(ctx context.Context, w *words, prefix, want int, count Counter) (string, error) {
	best, off := "", math.MaxInt
	k := want
	for range tries {
		text := w.first(k)
		got, err := count.Count(ctx, text)
		if err != nil {
			return "", err
		}
		got -= prefix
		if d := abs(got - want); d < off {
			best, off = text, d
		}
		if got == want || got <= 0 {
			break
		}
		step := int(math.Round(float64(want-got) * float64(k) / float64(got)))
		if step == 0 {
			step = sign(want - got)
		}
		if k+step < 1 {
			break
		}
		k += step
	}
	return best, nil
}

func abs(n int) int { return max(n, -n) }

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

// words is an endless text of random words, of which the beginning is taken.
type words struct {
	r      *rand.Rand
	list   []string
	prefix string // before the text, with the blank between them
}

func newWords(seed uint64, prompt int) *words {
	w := &words{r: source(seed, fmt.Sprintf("words of %d", prompt))}
	// The number makes the beginnings differ where chance would not.
	w.list = []string{fmt.Sprintf("%d", prompt)}
	return w
}

func (w *words) behind(prefix string) *words {
	if prefix != "" {
		w.prefix = prefix + " "
	}
	return w
}

func (w *words) first(n int) string {
	for len(w.list) < n {
		w.list = append(w.list, vocabulary[w.r.IntN(len(vocabulary))])
	}
	return w.prefix + strings.Join(w.list[:n], " ")
}

// vocabulary has words that are one token each, with the space before them, in most
// vocabularies.
var vocabulary = [...]string{
	"about", "after", "again", "air", "all", "also", "and", "animal", "answer", "area", "art", "ask", "bank", "base", "bed",
	"before", "bird", "black", "blue", "boat", "body", "book", "both", "box", "build", "call", "car", "case", "change",
	"city", "class", "clear", "cold", "come", "country", "cross", "dark", "day", "deep", "door", "down", "draw", "earth",
	"eat", "end", "every", "eye", "face", "fact", "fall", "family", "farm", "fast", "field", "fire", "fish", "five", "food",
	"form", "four", "free", "game", "give", "glass", "gold", "good", "green", "group", "hand", "hard", "head", "hear",
	"heart", "high", "home", "horse", "hour", "house", "idea", "island", "keep", "kind", "king", "know", "land", "large",
	"last", "law", "learn", "leave", "letter", "life", "light", "line", "list", "long", "low", "main", "map", "mark", "mind",
	"money", "moon", "morning", "mother", "mountain", "music", "name", "near", "new", "night", "north", "note", "number",
	"old", "open", "order", "page", "paper", "part", "pass", "people", "piece", "place", "plan", "plant", "play", "point",
	"power", "press", "question", "rain", "read", "red", "rest", "river", "road", "rock", "room", "round", "rule", "school",
	"sea", "second", "sentence", "ship", "short", "side", "sing", "six", "sky", "snow", "song", "sound", "south", "stand",
	"star", "start", "state", "step", "stone", "story", "street", "sun", "table", "talk", "teach", "ten", "test", "thing",
	"time", "town", "tree", "true", "turn", "under", "voice", "walk", "wall", "warm", "watch", "water", "west", "white",
	"wind", "window", "winter", "wood", "word", "work", "world", "write", "year", "young",
}
