package strict_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"benchguide/study/strict"
)

func decodeGood(t require.TestingT, src string) (guide, *strict.Positions) {
	var g guide
	positions, problems := strict.Decode("f", []byte(src), &g)
	require.Empty(t, problems, "input:\n%s", src)
	return g, positions
}

func TestEveryKindOfFieldIsFilled(t *testing.T) {
	t.Parallel()
	src := "\uFEFF" + strings.ReplaceAll(`--- # a comment
id: 0x10
title:
  zh: |
    第一行
      缩进

    末行
  en: >-
    folded
    text
goal: throughput
gpus: -8
small: 127
port: 65535
floor: 2.5e-3
fast: true
timeout: 1h30m
seed: 0
flags: [1.10, yes, "", 'it''s', 010]
env: {A: "1", "8": plain: colon, C: "\u4e2d\x41\n"}
versions:
  vllm: 0.11.0
  sglang: 1.10
  a: 1_000
stages:
- id: x
  add: >-
    --tp 2
    --config '{"a": 1}'
  one: single
- id: y
  add:
  - --tp 2
  - --config
  - '{"a": 1}'
  one: [a, b]
  gap: {low: 1, high: 2}
note: {zh: 甲, en: a b}
tree: {z: {y: [3], x: []}}
`, "\n", "\r\n")
	got, _ := decodeGood(t, strings.Replace(src, "plain: colon", "plain:colon", 1))
	seed := 0
	want := guide{
		Common: Common{ID: "0x10"},
		Title:  text{ZH: "第一行\n  缩进\n\n末行\n", EN: "folded text"},
		Goal:   "throughput", GPUs: -8, Small: 127, Port: 65535, Floor: 0.0025, Fast: true,
		Timeout:  90 * time.Minute,
		Seed:     &seed,
		Flags:    []string{"1.10", "yes", "", "it's", "010"},
		Env:      map[string]string{"A": "1", "8": "plain:colon", "C": "中A\n"},
		Versions: strict.Map[string]{{Key: "vllm", Value: "0.11.0"}, {Key: "sglang", Value: "1.10"}, {Key: "a", Value: "1_000"}},
		Stages: []stage{
			{ID: "x", Add: strict.Words{"--tp", "2", "--config", `{"a": 1}`}, One: oneOrMany{"single"}},
			{ID: "y", Add: strict.Words{"--tp", "2", "--config", `{"a": 1}`}, One: oneOrMany{"a", "b"}, Gap: span{1, 2}},
		},
		Note: &text{ZH: "甲", EN: "a b"},
		Tree: map[string]strict.Map[[]int]{"z": {{Key: "y", Value: []int{3}}, {Key: "x", Value: []int{}}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestBlockTextsKeepTheirText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, block, want string }{
		{"clip", "|\n    a\n     b\n\n    c\n\n", "a\n b\n\nc\n"},
		{"strip", "|-\n    a\n    b\n", "a\nb"},
		{"keep", "|+\n    a\n\n\n", "a\n\n\n"},
		{"indent given", "|2\n     a\n    b\n", " a\nb\n"},
		{"folded", ">\n    a\n    b\n\n    c\n      d\n    e\n", "a b\nc\n  d\ne\n"},
		{"hash and quotes", "|\n    # no comment\n    \"x\": 'y' \\n\n", "# no comment\n\"x\": 'y' \\n\n"},
		{"no final line end", ">\n    a\n\n    b\n    c", "a\nb c\n"},
		{"plain lines", "vllm serve x \n    --max 16\n    -tp 2\n", "vllm serve x --max 16 -tp 2"},
		{"quoted lines", "\"a\n    b\n\n    c\"\n", "a b\nc"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, positions := decodeGood(t, "id: a\ntitle:\n  en: A\n  zh: "+c.block)
			require.Equal(t, c.want, got.Title.ZH)
			line, column := positions.At("title", "zh")
			require.Equal(t, [2]int{4, 7}, [2]int{line, column})
		})
	}
}

func TestAnyTextSurvivesQuoting(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.StringMatching(`[ -~中文\t\n]{0,30}x`).Draw(t, "text")
		quoted := strconv.QuoteToASCII(want)
		single := "'" + strings.ReplaceAll(strings.Map(noControl, want), "'", "''") + "'"
		got, _ := decodeGood(t, "id: a\ntitle: {zh: "+quoted+", en: "+single+"}\n")
		require.Equal(t, text{ZH: want, EN: strings.Map(noControl, want)}, got.Title)
	})
}

func TestAnyLinesSurviveABlock(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.StringMatching(`[!-~中][ -~中]{0,20}|`), 1, 6).Draw(t, "lines")
		lines = append([]string{"first"}, append(lines, "last")...)
		var block strings.Builder
		for _, line := range lines {
			if line != "" {
				block.WriteString("    " + line)
			}
			block.WriteString("\n")
		}
		got, positions := decodeGood(t, "id: a\ntitle:\n  zh: |\n"+block.String()+"  en: A\n")
		require.Equal(t, strings.Join(lines, "\n")+"\n", got.Title.ZH)
		line, _ := positions.At("title", "en")
		require.Equal(t, 4+len(lines), line)
	})
}

func TestAnyNumberIsReadExactly(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		whole, real := rapid.Int().Draw(t, "whole"), rapid.Float64().Draw(t, "real")
		got, _ := decodeGood(t, head+"gpus: "+strconv.Itoa(whole)+"\nfloor: "+strconv.FormatFloat(real, 'g', -1, 64)+"\n")
		require.Equal(t, whole, got.GPUs)
		require.Equal(t, real, got.Floor)
	})
}

func TestTypesThatNoYAMLFillsPanicAtOnce(t *testing.T) {
	t.Parallel()
	type any1 struct {
		X any `json:"x,omitempty"`
	}
	type twice struct {
		Common
		Other string `json:"id,omitempty"`
	}
	type keys struct {
		M strict.Map[map[int]string] `json:"m,omitempty"`
	}
	for _, into := range []any{nil, guide{}, (*guide)(nil), &any1{}, &twice{}, &keys{}, new(chan int)} {
		require.Panics(t, func() { strict.Decode("f", []byte("{}"), into) }, "%T", into)
	}
}

func noControl(r rune) rune {
	if r < ' ' {
		return '-'
	}
	return r
}
