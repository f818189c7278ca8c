package markup_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/render/markup"
)

func TestDeclaredLiteralsAreMarkedInText(t *testing.T) {
	t.Parallel()
	in := input("H100", "Qwen3-8B", "Qwen3-8B-FP8", "v0.11.0", "--speculative-num-steps 4", "w4_a16", "C++17")
	lit := func(s string) string { return "<span data-literal>" + s + "</span>" }
	for _, c := range []struct{ name, src, want string }{
		{"alone", "H100", lit("H100")},
		{"at the end of a sentence", "on H100.", "on " + lit("H100") + "."},
		{"between Chinese", "在H100上，用Qwen3-8B。", "在" + lit("H100") + "上，用" + lit("Qwen3-8B") + "。"},
		{"the longest wins", "Qwen3-8B-FP8 Qwen3-8B", lit("Qwen3-8B-FP8") + " " + lit("Qwen3-8B")},
		{"not inside a longer name", "Qwen3-8B-AWQ xH100 H1000 H100_2 v0.11.0.1", "Qwen3-8B-AWQ xH100 H1000 H100_2 v0.11.0.1"},
		{"after a slash", "Qwen/Qwen3-8B", "Qwen/" + lit("Qwen3-8B")},
		{"with a flag's value", "use --speculative-num-steps 4 here", "use " + lit("--speculative-num-steps 4") + " here"},
		{"not with another value", "--speculative-num-steps 40", "--speculative-num-steps 40"},
		{"over a line break", "--speculative-num-steps\n4", lit("--speculative-num-steps 4")},
		{"written with escapes", `w4\_a16 C\+\+17`, lit("w4_a16") + " " + lit("C++17")},
		{"over signs that mean nothing", "w4_a16 w4_a16", lit("w4_a16") + " " + lit("w4_a16")},
		{"in emphasis", "**H100** *H100*", "<strong>" + lit("H100") + "</strong> <em>" + lit("H100") + "</em>"},
		{"beside a fact", "H100" + abs, lit("H100") + absHTML},
		{"a code span that is one", "`--speculative-num-steps 4`", "<code data-literal>--speculative-num-steps 4</code>"},
		{"a code span with text around it", "`serve Qwen3-8B --x`", "<code data-literal>serve Qwen3-8B --x</code>"},
		{"a code span of two", "`Qwen3-8B H100`", "<code data-literal>Qwen3-8B H100</code>"},
		{"a code span with another number", "`Qwen3-8B 5`", "<code>Qwen3-8B 5</code>"},
		{"a code span without one", "`x`", "<code>x</code>"},
		{"not in a full-width number", "H100０", "H100０"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Empty(t, cmp.Diff("<p>"+c.want+"</p>", render(t, c.src, in)))
		})
	}
}

func TestLiteralsInHeadingsTitlesCellsAndLinks(t *testing.T) {
	t.Parallel()
	src := "# On H100\n\n!!! note \"H100\"\n    | H100 |\n    |---|\n    | [H100](x) |\n\n<https://x.org/H100>\n"
	page := render(t, src, input("H100"))
	require.Len(t, elements(t, page, "span"), 5)
}

func TestStringsThatCannotBeLiterals(t *testing.T) {
	t.Parallel()
	for name, literal := range map[string]string{
		"a number": "3.5", "empty": "", "no letter": "--4", "spaces outside": " H100", "a line break": "H\n100", "a marker": "H" + gain,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := markup.New(english).HTML([]byte("x"), input(literal))
			require.ErrorContains(t, err, "page.md: literal")
		})
	}
}
