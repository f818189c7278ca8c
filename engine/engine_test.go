package engine_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"benchguide/engine"
)

func lookup(t require.TestingT, id string) engine.Engine {
	e, ok := engine.Lookup(id)
	require.True(t, ok, id)
	return e
}

func TestWordsSplitAsAShellDoes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, command string
		want          []string
	}{
		{"blanks and tabs", "a  b\tc", []string{"a", "b", "c"}},
		{"single quotes", `a 'b  c' d`, []string{"a", "b  c", "d"}},
		{"double quotes", `a "b  c"d`, []string{"a", "b  cd"}},
		{"empty quotes are a word", `a '' ""`, []string{"a", "", ""}},
		{"quotes inside quotes", `'"' "'"`, []string{`"`, `'`}},
		{"escaped blank", `a\ b`, []string{"a b"}},
		{"escaped quote", `\"a\'`, []string{`"a'`}},
		{"backslash in single quotes", `'a\nb'`, []string{`a\nb`}},
		{"backslash in double quotes stays", `"a\nb\d"`, []string{`a\nb\d`}},
		{"backslash in double quotes escapes what the quotes would take", `"\"\\\$\` + "`" + `"`, []string{`"\$` + "`"}},
		{"JSON in double quotes", `--x "{\"a\": [1, 2]}"`, []string{"--x", `{"a": [1, 2]}`}},
		{"continuation", "a \\\n  b \\\r\n c", []string{"a", "b", "c"}},
		{"continuation inside a word", "a\\\nb", []string{"ab"}},
		{"continuation in double quotes", "\"a\\\nb\"", []string{"ab"}},
		{"lines", "a\nb", []string{"a", "b"}},
		{"line in quotes", "'a\nb'", []string{"a\nb"}},
		{"operators in quotes", `'a|b' "c;d" e\&f`, []string{"a|b", "c;d", "e&f"}},
		{"hash inside a word", "a#b", []string{"a#b"}},
		{"dollar in single quotes", `'$HOME'`, []string{"$HOME"}},
		{"escaped dollar", `\$HOME "\$HOME"`, []string{"$HOME", "$HOME"}},
		{"Chinese", "模型 'a 中'", []string{"模型", "a 中"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := engine.Words(c.command)
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(c.want, got))
		})
	}
}

// What a shell would do more than split is refused: the command that is printed would
// not be the one that was meant.
func TestWordsRefuseWhatTheyCannotKeep(t *testing.T) {
	t.Parallel()
	for command, message := range map[string]string{
		"":                 "the command is empty",
		"  \n ":            "the command is empty",
		"a 'b":             "a ' quote is not closed",
		`a "b`:             `a " quote is not closed`,
		`a \`:              "the command ends with a backslash",
		"a | tee log":      `"|" is not part of a serving command`,
		"a > log":          `">" is not part`,
		"a < in":           `"<" is not part`,
		"a &":              `"&" is not part`,
		"a; b":             `";" is not part`,
		"a `date`":         "\"`\" is not part",
		"a \"`date`\"":     "\"`\" is not part",
		"a $HOME":          `"$" is not part`,
		`a "$HOME"`:        `"$" is not part`,
		"a $(date)":        `"$" is not part`,
		"(a)":              `"(" is not part`,
		"a b # a comment":  `"#" is not part`,
		"# a comment\na b": `"#" is not part`,
		"--flag #c":        `"#" is not part`,
	} {
		_, err := engine.Words(command)
		require.ErrorContains(t, err, message, "%q", command)
	}
}

func TestParseReadsEveryWayOfWritingACommand(t *testing.T) {
	t.Parallel()
	flag := func(name, value string) engine.Flag { return engine.Flag{Name: name, Value: value, HasValue: true} }
	for _, c := range []struct {
		engine, command, model string
		flags                  []engine.Flag
	}{
		{"vllm", "vllm serve Qwen/Qwen3-8B", "Qwen/Qwen3-8B", nil},
		{"vllm", "vllm serve Qwen/Qwen3-8B -tp 2 --enforce-eager", "Qwen/Qwen3-8B", []engine.Flag{flag("-tp", "2"), {Name: "--enforce-eager"}}},
		{"vllm", "python3 -m vllm.entrypoints.openai.api_server --model Qwen/Qwen3-8B --port=80", "Qwen/Qwen3-8B", []engine.Flag{flag("--port", "80")}},
		{"sglang", "python3 -m sglang.launch_server --model-path A --tp 2", "A", []engine.Flag{flag("--tp", "2")}},
		{"sglang", "python -m sglang.launch_server --tp 2 --model=A", "A", []engine.Flag{flag("--tp", "2")}},
		{"sglang", "sglang serve --model_path A", "A", nil},
		{"sglang", "sglang serve --model A --cuda-graph-bs 1 2 4 --tp 2", "A", []engine.Flag{
			{Name: "--cuda-graph-bs", Value: "1", HasValue: true, More: []string{"2", "4"}}, flag("--tp", "2")}},
		{"tensorrt-llm", "trtllm-serve A --tp_size 2", "A", []engine.Flag{flag("--tp_size", "2")}},
		{"tensorrt-llm", "trtllm-serve serve A", "A", nil},
		{"llama.cpp", "llama-server -m a.gguf -ngl 99", "a.gguf", []engine.Flag{flag("-ngl", "99")}},
		{"llama.cpp", "llama-server -hf ggml-org/x", "", []engine.Flag{flag("-hf", "ggml-org/x")}},
		{"vllm", "vllm serve A --temperature -1 --x=-y --z ''", "A", []engine.Flag{flag("--temperature", "-1"), flag("--x", "-y"), flag("--z", "")}},
		{"vllm", `vllm serve A --hf-overrides '{"a": "b=c"}'`, "A", []engine.Flag{flag("--hf-overrides", `{"a": "b=c"}`)}},
	} {
		t.Run(c.command, func(t *testing.T) {
			t.Parallel()
			got, err := lookup(t, c.engine).Parse(c.command)
			require.NoError(t, err)
			require.Equal(t, c.model, got.Model)
			require.Empty(t, cmp.Diff(c.flags, got.Flags))
		})
	}
}

func TestParseRefusesWhatIsNoServingCommand(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ engine, command, message string }{
		{"vllm", "vllm", `"vllm" does not start vLLM; its serving command begins with "vllm serve"`},
		{"vllm", "vllm bench serve A", `"vllm bench" does not start vLLM`},
		{"sglang", "vllm serve A", `"vllm serve A" does not start SGLang`},
		{"vllm", "VLLM_USE_V1=1 vllm serve A", "environment variables stand under env"},
		{"vllm", "vllm serve A B", `"B" is neither an option nor the value of one`},
		{"vllm", "vllm serve A --model B", "the model is named twice"},
		{"sglang", "sglang serve --model-path A --model B", "the model is named twice"},
		{"sglang", "sglang serve --model-path A B", `"B" is a word too many`},
		{"sglang", "sglang serve --model-path", "--model-path has no value"},
		{"sglang", "sglang serve --model-path --tp 2", "--model-path has no value"},
		{"vllm", "vllm serve A -- b", `"--" is no option`},
		{"vllm", "vllm serve A -=b", `"-=b" is no option`},
		{"vllm", "vllm serve A --=b", `"--=b" is no option`},
	} {
		t.Run(c.command, func(t *testing.T) {
			t.Parallel()
			_, err := lookup(t, c.engine).Parse(c.command)
			require.ErrorContains(t, err, c.message)
		})
	}
}

func TestCanonicalFormIgnoresSpelling(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ engine, one, other string }{
		{"vllm", "vllm serve A --max-model-len 10 -tp 2", "vllm serve A --tensor-parallel-size=2 --max_model_len 10"},
		{"vllm", "vllm serve A -q fp8", "python3 -m vllm.entrypoints.openai.api_server --model A --quantization fp8"},
		{"sglang", "python3 -m sglang.launch_server --model-path A --tp 2", "sglang serve --tensor-parallel-size 2 --model A"},
		{"tensorrt-llm", "trtllm-serve A --tp_size 2", "trtllm-serve serve A --tensor_parallel_size 2"},
		{"llama.cpp", "llama-server -m a -c 100", "llama-server --ctx_size 100 --model a"},
	} {
		e := lookup(t, c.engine)
		one, err := e.Parse(c.one)
		require.NoError(t, err)
		other, err := e.Parse(c.other)
		require.NoError(t, err)
		require.Equal(t, one.Model, other.Model)
		require.Empty(t, cmp.Diff(e.Canonical(one), e.Canonical(other)))
	}
}

func TestCanonicalFormKeepsWhatDiffers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ engine, one, other string }{
		{"vllm", "vllm serve A --x 1", "vllm serve A --x 2"},
		{"vllm", "vllm serve A --x", "vllm serve A --x ''"},
		{"vllm", "vllm serve A --x 1 --x 2", "vllm serve A --x 2 --x 1"},
		{"tensorrt-llm", "trtllm-serve A --a_b 1", "trtllm-serve A --a-b 1"},
		{"sglang", "sglang serve --model A --x a_b", "sglang serve --model A --x a-b"},
	} {
		e := lookup(t, c.engine)
		one, err := e.Parse(c.one)
		require.NoError(t, err)
		other, err := e.Parse(c.other)
		require.NoError(t, err)
		require.NotEmpty(t, cmp.Diff(e.Canonical(one), e.Canonical(other)), c.one)
	}
}

// Aliases lead to a name that stands for itself, or two aliases of one flag would
// have different canonical names.
func TestAliasesEndInOneStep(t *testing.T) {
	t.Parallel()
	for _, e := range engine.All() {
		for from, to := range e.Aliases {
			_, again := e.Aliases[to]
			require.False(t, again, "%s: %s leads to %s, which is an alias itself", e.ID, from, to)
			require.NotEqual(t, from, to)
		}
	}
}

func TestLongCommandsArePrintedOneOptionALine(t *testing.T) {
	t.Parallel()
	e := lookup(t, "sglang")
	c, err := e.Parse("python3 -m sglang.launch_server --model-path Qwen/Qwen3-8B-FP8 --speculative-algorithm EAGLE3 --speculative-num-steps 4 --enable-x")
	require.NoError(t, err)
	require.Equal(t, `python3 -m sglang.launch_server --model-path Qwen/Qwen3-8B-FP8 \
    --speculative-algorithm EAGLE3 \
    --speculative-num-steps 4 \
    --enable-x`, e.Print(c))
}

// word is any text that a shell could be given, most often one that looks like an
// option or needs quotes.
func word() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringMatching(`[a-zA-Z0-9_./:=-]{1,12}`),
		rapid.SampledFrom([]string{"", "-", "--", "-x", "--x=y", "-1", "$HOME", "`a`", "a b", "'", `"`, `\`, "\n", "#c", "中文", "(x)", "{\"a\": 1}", "a;b"}),
		rapid.StringOf(rapid.RuneFrom([]rune(" \t\n'\"\\$`#()|&;<>=-aé中"))),
	)
}

func TestQuotedWordsReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		want := rapid.SliceOfN(word(), 1, 6).Draw(rt, "words")
		got, err := engine.Words(engine.Quote(want))
		require.NoError(rt, err)
		require.Empty(rt, cmp.Diff(want, got))
	})
}

// A command that is printed reads back as the same configuration, whatever its values.
func TestPrintedCommandsReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		e := rapid.SampledFrom(engine.All()).Draw(rt, "engine")
		c := e.New(rapid.StringMatching(`[A-Za-z][A-Za-z0-9/.-]{0,10}`).Draw(rt, "model"))
		n := rapid.IntRange(0, 6).Draw(rt, "options")
		for range n {
			f := engine.Flag{Name: rapid.StringMatching(`--[a-z][a-z0-9]{0,3}(-[a-z0-9]{1,4}){1,3}x`).Draw(rt, "name")}
			if f.HasValue = rapid.Bool().Draw(rt, "has value"); f.HasValue {
				f.Value = word().Draw(rt, "value")
			}
			if f.HasValue && !strings.HasPrefix(f.Value, "-") && rapid.Bool().Draw(rt, "has more") {
				f.More = []string{"2", "a b"}
			}
			c.Flags = append(c.Flags, f)
		}
		got, err := e.Parse(e.Print(c))
		require.NoError(rt, err, "%s", e.Print(c))
		require.Empty(rt, cmp.Diff(c, got))
		require.Equal(rt, e.Words(c), mustWords(rt, e.Print(c)))
	})
}

func mustWords(t require.TestingT, command string) []string {
	words, err := engine.Words(command)
	require.NoError(t, err)
	return words
}

// FuzzParse: whatever is taken for a command prints as a command that is taken for
// the same.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"vllm serve Qwen/Qwen3-8B -tp 2 --x=-y", "python3 -m sglang.launch_server --model-path 'a b' --tp 2 \\\n --z",
		"trtllm-serve A --tp_size 2", "llama-server -m a.gguf -ngl 99", `vllm serve A --x "{\"a\": 1}"`, "vllm serve A --x '", "a\\", "vllm serve A -=b", "\xff\xfe",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, command string) {
		words, err := engine.Words(command)
		if err == nil {
			require.Equal(t, words, mustWords(t, engine.Quote(words)))
		}
		for _, e := range engine.All() {
			c, err := e.Parse(command)
			if err != nil {
				require.NotContains(t, strings.ToLower(err.Error()), "panic")
				continue
			}
			again, err := e.Parse(e.Print(c))
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(e.Words(c), e.Words(again)))
			require.Empty(t, cmp.Diff(e.Canonical(c), e.Canonical(again)))
		}
	})
}
