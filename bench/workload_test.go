package bench_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/bench"
)

// letters counts a token for each three bytes: no vocabulary, but not a word each either.
type letters struct{}

func (letters) Count(_ context.Context, s string) (int, error) { return (len(s) + 2) / 3, nil }
func (letters) Exact() bool                                    { return true }

type broken struct{ letters }

func (broken) Count(context.Context, string) (int, error) { return 0, errors.New("gone") }

func TestRandomPromptsHaveTheirLengths(t *testing.T) {
	t.Parallel()
	prompts, err := bench.Random{Input: 200, Output: 50, InputSpread: 0.25, OutputSpread: 0.25, Seed: 3}.Prompts(t.Context(), 100, letters{})
	require.NoError(t, err)
	begins, lengths := map[string]bool{}, map[int]bool{}
	for _, p := range prompts {
		n, _ := letters{}.Count(t.Context(), p.Text)
		require.True(t, n >= 149 && n <= 251, "%d tokens", n) // a word is up to three tokens here
		require.True(t, p.Output >= 37 && p.Output <= 63, "%d tokens to generate", p.Output)
		begins[strings.Fields(p.Text)[0]] = true
		lengths[p.Output] = true
	}
	require.Len(t, begins, 100, "prompts that begin alike are answered from a cache")
	require.Greater(t, len(lengths), 10)
}

func TestRandomPromptsFollowTheSeed(t *testing.T) {
	t.Parallel()
	make := func(seed uint64, n int) []bench.Prompt {
		p, err := bench.Random{Input: 20, Output: 5, InputSpread: 0.5, OutputSpread: 0.5, Seed: seed}.Prompts(t.Context(), n, letters{})
		require.NoError(t, err)
		return p
	}
	require.Empty(t, cmp.Diff(make(1, 30), make(1, 30)))
	require.Empty(t, cmp.Diff(make(1, 30), make(1, 40)[:30]), "warm-ups behind the prompts must not change them")
	require.NotEqual(t, bench.Digest(make(1, 30)), bench.Digest(make(2, 30)))
}

func TestImpossibleRandomWorkloadsAreErrors(t *testing.T) {
	t.Parallel()
	for _, w := range []bench.Random{{Output: 1}, {Input: 1}, {Input: 1, Output: 1, InputSpread: 1}, {Input: 1, Output: 1, OutputSpread: -0.1}, {Input: 1, Output: 1, Prefix: -1}} {
		_, err := w.Prompts(t.Context(), 1, letters{})
		require.ErrorContains(t, err, "not possible")
	}
	_, err := bench.Random{Input: 1, Output: 1}.Prompts(t.Context(), 3, broken{})
	require.ErrorContains(t, err, "gone")
}

func TestPromptFile(t *testing.T) {
	t.Parallel()
	file := "{\"prompt\": \"a\", \"output_tokens\": 3}\n\n{\"prompt\": \"b\", \"output_tokens\": 4}"
	got, err := bench.Custom("f", strings.NewReader(file), -1)
	require.NoError(t, err)
	require.Equal(t, []bench.Prompt{{"a", 3}, {"b", 4}}, got)
	got, err = bench.Custom("f", strings.NewReader(file), 9)
	require.NoError(t, err)
	require.Equal(t, []bench.Prompt{{"a", 9}, {"b", 9}}, got)
	for line, want := range map[string]string{
		"x": "f:2: not a line", `{"output_tokens":3}`: "f:2: no prompt", `{"prompt":"a"}`: "f:2: no output_tokens",
	} {
		_, err := bench.Custom("f", strings.NewReader("\n"+line), -1)
		require.ErrorContains(t, err, want)
	}
}

func TestNoPromptIsSentTwice(t *testing.T) {
	t.Parallel()
	all := []bench.Prompt{{"a", 1}, {"b", 1}, {"c", 1}}
	measured, warm, err := bench.Split(all, 2, 1)
	require.NoError(t, err)
	require.Equal(t, [][]bench.Prompt{all[:2], all[2:]}, [][]bench.Prompt{measured, warm})
	_, _, err = bench.Split(all, 3, 1)
	require.ErrorContains(t, err, "too few")
}

func turns(values ...string) string {
	type turn struct {
		Value string `json:"value"`
	}
	var all []turn
	for _, v := range values {
		all = append(all, turn{v})
	}
	text, _ := json.Marshal(map[string]any{"conversations": all})
	return string(text)
}

func TestShareGPTTakesConversationsOfTheRightLength(t *testing.T) {
	t.Parallel()
	good, answer := strings.Repeat("q", 30), strings.Repeat("a", 60) // 10 and 20 tokens
	file := "[" + strings.Join([]string{
		turns(good+"1", answer), turns(good+"2", answer), turns(good+"3", answer),
		turns("short", answer), turns(good, "short"), turns(good), turns(),
		turns(strings.Repeat("q", 4000), answer), turns(good, strings.Repeat("a", 9000)), turns("", answer),
	}, ",") + "]"
	read := func(n, output int, seed uint64) []bench.Prompt {
		p, err := bench.ShareGPT(t.Context(), "f", strings.NewReader(file), n, output, seed, letters{})
		require.NoError(t, err)
		return p
	}
	all := read(10, 0, 1)
	require.Len(t, all, 3)
	for _, p := range all {
		require.Equal(t, 20, p.Output)
	}
	require.Equal(t, all[:2], read(2, 0, 1))
	require.Len(t, read(10, 7, 1), 5, "with a length given, the answers' do not matter")
	orders := map[string]bool{}
	for seed := range uint64(10) {
		orders[bench.Digest(read(10, 0, seed))] = true
	}
	require.Greater(t, len(orders), 1)
	_, err := bench.ShareGPT(t.Context(), "f", strings.NewReader("{}"), 1, 0, 1, letters{})
	require.ErrorContains(t, err, "f is no ShareGPT file")
}

func TestTokensAreCountedByTheServerThatCan(t *testing.T) {
	t.Parallel()
	var asked map[string]any
	c := talkingTo(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/tokenize" {
			t.Errorf("asked for %s", r.URL.Path)
		}
		json.NewDecoder(r.Body).Decode(&asked)
		io.WriteString(w, `{"tokens":[1,2,3,4,5]}`)
	})
	count := bench.CounterOf(t.Context(), c)
	require.True(t, count.Exact())
	n, err := count.Count(t.Context(), "x")
	require.NoError(t, err)
	require.Equal(t, 5, n)
	require.Equal(t, []any{"x", "x"}, []any{asked["prompt"], asked["content"]}, "vLLM and llama.cpp name it differently")

	count = bench.CounterOf(t.Context(), answering(t, 404, "not found"))
	require.False(t, count.Exact())
	n, err = count.Count(t.Context(), strings.Repeat("x", 40))
	require.NoError(t, err)
	require.Equal(t, 10, n)
}

// A prefix is the same in all prompts and counts beside the input; what follows differs.
func TestAPrefixIsShared(t *testing.T) {
	t.Parallel()
	const prefix, input = 300, 20
	prompts, err := bench.Random{Input: input, Output: 5, Prefix: prefix, Seed: 4}.Prompts(t.Context(), 20, letters{})
	require.NoError(t, err)
	common := prompts[0].Text
	texts := map[string]bool{}
	for _, p := range prompts {
		n, _ := letters{}.Count(t.Context(), p.Text)
		require.InDelta(t, prefix+input, n, 2)
		for !strings.HasPrefix(p.Text, common) {
			common = common[:len(common)-1]
		}
		texts[p.Text] = true
	}
	require.Len(t, texts, 20)
	n, _ := letters{}.Count(t.Context(), common)
	require.InDelta(t, prefix, n, 3)
}

func TestListsMadeApartDiffer(t *testing.T) {
	t.Parallel()
	all, err := bench.Random{Input: 3, Output: 1, Seed: 4}.Prompts(t.Context(), 30, letters{})
	require.NoError(t, err)
	later, err := bench.Random{Input: 3, Output: 1, Seed: 4, First: 10}.Prompts(t.Context(), 20, letters{})
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(all[10:], later))
}

func TestSpreadsOfInputAndOutputAreTheirOwn(t *testing.T) {
	t.Parallel()
	prompts, err := bench.Random{Input: 90, Output: 50, InputSpread: 0.5, Seed: 4}.Prompts(t.Context(), 40, letters{})
	require.NoError(t, err)
	lengths := map[int]bool{}
	for _, p := range prompts {
		require.Equal(t, 50, p.Output)
		lengths[len(p.Text)] = true
	}
	require.Greater(t, len(lengths), 10)
}
