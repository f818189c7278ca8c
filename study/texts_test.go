package study_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/study"
	"benchguide/study/studytest"
)

func TestTextsKnowWhereTheirPartsStand(t *testing.T) {
	t.Parallel()
	files := replace(t, plan().FS(), studyFile, "    text: {zh: 会变, en: They change}\n", `    text:
      zh: |
        甲 {{a}} 乙 {{b}}
        丙 {{c}}
      en: >-
        One {{a}}
        two {{b}} three
        {{c}}
`)
	f, found := study.Load(files, studytest.Dir)
	require.Empty(t, found)
	lines := strings.Split(string(f.Source), "\n")
	seen := 0
	for _, text := range f.Texts() {
		require.Equal(t, studytest.Dir+"/", text.File[:len(studytest.Dir)+1])
		for _, part := range []string{"{{a}}", "{{b}}", "{{c}}"} {
			if !strings.Contains(text.Text, part) {
				continue
			}
			seen++
			require.Equal(t, "notes.text", text.Path)
			line, column := text.Find(part)
			require.Equal(t, part, string([]rune(lines[line-1])[column-1:][:len(part)]))
			require.Equal(t, text.Lang == "zh", strings.ContainsAny(lines[line-1], "甲乙丙"))
		}
	}
	require.Equal(t, 6, seen)
}

func TestTextsAreAllThatAreWritten(t *testing.T) {
	t.Parallel()
	f, found := study.Load(plan().FS(), studytest.Dir)
	require.Empty(t, found)
	paths := map[string]int{}
	for _, text := range f.Texts() {
		require.NotEmpty(t, text.Text)
		paths[text.Path]++
	}
	require.Equal(t, map[string]int{
		"title": 2, "summary": 2, "objective.text": 2, "datasets.text": 2, "workloads.name": 4, "baseline.name": 2,
		"stages.title": 2, "stages.question": 2, "stages.candidates.name": 4, "notes.title": 2, "notes.text": 2,
		"published.title": 2, "published.claims.where": 4, "imported.title": 2, "imported.note": 2,
	}, paths)
}

func TestPartsThatAreEscapedInTheFileStandWhereTheirTextBegins(t *testing.T) {
	t.Parallel()
	files := replace(t, plan().FS(), studyFile, "en: They change", `en: "They \u007b{a}} change"`)
	f, found := study.Load(files, studytest.Dir)
	require.Empty(t, found)
	for _, text := range f.Texts() {
		if strings.Contains(text.Text, "{{a}}") {
			line, column := text.Find("{{a}}")
			begin := strings.Split(string(f.Source), "\n")[line-1]
			require.True(t, strings.HasPrefix(string([]rune(begin)[column-1:]), `"They`), begin)
			return
		}
	}
	t.Fatal("the text is not there")
}
