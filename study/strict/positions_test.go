package strict_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/study/strict"
)

func TestPositionsFindWhatExistsAndTheNearestAbove(t *testing.T) {
	t.Parallel()
	_, positions := decodeGood(t, `id: a
title:
  zh: 甲
  en: A
env: {B: x, A: "y"}
stages:
  - id: x
    add: [--a, --b]
  - id: y
`)
	type stageIndex int
	for _, c := range []struct {
		name    string
		path    []any
		at, key [2]int
	}{
		{"document", nil, [2]int{1, 1}, [2]int{1, 1}},
		{"scalar", []any{"title", "en"}, [2]int{4, 7}, [2]int{4, 3}},
		{"block mapping is at its key", []any{"title"}, [2]int{2, 1}, [2]int{2, 1}},
		{"flow mapping is at its brace", []any{"env"}, [2]int{5, 6}, [2]int{5, 1}},
		{"in a flow mapping", []any{"env", "A"}, [2]int{5, 16}, [2]int{5, 13}},
		{"block list is at its key", []any{"stages"}, [2]int{6, 1}, [2]int{6, 1}},
		{"mapping in a list is at its first key", []any{"stages", 1}, [2]int{9, 5}, [2]int{9, 5}},
		{"item of a flow list", []any{"stages", 0, "add", 1}, [2]int{8, 16}, [2]int{8, 16}},
		{"missing key", []any{"stages", 1, "add", 0}, [2]int{9, 5}, [2]int{9, 5}},
		{"missing index", []any{"stages", 7, "id"}, [2]int{6, 1}, [2]int{6, 1}},
		{"negative index", []any{"stages", -1}, [2]int{6, 1}, [2]int{6, 1}},
		{"named types", []any{name("stages"), stageIndex(0), name("id")}, [2]int{7, 9}, [2]int{7, 5}},
		{"neither key nor index", []any{"title", 1.5}, [2]int{2, 1}, [2]int{2, 1}},
		{"nil", []any{"title", nil}, [2]int{2, 1}, [2]int{2, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			line, column := positions.At(c.path...)
			require.Equal(t, c.at, [2]int{line, column}, "At")
			line, column = positions.KeyAt(c.path...)
			require.Equal(t, c.key, [2]int{line, column}, "KeyAt")
		})
	}
	require.Equal(t, []string{"B", "A"}, positions.Keys("env"))
	require.Equal(t, []string{"id", "title", "env", "stages"}, positions.Keys())
	require.Nil(t, positions.Keys("env", "C"))

	problem := positions.Problem("refers to nothing", "name a stage", "stages", 0, "id")
	require.Equal(t, "f:7:9: refers to nothing; name a stage", problem.Error())
	require.Equal(t, "stages[0].id", problem.Path)
	require.Equal(t, "f:5:13: not known", positions.KeyProblem("not known", "", "env", "A").Error())
}

func TestPositionsOfABrokenDocumentAreItsStart(t *testing.T) {
	t.Parallel()
	var g guide
	positions, problems := strict.Decode("f", []byte("a: [\n"), &g)
	require.Len(t, problems, 1)
	line, column := positions.At("title", "zh")
	require.Equal(t, [2]int{1, 1}, [2]int{line, column})
	require.Nil(t, positions.Keys())
}

func TestExcerptPutsTheCaretBelowTheColumn(t *testing.T) {
	t.Parallel()
	long := "id: " + string(slices.Repeat([]byte("x"), 300)) + "END\n"
	for _, c := range []struct {
		name, src    string
		line, column int
		want         string
	}{
		{"ascii", "a: b\nid: x\r\n", 2, 5, "2 | id: x\n  |     ^\n"},
		{"wide", "标题: x\n", 1, 5, "1 | 标题: x\n  | \u3000\u3000  ^\n"},
		{"tab", "a:\tb\n", 1, 4, "1 | a:\tb\n  |   \t^\n"},
		{"byte-order mark", "\uFEFFid: x\n", 1, 5, "1 | id: x\n  |     ^\n"},
		{"invalid UTF-8", "id: \xff\n", 1, 5, "1 | id: \uFFFD\n  |     ^\n"},
		{"after the end", "id:\n", 1, 9, "1 | id:\n  |    ^\n"},
		{"no such line", "id:\n", 7, 1, ""},
		{"no place", "id:\n", 0, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := strict.Problem{Line: c.line, Column: c.column}.Excerpt([]byte(c.src))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	got := strict.Problem{Line: 1, Column: 305}.Excerpt([]byte(long))
	require.Contains(t, got, "END\n")
	require.Less(t, len(got), 250, "a long line is cut around the column")
}

func TestSortOrdersByPlaceAndKeepsTies(t *testing.T) {
	t.Parallel()
	problems := []strict.Problem{{File: "b", Line: 1}, {File: "a", Line: 2, Column: 1, Message: "1st"}, {File: "a", Line: 2, Column: 1, Message: "2nd"}, {File: "a", Line: 1, Column: 9}}
	strict.Sort(problems)
	want := []strict.Problem{{File: "a", Line: 1, Column: 9}, {File: "a", Line: 2, Column: 1, Message: "1st"}, {File: "a", Line: 2, Column: 1, Message: "2nd"}, {File: "b", Line: 1}}
	if diff := cmp.Diff(want, problems); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
