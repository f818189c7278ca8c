package study_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"benchguide/engine"
	"benchguide/study"
	"benchguide/study/strict"
)

// base derives the incumbent of the cases below.
func base(t require.TestingT) (*study.Study, study.Configuration) {
	s := &study.Study{
		Model:   study.Model{ID: "Qwen/Qwen3-8B", Name: "Qwen3-8B"},
		Engines: map[string]string{"vllm": "v0.11.0", "sglang": "v0.5.3"},
	}
	c, err := s.Derive(study.Configuration{}, study.Candidate{ID: "base", Engine: "sglang",
		Command: "python3 -m sglang.launch_server --model-path Qwen/Qwen3-8B --tp 2 --enable-x --log a --log b", Env: map[string]string{"A": "1"}})
	require.NoError(t, err)
	return s, c
}

func TestCandidatesSayWhatTheyChange(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		candidate study.Candidate
		want      string
	}{
		{"nothing", study.Candidate{}, "A=1 python3 -m sglang.launch_server --model-path Qwen/Qwen3-8B --tp 2 --enable-x --log a --log b"},
		{"add", study.Candidate{Add: strict.Words{"--y", "3"}}, "A=1 python3 -m sglang.launch_server --model-path Qwen/Qwen3-8B --tp 2 --enable-x --log a --log b --y 3"},
		{"set keeps the place", study.Candidate{Set: strict.Words{"--tp", "4"}}, "A=1 python3 -m sglang.launch_server --model-path Qwen/Qwen3-8B --tp 4 --enable-x --log a --log b"},
		{"set by an alias", study.Candidate{Set: strict.Words{"--tensor-parallel-size=4"}}, "A=1 python3 -m sglang.launch_server --model-path Qwen/Qwen3-8B --tensor-parallel-size 4 --enable-x --log a --log b"},
		{"remove", study.Candidate{Remove: strict.Words{"--tp"}}, "A=1 python3 -m sglang.launch_server --model-path Qwen/Qwen3-8B --enable-x --log a --log b"},
		{"remove by an alias, with its value", study.Candidate{Remove: strict.Words{"--tp-size", "2"}}, "A=1 python3 -m sglang.launch_server --model-path Qwen/Qwen3-8B --enable-x --log a --log b"},
		{"remove before add", study.Candidate{Remove: strict.Words{"--tp"}, Add: strict.Words{"--tp", "8"}}, "A=1 python3 -m sglang.launch_server --model-path Qwen/Qwen3-8B --enable-x --log a --log b --tp 8"},
		{"environment is merged", study.Candidate{Env: map[string]string{"B": "x y", "A": ""}}, "A='' B='x y' python3 -m sglang.launch_server --model-path Qwen/Qwen3-8B --tp 2 --enable-x --log a --log b"},
		{"model", study.Candidate{Model: "Qwen/Qwen3-8B-FP8"}, "A=1 python3 -m sglang.launch_server --model-path Qwen/Qwen3-8B-FP8 --tp 2 --enable-x --log a --log b"},
		{"another engine starts from nothing", study.Candidate{Engine: "vllm", Add: strict.Words{"--tp", "1"}}, "vllm serve Qwen/Qwen3-8B --tp 1"},
		{"a whole command", study.Candidate{Command: "sglang serve --model-path X --z"}, "A=1 sglang serve --model-path X --z"},
		{"a whole command of another engine", study.Candidate{Engine: "vllm", Command: "vllm serve X --z"}, "vllm serve X --z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, incumbent := base(t)
			got, err := s.Derive(incumbent, c.candidate)
			require.NoError(t, err)
			line := got.Text()
			words, err := engine.Words(line)
			require.NoError(t, err)
			want, err := engine.Words(c.want)
			require.NoError(t, err)
			require.Equal(t, want, words)
			require.Equal(t, "A=1 python3 -m sglang.launch_server --model-path Qwen/Qwen3-8B --tp 2 --enable-x --log a --log b", oneLine(t, incumbent), "the incumbent stays as it was")
		})
	}
}

func oneLine(t *testing.T, c study.Configuration) string {
	t.Helper()
	words, err := engine.Words(c.Text())
	require.NoError(t, err)
	return engine.Quote(words)
}

// A change that does not do what it says is an error: the study would tell something
// else than was measured.
func TestChangesThatSayOtherThanTheyDoAreErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, field, message string
		candidate            study.Candidate
	}{
		{"add what is there", "add", "--tensor-parallel-size is there already (--tp 2); use set to change its value", study.Candidate{Add: strict.Words{"--tensor-parallel-size", "4"}}},
		{"set what is not there", "set", "--y is not there to be changed; use add", study.Candidate{Set: strict.Words{"--y", "1"}}},
		{"set what it is", "set", "--tp 2 is what it is already", study.Candidate{Set: strict.Words{"--tp", "2"}}},
		{"remove what is not there", "remove", "--y is not there to be removed", study.Candidate{Remove: strict.Words{"--y"}}},
		{"remove another value", "remove", "--tp is there as --tp 2 and not as --tp 4", study.Candidate{Remove: strict.Words{"--tp", "4"}}},
		{"set one of several", "set", "--log is there more than once; state the whole command", study.Candidate{Set: strict.Words{"--log", "c"}}},
		{"remove one of several", "remove", "--log is there more than once; state the whole command", study.Candidate{Remove: strict.Words{"--log"}}},
		{"add the model", "add", "--model names the model; use model", study.Candidate{Add: strict.Words{"--model", "X"}}},
		{"set the model", "set", "--model-path names the model; use model", study.Candidate{Set: strict.Words{"--model-path", "X"}}},
		{"no option", "add", `"tp" is neither an option nor the value of one`, study.Candidate{Add: strict.Words{"tp", "4"}}},
		{"unknown engine", "engine", `engine "vlm" is not known; use one of vllm, sglang, tensorrt-llm, llama.cpp`, study.Candidate{Engine: "vlm"}},
		{"command of another engine", "command", `"vllm serve X" does not start SGLang`, study.Candidate{Command: "vllm serve X"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, incumbent := base(t)
			_, err := s.Derive(incumbent, c.candidate)
			var derive *study.DeriveError
			require.ErrorAs(t, err, &derive)
			require.Equal(t, c.field, derive.Field)
			require.ErrorContains(t, err, c.message)
		})
	}
}

func TestFingerprintsKnowWhatIsServedAndNotHowItIsSpelt(t *testing.T) {
	t.Parallel()
	s, incumbent := base(t)
	of := func(c study.Candidate) string {
		got, err := s.Derive(incumbent, c)
		require.NoError(t, err)
		return got.Fingerprint()
	}
	same := []study.Candidate{
		{},
		{Command: "sglang serve --model Qwen/Qwen3-8B --enable_x --tp-size=2 --log a --log b"},
		{Command: "python -m sglang.launch_server --log a --tp 2 --log b --enable-x --model-path Qwen/Qwen3-8B"},
		{Remove: strict.Words{"--tp"}, Add: strict.Words{"--tensor-parallel-size", "2"}},
	}
	for _, c := range same {
		require.Equal(t, incumbent.Fingerprint(), of(c), "%+v", c)
	}
	seen := map[string]int{incumbent.Fingerprint(): -1}
	for i, c := range []study.Candidate{
		{Version: "v0.5.4"},
		{Model: "Qwen/Qwen3-14B"},
		{Env: map[string]string{"A": "2"}},
		{Env: map[string]string{"B": "1"}},
		{Engine: "vllm"},
		{Set: strict.Words{"--tp", "4"}},
		{Add: strict.Words{"--y"}},
		{Add: strict.Words{"--y", ""}},
		{Remove: strict.Words{"--enable-x"}},
		{Command: "sglang serve --model Qwen/Qwen3-8B --enable-x --tp-size=2 --log b --log a"},
	} {
		got := of(c)
		before, twice := seen[got]
		require.False(t, twice, "candidates %d and %d are not one configuration", before, i)
		seen[got] = i
	}
}

func TestOptionOrderDoesNotChangeTheFingerprint(t *testing.T) {
	t.Parallel()
	s, incumbent := base(t)
	rapid.Check(t, func(rt *rapid.T) {
		options := rapid.SliceOfNDistinct(rapid.StringMatching(`--[a-z]{2,5}-[a-z]{2,5}`), 1, 6, rapid.ID).Draw(rt, "options")
		shuffled := rapid.Permutation(options).Draw(rt, "shuffled")
		one, err := s.Derive(incumbent, study.Candidate{Add: options})
		require.NoError(rt, err)
		other, err := s.Derive(incumbent, study.Candidate{Add: shuffled})
		require.NoError(rt, err)
		require.Equal(rt, one.Fingerprint(), other.Fingerprint())
	})
}
