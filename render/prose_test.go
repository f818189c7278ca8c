package render_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/analyze"
	"benchguide/render"
	"benchguide/study"
	"benchguide/study/studytest"
)

// proseErrors lists what is wrong with a study's prose, one line a finding.
func proseErrors(t *testing.T, r *render.Renderer, files fstest.MapFS) []string {
	t.Helper()
	f, problems := study.Load(files, studytest.Dir)
	require.Empty(t, problems)
	var list []string
	for _, found := range r.Findings(f, analyze.Study(f)) {
		if found.Severity == render.SeverityError {
			list = append(list, strings.TrimPrefix(found.String(), studytest.Dir+"/"))
		}
	}
	return list
}

func TestProseIsCheckedWhereItIsWritten(t *testing.T) {
	t.Parallel()
	r := renderer(t)
	for _, c := range []struct {
		name, zh, en string
		want         []string // after "study.yaml:LINE:COLUMN: error: "
	}{
		{"good", "快 {{one/c1:gain.total_throughput}}", "By {{one/c1:gain.total_throughput|percent}}", nil},
		{"no such fact", "甲", "By {{one/c1:gain.total_throughputs}}",
			[]string{`there is no fact "one/c1:gain.total_throughputs"; did you mean "one/c1:gain.total_throughput"? [unknown-fact]`}},
		{"nothing like it", "甲", "By {{speed}}", []string{`there is no fact "speed"; report.json lists all facts of the study [unknown-fact]`}},
		{"both languages, several", "{{x}} {{y}}", "{{x}} {{z}}", []string{
			`there is no fact "x"; report.json lists all facts of the study [unknown-fact]`, `there is no fact "y"; report.json lists all facts of the study [unknown-fact]`,
			`there is no fact "x"; report.json lists all facts of the study [unknown-fact]`, `there is no fact "z"; report.json lists all facts of the study [unknown-fact]`}},
		{"no such style", "甲", "By {{one/c1:gain.total_throughput|fancy}}", []string{`fact one/c1:gain.total_throughput is a ratio and has no style "fancy" [unknown-style]`}},
		{"style of another kind", "甲", "By {{noise:declared|times}}", []string{`fact noise:declared is a fraction and has no style "times" [unknown-style]`}},
		{"no such citation", "甲", "By {{cite:nobody}}", []string{`the study has no citation "nobody"; declare it under citations [unknown-citation]`}},
		{"blanks", "甲", "By {{ noise:declared }}", []string{`"{{ noise:declared }}" is no reference; write {{id}} or {{id|style}}, without blanks [bad-reference]`}},
		{"empty", "甲", "By {{}}", []string{`"{{}}" is no reference; write {{id}} or {{id|style}}, without blanks [bad-reference]`}},
		{"not closed", "甲", "By {{noise:declared", []string{`"{{" is no reference; write {{id}} or {{id|style}}, without blanks [bad-reference]`}},
		{"a number", "快 3 倍", "By 31%", []string{
			`number "3" is not bound`, `number "31%" is not bound`}},
		{"a number word", "快两倍", "Twice as fast", []string{`number "两倍" is not bound`, `number "Twice" is not bound`}},
		{"inside code", "甲", "As `{{noise:declared}}` says", []string{`[bad-prose]`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			files := replace(t, `text: {zh: "损失 {{cite:loss}}，吞吐量 {{total:gain.total_throughput|times}}", en: "It loses {{cite:loss}} at {{total:gain.total_throughput|times}} the throughput"}`,
				fmt.Sprintf("text: {zh: %q, en: %q}", c.zh, c.en))
			line := 1 + strings.Count(strings.Split(string(files[studyFile].Data), "  - id: age")[0], "\n") + 2
			got := proseErrors(t, r, files)
			require.Len(t, got, len(c.want), "%s", strings.Join(got, "\n"))
			for i, want := range c.want {
				require.Regexp(t, fmt.Sprintf(`^study\.yaml:%d:\d+: error: `, line), got[i])
				require.Contains(t, got[i], want)
			}
		})
	}
}

func TestReferencesPointAtThemselves(t *testing.T) {
	t.Parallel()
	files := replace(t, "    title: {zh: 版本, en: Versions}\n", "    title: {zh: 版本, en: Versions}\n")
	text := string(files[studyFile].Data)
	text = strings.Replace(text, `    text: {zh: "损失 {{cite:loss}}，吞吐量 {{total:gain.total_throughput|times}}", en: "It loses {{cite:loss}} at {{total:gain.total_throughput|times}} the throughput"}
`, `    text:
      zh: |
        第一段 {{cite:loss}}。

        第二段 {{nowhere}}。
      en: >-
        A paragraph that goes on
        over lines to {{nowhere}}
        and further.
`, 1)
	files = studytest.With(files, map[string]string{studyFile: text})
	var want []string
	for i, line := range strings.Split(text, "\n") {
		if at := strings.Index(line, "{{nowhere}}"); at >= 0 {
			want = append(want, fmt.Sprintf(`study.yaml:%d:%d: error: there is no fact "nowhere"; report.json lists all facts of the study [unknown-fact]`, i+1, 1+len([]rune(line[:at]))))
		}
	}
	require.Len(t, want, 2)
	require.Empty(t, cmp.Diff(want, proseErrors(t, renderer(t), files)))
}

// Names stand in charts, attributes and addresses, where no fact can.
func TestNamesHaveNoReferences(t *testing.T) {
	t.Parallel()
	r := renderer(t)
	for _, c := range []struct{ old, new, path string }{
		{"title: {zh: 小实验, en: A small study}", `title: {zh: 小实验, en: "A {{noise:declared}} study"}`, "title"},
		{"summary: {zh: 测试用, en: For tests}", `summary: {zh: 测试用, en: "For {{noise:declared}}"}`, "summary"},
		{"name: {zh: c1, en: c1}", `name: {zh: c1, en: "c1 {{noise:declared}}"}`, "stages.candidates.name"},
		{"where: {zh: 表, en: the table}", `where: {zh: 表, en: "table {{noise:declared}}"}`, "published.claims.where"},
	} {
		got := proseErrors(t, r, replace(t, c.old, c.new))
		require.Len(t, got, 1, "%v", got)
		require.Contains(t, got[0], "{{noise:declared}} is not filled in here: "+c.path+" is a name and stands as it is; write it without a reference [reference-not-filled]")
	}
}

// What the run's own file says is prose too.
func TestProseOfTheRunIsChecked(t *testing.T) {
	t.Parallel()
	file := studytest.Dir + "/runs/" + studytest.Run + "/run.yaml"
	text := strings.Replace(string(small().FS()[file].Data), "en: Kept byte for byte", `en: "Kept {{nothing}}"`, 1)
	got := proseErrors(t, renderer(t), studytest.With(small().FS(), map[string]string{file: text}))
	require.Len(t, got, 1)
	require.Regexp(t, `^runs/published/run\.yaml:4:\d+: error: there is no fact "nothing"`, got[0])
}

// A name is a literal by being one, unless it is nothing but a number.
func TestNamesThatAreNumbersAreReportedWhereTheyAreWritten(t *testing.T) {
	t.Parallel()
	r := renderer(t)
	for _, c := range []struct{ old, new, want string }{
		{"name: {zh: c1, en: c1}", `name: {zh: c1, en: "512"}`, `number "512" is not bound`},
		{"name: {zh: c1, en: c1}", `name: {zh: 两倍, en: c1}`, `number "两倍" is not bound`},
		{"summary: {zh: 测试用, en: For tests}", `summary: {zh: 测试用, en: For 12 tests}`, `number "12" is not bound`},
		{"title: {zh: 版本, en: Versions}", `title: {zh: 版本, en: All 9 versions}`, `number "9" is not bound`},
		{"name: {zh: c1, en: c1}", `name: {zh: c1, en: max-bs 512}`, ""},
	} {
		got := proseErrors(t, r, replace(t, c.old, c.new))
		if c.want == "" {
			require.Empty(t, got)
			continue
		}
		require.Len(t, got, 1, "%v", got)
		require.Regexp(t, `^study\.yaml:\d+:\d+: error: `, got[0])
		require.Contains(t, got[0], c.want)
	}
}
