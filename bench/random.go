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
// length × (1 - Spread), rounded down, and length × (1 + Spread), rounded up: 0 is a
// fixed length. That is what vLLM's client does; SGLang's flag of the same name means
// something else.
type Random struct {
	Input, Output int     // tokens
	Spread        float64 // from 0 to below 1
	Seed          uint64
	First         int // number that the first prompt begins with, so that lists made apart differ
}

// Prompts makes n prompts. No two of them begin alike, so that none is answered from a
// cache of prefixes. The same seed and counter make the same prompts, and the first of
// them are the same for every n.
func (w Random) Prompts(ctx context.Context, n int, count Counter) ([]Prompt, error) {
	if w.Input < 1 || w.Output < 1 || !(w.Spread >= 0 && w.Spread < 1) {
		return nil, fmt.Errorf("lengths of %d and %d with a range ratio of %v are not possible; give lengths of at least 1 and a ratio from 0 to below 1", w.Input, w.Output, w.Spread)
	}
	lengths := source(w.Seed, "lengths")
	inputs, prompts := make([]int, n), make([]Prompt, n)
	for i := range prompts {
		inputs[i], prompts[i].Output = draw(lengths, w.Input, w.Spread), draw(lengths, w.Output, w.Spread)
	}
	var working sync.WaitGroup
	errs := make([]error, n)
	places := make(chan struct{}, askers)
	for i := range prompts {
		places <- struct{}{}
		working.Go(func() {
			defer func() { <-places }()
			prompts[i].Text, errs[i] = textOf(ctx, newWords(w.Seed, w.First+i), inputs[i], count)
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

// textOf returns the text of the wanted number of tokens, or the nearest that was found.
func textOf(ctx context.Context, w *words, want int, count Counter) (string, error) {
	best, off := "", math.MaxInt
	k := want
	for range tries {
		text := w.first(k)
		got, err := count.Count(ctx, text)
		if err != nil {
			return "", err
		}
		if d := abs(got - want); d < off {
			best, off = text, d
		}
		if got == want || got == 0 {
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
	r    *rand.Rand
	list []string
}

func newWords(seed uint64, prompt int) *words {
	w := &words{r: source(seed, fmt.Sprintf("words of %d", prompt))}
	// The number makes the beginnings differ where chance would not.
	w.list = []string{fmt.Sprintf("%d", prompt)}
	return w
}

func (w *words) first(n int) string {
	for len(w.list) < n {
		w.list = append(w.list, vocabulary[w.r.IntN(len(vocabulary))])
	}
	return strings.Join(w.list[:n], " ")
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
