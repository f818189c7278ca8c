package prompts_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"benchguide/bench"
	"benchguide/run/prompts"
	"benchguide/study"
)

// studyOf has two workloads on a dataset and one of made-up prompts.
func studyOf(c1, c4, random int) study.Study {
	return study.Study{
		Objective: study.Objective{Workload: "c4"},
		Datasets:  []study.Dataset{{ID: "chat", File: "chat.json", Prepare: "wget https://example.com/chat.json"}, {ID: "words"}},
		Workloads: []study.Workload{
			{ID: "c1", Dataset: "chat", Prompts: c1, Concurrency: 1},
			{ID: "random", Dataset: "words", Prompts: random, Concurrency: 2, InputTokens: 30, OutputTokens: 7},
			{ID: "c4", Dataset: "chat", Prompts: c4, Concurrency: 4},
		},
	}
}

// chats writes n conversations in ShareGPT's format.
func chats(t testing.TB, dir string, n int) {
	t.Helper()
	type turn struct {
		From  string `json:"from"`
		Value string `json:"value"`
	}
	var all []map[string]any
	for i := range n {
		all = append(all, map[string]any{"conversations": []turn{
			{"human", fmt.Sprintf("Question %d: what is <%d> plus one, in a few words?", i, i)},
			{"gpt", strings.Repeat("It is one more. ", 1+i%9)},
		}})
	}
	src, err := json.Marshal(all)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "chat.json"), src, 0o644))
}

func texts(s prompts.Set) map[string]int {
	all := map[string]int{}
	for _, l := range s.Lists {
		for _, p := range l.Prompts {
			all[p.Text]++
		}
	}
	return all
}

func TestListsComeInTheStudysOrder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	chats(t, dir, 100)
	set, err := prompts.Prepare(t.Context(), prompts.Request{Study: studyOf(10, 20, 5), Dir: dir, Seed: 3})
	require.NoError(t, err)
	var got []string
	for _, l := range set.Lists {
		got = append(got, fmt.Sprintf("%s %d %s", l.Name, len(l.Prompts), l.Dataset))
	}
	require.Equal(t, []string{"warmup 8 chat", "c1 10 chat", "random 5 words", "c4 20 chat"}, got)
	random, ok := set.List("random")
	require.True(t, ok)
	require.Equal(t, 35, random.Output())
	require.Equal(t, prompts.Roughly, random.Counted)
	require.Contains(t, random.Synthetic, "30 tokens each")
	require.InDelta(t, 150, random.Input, 5)
	c1, _ := set.List("c1")
	require.Len(t, c1.Source, 64)
	require.Empty(t, c1.Synthetic)
}

// No text is sent twice, whatever the numbers and the seed; the same request gives the
// same bytes, and the warm-up's size changes no workload.
func TestNoTextIsSentTwice(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	chats(t, dir, 150)
	rapid.Check(t, func(r *rapid.T) {
		draw := func(name string, most int) int { return rapid.IntRange(1, most).Draw(r, name) }
		q := prompts.Request{
			Study: studyOf(draw("c1", 40), draw("c4", 40), draw("random", 40)), Dir: dir,
			Seed: rapid.Int().Draw(r, "seed"), Warmup: draw("warm-up", 30),
		}
		q.Study.Workloads[1].InputTokens = draw("tokens", 20)
		set, err := prompts.Prepare(t.Context(), q)
		require.NoError(r, err)
		for text, n := range texts(set) {
			require.Equal(r, 1, n, "%q", text)
		}
		again, err := prompts.Prepare(t.Context(), q)
		require.NoError(r, err)
		require.Empty(r, cmp.Diff(set, again))
		q.Warmup++
		more, err := prompts.Prepare(t.Context(), q)
		require.NoError(r, err)
		require.Empty(r, cmp.Diff(set.Lists[1:], more.Lists[1:]))
	})
}

func TestTheSeedDrawsOthers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	chats(t, dir, 100)
	of := func(seed int) string {
		set, err := prompts.Prepare(t.Context(), prompts.Request{Study: studyOf(10, 10, 1), Dir: dir, Seed: seed})
		require.NoError(t, err)
		return bench.Digest(set.Lists[1].Prompts)
	}
	require.NotEqual(t, of(1), of(2))
}

// The bytes of a set are part of what is compared between runs of different versions of
// this program: a change of this digest makes their results incomparable.
func TestTheBytesStayTheSame(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	chats(t, dir, 60)
	set, err := prompts.Prepare(t.Context(), prompts.Request{Study: studyOf(5, 5, 5), Dir: dir, Seed: 1})
	require.NoError(t, err)
	got := ""
	for _, l := range set.Lists {
		got += l.Name + " " + bench.Digest(l.Prompts)[:16] + "\n"
	}
	require.Equal(t, "warmup 2a446467d3fd6b89\nc1 8c73493e224befcb\nrandom 6e42869830717e45\nc4 332e51e524ce2ad1\n", got)
}

func TestTheMachinesFileGoesFirst(t *testing.T) {
	t.Parallel()
	dir, other := t.TempDir(), t.TempDir()
	chats(t, dir, 100)
	file := filepath.Join(other, "mine.jsonl")
	var lines strings.Builder
	for i := range 60 {
		fmt.Fprintf(&lines, "{\"prompt\": \"line %d\", \"output_tokens\": %d}\n", i, 3+i)
	}
	require.NoError(t, os.WriteFile(file, []byte(lines.String()), 0o644))
	set, err := prompts.Prepare(t.Context(), prompts.Request{Study: studyOf(10, 10, 1), Dir: dir, Files: map[string]string{"chat": file}})
	require.NoError(t, err)
	for _, name := range []string{"c1", "c4", study.WarmupPrompts} {
		l, _ := set.List(name)
		for _, p := range l.Prompts {
			var i int
			_, err := fmt.Sscanf(p.Text, "line %d", &i)
			require.NoError(t, err)
			require.Equal(t, 3+i, p.Output, "an answer keeps the length of its line")
		}
	}
}

// A prompt file needs no lengths where every workload on it states one.
func TestAWorkloadsLengthStandsForTheFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "chat.json"), []byte("{\"prompt\":\"a b c\"}\n{\"prompt\":\"d\"}\n{\"prompt\":\"e\"}\n"), 0o644))
	s := studyOf(1, 1, 1)
	q := prompts.Request{Study: s, Dir: dir, Warmup: 1}
	_, err := prompts.Prepare(t.Context(), q)
	require.ErrorContains(t, err, "no output_tokens")
	s.Workloads[0].OutputTokens, s.Workloads[2].OutputTokens = 11, 12
	set, err := prompts.Prepare(t.Context(), q)
	require.NoError(t, err)
	require.Equal(t, 12, set.Lists[0].Prompts[0].Output, "the warm-up is like the workload that decides")
	require.Equal(t, 11, set.Lists[1].Prompts[0].Output)
}

func TestSecretsAreReplaced(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var lines strings.Builder
	for i := range 20 {
		fmt.Fprintf(&lines, "{\"prompt\": \"Mail number %d goes to jane.doe%d@corp-mail.net today\", \"output_tokens\": 5}\n", i, i)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "chat.json"), []byte(lines.String()), 0o644))
	set, err := prompts.Prepare(t.Context(), prompts.Request{Study: studyOf(2, 3, 1), Dir: dir})
	require.NoError(t, err)
	c1, _ := set.List("c1")
	require.Equal(t, 2, c1.Replaced)
	for text := range texts(set) {
		require.NotContains(t, text, "jane")
	}
}

func TestTooFewPromptsNameWhoNeedsThem(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	chats(t, dir, 20)
	_, err := prompts.Prepare(t.Context(), prompts.Request{Study: studyOf(10, 10, 1), Dir: dir})
	require.ErrorContains(t, err, `chat.json has 20 usable prompts, and 28 are needed (10 by c1, 10 by c4, 8 by warmup)`)
}

func TestADatasetWithoutAFile(t *testing.T) {
	t.Parallel()
	q := prompts.Request{Study: studyOf(10, 10, 3), Dir: t.TempDir()}
	_, err := prompts.Prepare(t.Context(), q)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, `the study prepares it by "wget`)
	q.Study.Datasets[0].File = ""
	_, err = prompts.Prepare(t.Context(), q)
	require.ErrorContains(t, err, "name one under datasets in machine.yaml")

	q.Rehearse = true
	set, err := prompts.Prepare(t.Context(), q)
	require.NoError(t, err, "any study can be rehearsed")
	c4, _ := set.List("c4")
	require.Contains(t, c4.Synthetic, "ShareGPT")
	lengths := map[int]bool{}
	for _, p := range c4.Prompts {
		lengths[p.Output] = true
		require.True(t, p.Output >= 4 && p.Output <= 1090)
	}
	require.Greater(t, len(lengths), 3)
	for text, n := range texts(set) {
		require.Equal(t, 1, n, "%q", text)
	}
}

func TestAWorkloadCannotTakeTheWarmUpsName(t *testing.T) {
	t.Parallel()
	s := studyOf(1, 1, 1)
	s.Workloads[0].ID = study.WarmupPrompts
	_, err := prompts.Prepare(t.Context(), prompts.Request{Study: s, Dir: t.TempDir(), Rehearse: true})
	require.ErrorContains(t, err, "give it another id")
	_, err = prompts.Prepare(t.Context(), prompts.Request{})
	require.ErrorContains(t, err, "no workloads")
}

func TestATokenizerFileCounts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	chats(t, dir, 100)
	set, err := prompts.Prepare(t.Context(), prompts.Request{
		Study: studyOf(10, 10, 3), Dir: dir, Tokenizer: "../../bench/tokenizer/testdata/qwen.json",
	})
	require.NoError(t, err)
	random, _ := set.List("random")
	require.Equal(t, prompts.ByFile, random.Counted)
	require.Equal(t, 90, random.Input, "made-up prompts have their exact length")

	// A model without such a file, or with one of another kind, can be run all the same.
	counted := func(path string) string {
		set, err := prompts.Prepare(t.Context(), prompts.Request{Study: studyOf(1, 1, 1), Dir: dir, Tokenizer: path})
		require.NoError(t, err)
		return set.Lists[0].Counted
	}
	require.Equal(t, prompts.Roughly, counted(dir))
	other := filepath.Join(dir, "tokenizer.json")
	require.NoError(t, os.WriteFile(other, []byte(`{"model": {"type": "Unigram"}}`), 0o644))
	require.Equal(t, prompts.Roughly+prompts.Unread, counted(other))
}

func TestAServerCounts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	chats(t, dir, 40)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ Prompt string }
		json.NewDecoder(r.Body).Decode(&asked)
		json.NewEncoder(w).Encode(map[string]any{"tokens": strings.Fields(asked.Prompt)})
	}))
	t.Cleanup(server.Close)
	set, err := prompts.Prepare(t.Context(), prompts.Request{
		Study: studyOf(3, 4, 5), Dir: dir, Server: &bench.Client{HTTP: bench.NewHTTP(), Base: server.URL},
	})
	require.NoError(t, err)
	random, _ := set.List("random")
	require.Equal(t, prompts.ByServer, random.Counted)
	require.Equal(t, 150, random.Input)

	server.Close() // a server that is gone cannot be asked
	set, err = prompts.Prepare(t.Context(), prompts.Request{
		Study: studyOf(3, 4, 5), Dir: dir, Server: &bench.Client{HTTP: bench.NewHTTP(), Base: server.URL},
	})
	require.NoError(t, err)
	require.Equal(t, prompts.Roughly, set.Lists[0].Counted)
}
