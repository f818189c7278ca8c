package render_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"os"

	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/analyze"
	"benchguide/i18n"
	"benchguide/render"
	"benchguide/study"
	"benchguide/study/studytest"
	"benchguide/templates"
)

var update = flag.Bool("update", false, "write the golden pages anew")

const studyFile = studytest.Dir + "/study.yaml"

// small is a study with a candidate of every verdict, a case of its own, a caveat, a
// citation and two published claims.
func small() studytest.Plan {
	tp := studytest.Throughput
	p := studytest.Simple(tp(1000), tp(1200), tp(1190), tp(1100), tp(1010), tp(900))
	p.Stages[0].YAML = `pick:
  candidate: c2
  reason: {zh: "差距小于噪声下限 {{noise:total_throughput}}", en: "The gap is below the noise floor of {{noise:total_throughput}}"}
note: {zh: "时长 **{{one/c3/main:duration}}**", en: "It took **{{one/c3/main:duration}}**"}`
	p.Stages = append(p.Stages, studytest.Stage{ID: "two", Candidates: []studytest.Candidate{{ID: "d1", YAML: "set: --max-num-seqs 9", Trial: tp(1195)}}})
	p.Cases = []studytest.Case{{Workload: "main", Baseline: tp(1002), Optimized: tp(1250)}}
	p.YAML = `notes:
  - id: age
    title: {zh: 版本, en: Versions}
    text: {zh: "损失 {{cite:loss}}，吞吐量 {{total:gain.total_throughput|times}}", en: "It loses {{cite:loss}} at {{total:gain.total_throughput|times}} the throughput"}
citations:
  loss:
    text: {zh: 1% 以内, en: less than 1%}
    title: {zh: 评测表, en: A table}
    url: https://example.com/table
published:
  title: {zh: 原文, en: The original}
  url: https://example.com/guide
  claims:
    - id: right
      where: {zh: 表, en: the table}
      says: +20.0%
      fact: one/c1:gain.total_throughput
    - id: wrong
      where: {zh: 表, en: the table}
      says: +66.2%
      fact: one/c2:gain.total_throughput
      note: {zh: "应为 {{one/c2:gain.total_throughput}}", en: "It is {{one/c2:gain.total_throughput}}"}
`
	return p
}

// renderer makes pages from what is embedded.
func renderer(t *testing.T) *render.Renderer {
	t.Helper()
	r, err := render.New(templates.Files, i18n.Files)
	require.NoError(t, err)
	return r
}

// site builds a content folder that must have nothing wrong with it.
func site(t *testing.T, r *render.Renderer, files fs.FS) map[string][]byte {
	t.Helper()
	out, problems, err := build(t, r, files)
	require.NoError(t, err)
	require.Empty(t, problems)
	m := map[string][]byte{}
	for _, f := range out.Files {
		m[f.Path] = f.Data
	}
	return m
}

func build(t *testing.T, r *render.Renderer, files fs.FS) (*render.Site, []render.Problem, error) {
	t.Helper()
	c, problems := study.LoadCollection(files)
	require.Empty(t, problems)
	var reports []*analyze.Report
	for _, f := range c.Folders {
		report := analyze.Study(f)
		for _, found := range r.Findings(f, report) {
			require.NotEqual(t, render.SeverityError, found.Severity, "%v", found)
		}
		reports = append(reports, report)
	}
	return r.Site(c, reports)
}

func TestSmallStudyIsPublishedAsTheGoldenPages(t *testing.T) {
	t.Parallel()
	out := site(t, renderer(t), small().FS())
	for _, lang := range []string{"zh", "en"} {
		golden(t, "small."+lang+".md", out[lang+"/small/guide.md"])
	}
	golden(t, "small.reproduce.sh", out["en/small/reproduce.sh"])
}

// golden compares bytes with those of a file that somebody has read.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, got, 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err, "run the test with -update, then read what it wrote")
	require.Empty(t, cmp.Diff(string(want), string(got)))
}

// Nothing of the machine gets into the site: not its cores, its time zone, its
// language, nor the folder in which it was built.
func TestBuildsAreTheSameEverywhere(t *testing.T) {
	for _, name := range []string{"TZ", "LANG", "LC_ALL", "HOME"} {
		t.Setenv(name, map[string]string{"TZ": "Asia/Shanghai", "LANG": "zh_CN.UTF-8", "LC_ALL": "zh_CN.UTF-8", "HOME": t.TempDir()}[name])
	}
	first := site(t, renderer(t), onDisk(t, small().FS()))
	t.Setenv("TZ", "America/New_York")
	t.Setenv("LANG", "C")
	t.Setenv("LC_ALL", "C")
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	second := site(t, renderer(t), onDisk(t, small().FS()))
	require.Equal(t, len(first), len(second))
	for name, data := range first {
		require.True(t, bytes.Equal(data, second[name]), name)
	}
}

// onDisk writes a content folder to a folder of its own.
func onDisk(t *testing.T, files fstest.MapFS) fs.FS {
	t.Helper()
	dir := t.TempDir()
	for name, f := range files {
		target := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(target), 0o755))
		require.NoError(t, os.WriteFile(target, f.Data, 0o644))
	}
	return os.DirFS(dir)
}

// facts reads the values of all facts from the study's published report.
func facts(t *testing.T, out map[string][]byte) map[string]float64 {
	t.Helper()
	var report struct {
		Facts []struct {
			ID    string  `json:"id"`
			Value float64 `json:"value"`
		} `json:"facts"`
	}
	require.NoError(t, json.Unmarshal(out["studies/small/report.json"], &report))
	m := map[string]float64{}
	for _, f := range report.Facts {
		m[f.ID] = f.Value
	}
	return m
}

func TestOneChangedDigitChangesWhatDependsOnIt(t *testing.T) {
	t.Parallel()
	r := renderer(t)
	before := site(t, r, small().FS())
	raw := studytest.Result("one/c3", "main")
	text := string(small().FS()[raw].Data)
	require.Contains(t, text, "1100.00")
	after := site(t, r, studytest.With(small().FS(), map[string]string{raw: strings.Replace(text, "1100.00", "1101.00", 1)}))
	was, is := facts(t, before), facts(t, after)
	var changed []string
	for id, v := range is {
		if v != was[id] {
			changed = append(changed, id)
		}
	}
	slices.Sort(changed)
	require.Empty(t, cmp.Diff([]string{
		"one/c3/main:total_throughput",
		"one/c3:gain.total_throughput",
		"one/c3:vs_adopted.total_throughput",
		"one/c3:vs_leader.total_throughput",
	}, changed))
	require.Equal(t, len(was), len(is))

	var files []string
	for name, data := range after {
		if !bytes.Equal(data, before[name]) {
			files = append(files, name)
		}
	}
	slices.Sort(files)
	require.Empty(t, cmp.Diff([]string{
		"en/small/data.html", "en/small/guide.md", "en/small/index.html", "en/small/stage-one.svg",
		"studies/small/raw/runs/published/one/c3/start-1/main.txt", "studies/small/raw/runs/published/one/c3/start-1/main.txt.html",
		"studies/small/report.json",
		"zh/small/data.html", "zh/small/guide.md", "zh/small/index.html", "zh/small/stage-one.svg",
	}, files))
}

// A number that somebody typed is found wherever it gets in, and the message says what
// it is and where.
func TestUnboundNumbersStopTheBuild(t *testing.T) {
	t.Parallel()
	edit := func(fsys fs.FS, file, old, new string) fs.FS {
		return overlay{fsys, map[string][]byte{file: []byte(strings.Replace(read(t, fsys, file), old, new, 1))}}
	}
	for _, c := range []struct {
		name      string
		templates fs.FS
		messages  fs.FS
		want      string // file, and the number that is reported
	}{
		{"template of the guide", edit(templates.Files, "guide.md.tmpl", "{{.Lead}}", "{{.Lead}} 31 cards."), i18n.Files, `small/(index.html|guide.md):\d+: .*"31"`},
		{"template of the frame", edit(templates.Files, "page.html.tmpl", "<footer>", "<footer><p>42 sites</p>"), i18n.Files, `\.html:\d+: .*"42"`},
		{"attribute of a template", edit(templates.Files, "page.html.tmpl", `<main id="main">`, `<main id="main" title="43 things">`), i18n.Files, `\.html:\d+: .*"43"`},
		{"Chinese message", templates.Files, edit(i18n.Files, "active.zh.json", `"stages.intro": "`, `"stages.intro": "快 44%。`), `zh/small/(index.html|guide.md):\d+: .*"44%"`},
		{"Chinese number word", templates.Files, edit(i18n.Files, "active.zh.json", `"stages.intro": "`, `"stages.intro": "快了两倍。`), `zh/small/(index.html|guide.md):\d+: .*"两倍"`},
		{"English number word", templates.Files, edit(i18n.Files, "active.en.json", `"stages.intro": "`, `"stages.intro": "It is twice as fast. `), `en/small/(index.html|guide.md):\d+: .*"twice"`},
		{"full-width digits", templates.Files, edit(i18n.Files, "active.zh.json", `"notes.heading": "`, `"notes.heading": "４５ 件事`), `zh/small/(index.html|guide.md):\d+: .*"４５"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r, err := render.New(c.templates, c.messages)
			require.NoError(t, err)
			_, problems, err := build(t, r, small().FS())
			require.NoError(t, err)
			var all []string
			for _, p := range problems {
				require.Positive(t, p.Line)
				all = append(all, p.File+":"+strconv.Itoa(p.Line)+": "+p.Message)
			}
			require.Regexp(t, regexp.MustCompile(c.want), strings.Join(all, "\n"))
		})
	}
}

// A number in one language only is a page that says other than its translation.
func TestFactInOneLanguageOnlyStopsTheBuild(t *testing.T) {
	t.Parallel()
	files := replace(t, "en: \"It took **{{one/c3/main:duration}}**\"", `en: "It took long"`)
	_, problems, err := build(t, renderer(t), files)
	require.NoError(t, err)
	require.NotEmpty(t, problems)
	for _, p := range problems {
		require.Equal(t, "fact-missing", p.Code)
		require.Contains(t, p.Message, "one/c3/main:duration")
		require.Contains(t, p.File, "small/index.html")
		require.Positive(t, p.Line)
	}
}

func TestMissingMessageStopsTheBuild(t *testing.T) {
	t.Parallel()
	text := read(t, i18n.Files, "active.zh.json")
	i := strings.Index(text, `  "stages.intro"`)
	end := i + strings.Index(text[i:], "\n") + 1
	r, err := render.New(templates.Files, overlay{i18n.Files, map[string][]byte{"active.zh.json": []byte(text[:i] + text[end:])}})
	require.NoError(t, err)
	_, _, err = build(t, r, small().FS())
	require.ErrorContains(t, err, `active.zh.json has no message "stages.intro"; add it in both languages`)
}

func TestGlyphThatNoFontHasStopsTheBuild(t *testing.T) {
	t.Parallel()
	files := replace(t, "name: {zh: c1, en: c1}", "name: {zh: 𠮷, en: c1}")
	_, _, err := build(t, renderer(t), files)
	require.ErrorContains(t, err, "𠮷")
	require.ErrorContains(t, err, "small")
}

// replace is the small study with another text in its study.yaml.
func replace(t *testing.T, old, new string) fstest.MapFS {
	t.Helper()
	files := small().FS()
	text := string(files[studyFile].Data)
	require.Contains(t, text, old)
	return studytest.With(files, map[string]string{studyFile: strings.Replace(text, old, new, 1)})
}

func read(t *testing.T, fsys fs.FS, file string) string {
	t.Helper()
	data, err := fs.ReadFile(fsys, file)
	require.NoError(t, err)
	return string(data)
}

// overlay is a file system in which some files have other bytes.
type overlay struct {
	fs.FS
	files map[string][]byte
}

func (o overlay) Open(name string) (fs.File, error) {
	if data, ok := o.files[name]; ok {
		return fstest.MapFS{name: {Data: data}}.Open(name)
	}
	return o.FS.Open(name)
}

func (o overlay) ReadFile(name string) ([]byte, error) {
	if data, ok := o.files[name]; ok {
		return data, nil
	}
	return fs.ReadFile(o.FS, name)
}

// What is odd about a raw output stands on the page, and does not keep it from being made.
func TestDoubtsStandOnThePage(t *testing.T) {
	t.Parallel()
	raw := studytest.Result("one/c3", "main")
	_, block, _ := strings.Cut(string(small().FS()[raw].Data), "\n")
	out := site(t, renderer(t), studytest.With(small().FS(), map[string]string{raw: block}))
	require.Contains(t, string(out["zh/small/guide.md"]), "数据块没有标题行")
	require.Contains(t, string(out["en/small/guide.md"]), "begins without its header line")
}

func TestNoteOfTheBaselineStandsInTheFirstStage(t *testing.T) {
	t.Parallel()
	out := site(t, renderer(t), replace(t, "  engine: vllm\n", "  engine: vllm\n  note: {zh: 起点如此, en: This is where it starts}\n"))
	require.Contains(t, string(out["zh/small/guide.md"]), "起点如此")
	require.Equal(t, 1, strings.Count(string(out["en/small/guide.md"]), "This is where it starts"))
}
