package render_test

import (
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/study/studytest"
)

// TestRunOfOurOwnIsPublishedAsTheGoldenPages compares the whole pages: what a run recorded
// of itself stands on them.
func TestRunOfOurOwnIsPublishedAsTheGoldenPages(t *testing.T) {
	t.Parallel()
	out := site(t, renderer(t), studytest.Made().FS())
	for _, lang := range []string{"zh", "en"} {
		golden(t, "made."+lang+".md", out[lang+"/small/guide.md"])
	}
	golden(t, "made.reproduce.sh", out["en/small/reproduce.sh"])
	require.Equal(t, out["en/small/reproduce.sh"], out["zh/small/reproduce.sh"], "one script, beside either page")
}

// TestWhatARunLeavesIsPublished: prompts and side files as their own bytes, and nothing
// that is no part of a finished start.
func TestWhatARunLeavesIsPublished(t *testing.T) {
	t.Parallel()
	b := studytest.Made()
	files, _ := pages(t, renderer(t), b)
	raw := "studies/small/raw/runs/published/"
	for _, name := range []string{"prompts/main.jsonl", "prompts/prompts.json", "one/base/start-1/gpu.csv", "one/base/start-1/server.log",
		"one/base/start-1/main.log", "one/base/start-1/server_info.json", "one/base/start-1/result.json", "one/base/start-1/sweep/main-2.txt",
		"one/base/start-1/sweep/main-8.txt", "one/base/start-1/sweep/note.log"} {
		want := string(b.FS()[studytest.Dir+"/runs/published/"+name].Data)
		require.Equal(t, want, files[raw+name], name)
	}
	require.Contains(t, files, raw+"one/base/start-1/sweep/main-2.txt.html", "its numbers are on the page")
	for name := range files {
		for _, never := range []string{"failed-", ".work", ".lock", "journal", "plan.json"} {
			require.NotContains(t, name, never)
		}
	}
}

// TestLargeSideFilesStayUnpublished: a log that no number comes from is published up to a
// bound, and the page does not lead to what is not there.
func TestLargeSideFilesStayUnpublished(t *testing.T) {
	t.Parallel()
	b := studytest.Made()
	b.Starts[0].Files = map[string]string{"server.log": strings.Repeat("0123456789abcde\n", 1<<20+1)}
	files, _ := pages(t, renderer(t), b)
	log := path.Join("runs/published", b.Starts[0].Ref, "start-1/server.log")
	require.NotContains(t, files, "studies/small/raw/"+log)
	require.NotContains(t, files["en/small/index.html"], log)
	require.Contains(t, files["en/small/index.html"], "start-2/server.log")
}

// TestWhatWasNotRecordedIsLeftOut: a run whose starts recorded next to nothing has no
// dashes in their place.
func TestWhatWasNotRecordedIsLeftOut(t *testing.T) {
	t.Parallel()
	b := studytest.Winner()
	b.Own = true
	b.Each(`"nonce": "n"`, studytest.All)
	files, report := pages(t, renderer(t), b)
	require.NotNil(t, report.Made)
	_, section, found := strings.Cut(files["en/small/guide.md"], "## How it was run")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "## How to reproduce it")
	require.Contains(t, section, "| Server starts in use | 15 |")
	for _, never := range []string{"—", "Ready", "Driver", "Sittings", "Time", "Digest", "power", "Caches"} {
		require.NotContains(t, section, never)
	}
}

func TestImportedGuidesSayNothingOfARun(t *testing.T) {
	t.Parallel()
	out := site(t, renderer(t), small().FS())
	require.NotContains(t, string(out["en/small/guide.md"]), "{#run}")
	require.NotContains(t, string(out["studies/small/report.json"]), `"made"`)
	files, report := pages(t, renderer(t), studytest.Winner())
	require.Nil(t, report.Made, "nor do results that somebody put there by hand")
	require.NotContains(t, files["en/small/guide.md"], "{#run}")
}
