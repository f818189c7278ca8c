package strict_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/study/strict"
)

// plain is a type whose JSON is a document that decodes to the same value.
type plain struct {
	Name  string                    `json:"name,omitempty"`
	Count int                       `json:"count,omitempty"`
	Share float64                   `json:"share,omitempty"`
	Fast  bool                      `json:"fast,omitempty"`
	Flags []string                  `json:"flags,omitempty"`
	Env   map[string]string         `json:"env,omitempty"`
	Texts map[string][]text         `json:"texts,omitempty"`
	Note  *text                     `json:"note,omitempty"`
	Tree  map[string]map[string]int `json:"tree,omitempty"`
}

// FuzzDecode checks that no input panics, that every problem has a place in the
// file, and that what was accepted is accepted again when it is written as JSON.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		"name: a\ncount: 3\nshare: 0.5\nfast: true\nflags: [a, 'b', \"c\\u4e2d\"]\n",
		"texts:\n  k:\n  - zh: |\n      甲\n\n        乙\n    en: >-\n      a\n      b\nnote: {zh: x, en: y}\n",
		"env:\n  A: x y \n    --z\n  B: \"multi\n\n    line\"\ntree: {a: {b: 1}}\n",
		"name: &a x\nflags: [*a, !!str 3]\n<<: {count: 1}\n",
		"\uFEFFname: x\r\ncount: 010\r\n---\nname: y\r\n",
		"flags:\n-\nname: x\n", "name:\n\t- x\n", "? a\n: b\n", "%YAML 1.2\n---\n", "name: \"\\ud800\\u12g4\"\n",
		"[[[[{{{{", "{}", "- - - -\n", "a: b: c\n", "name: \xe4\xb8\n", "\xff\xfe", "...\n---\n", "name: |+\n", "a: >9\n", "'", "\"\\", "{a, b", "a:\n b\n  c: d\n", "!", "*", "&", "name: 'x\n---\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		var first, second plain
		positions, problems := strict.Decode("f", src, &first)
		lines := strings.Count(string(src), "\n") + 2
		for _, p := range problems {
			require.True(t, p.Line >= 1 && p.Line <= lines && p.Column >= 1, "%v", p)
			require.NotEmpty(t, p.Message)
			p.Excerpt(src)
		}
		line, column := positions.At("texts", "k", 0, "zh")
		require.True(t, line >= 1 && column >= 1)
		if len(problems) > 0 {
			return
		}
		again := escaped(t, first)
		_, problems = strict.Decode("f", again, &second)
		require.Empty(t, problems, "%s", again)
		second.prune()
		first.prune()
		if diff := cmp.Diff(first, second); diff != "" {
			t.Errorf("%s\n(-first +second):\n%s", again, diff)
		}
	})
}

// prune drops what JSON leaves out, so that both values can be compared.
func (p *plain) prune() {
	if len(p.Flags) == 0 {
		p.Flags = nil
	}
	if len(p.Env) == 0 {
		p.Env = nil
	}
	if len(p.Texts) == 0 {
		p.Texts = nil
	}
	if len(p.Tree) == 0 {
		p.Tree = nil
	}
}

// escaped returns the value as JSON in ASCII: the decoder refuses control characters.
func escaped(t *testing.T, v plain) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	require.NoError(t, err)
	var out strings.Builder
	for _, r := range string(data) {
		switch {
		case r >= 0x7F && r < 0x10000:
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			out.WriteRune(r)
		}
	}
	return []byte(out.String())
}
