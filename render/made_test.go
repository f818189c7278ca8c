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

// TestMeansOverUnlikeGPUsAreTakenApart: where the values stand, in the summary and in how it
// was run, and nowhere if the GPUs are alike.
func TestMeansOverUnlikeGPUsAreTakenApart(t *testing.T) {
	t.Parallel()
	r := renderer(t)
	for last, unlike := range map[string]bool{"430": true, "503": false} {
		b := studytest.Made()
		for i, watts := range []string{"500", "505", last} {
			gpu := map[bool]string{true: "GPU-0a1b2c3d-1111-2222-3333-444455556666", false: "GPU-7e8f9a0b-1111-2222-3333-444455556666"}[i < 2]
			b.Each(`"power_watts": {"main": `+watts+`}, "environment": {"gpu_uuid": "`+gpu+`"}`, func(s studytest.Start) bool { return s.Number == i+1 })
		}
		files, _ := pages(t, r, b)
		for lang, words := range map[string][]string{
			"en": {"| GPU-0a1b2c3d… alone | GPU-7e8f9a0b… alone |", "that do not draw the same power", "| GPU-7e8f9a0b… | 1 | 430 W |"},
			"zh": {"| 仅 GPU-0a1b2c3d… | 仅 GPU-7e8f9a0b… |", "功耗并不一致", "| GPU-7e8f9a0b… | 1 | 430 W |"},
		} {
			for _, text := range words {
				require.Equal(t, unlike, strings.Contains(files[lang+"/small/guide.md"], text), "%s: %q", lang, text)
			}
		}
	}
}

// TestOtherCandidatesSayWhichArgumentsDiffer: what stands for the incumbent as well is not
// said again, what one of the two did not record is no difference, and names with digits are
// no obstacle.
func TestOtherCandidatesSayWhichArgumentsDiffer(t *testing.T) {
	t.Parallel()
	b := studytest.Made()
	b.Each(`"server": {"dtype": "bfloat16", "max_num_seqs": "8", "17": "18"}`, studytest.Of("one/flat"))
	files, _ := pages(t, renderer(t), b)
	for _, lang := range []string{"zh", "en"} {
		require.Contains(t, files[lang+"/small/guide.md"], "| flat | `max_num_seqs=8` | `argument 17` `ready` |", lang)
	}
}

// TestArgumentsAreHeldAgainstTheIncumbentBesideThem: in a later stage, that is not the baseline,
// and not the incumbent's own starts of an earlier day either, which recorded less.
func TestArgumentsAreHeldAgainstTheIncumbentBesideThem(t *testing.T) {
	t.Parallel()
	b := studytest.TwoStages()
	b.Own = true
	b.Each(`"nonce": "n", "server": {"dtype": "bfloat16"}`, func(s studytest.Start) bool { return strings.HasPrefix(s.Ref, "one/") })
	later := func(s studytest.Start) bool { return strings.HasPrefix(s.Ref, "next/") }
	b.Each(`"nonce": "n", "server": {"dtype": "bfloat16", "attention_backend": "FLASH_ATTN"}`, later)
	files, _ := pages(t, renderer(t), b)
	for lang, want := range map[string][]string{
		"en": {"The candidates of “Stage next”, as far as they differ from its incumbent, fast:", "| less | the same |",
			"| `attention_backend=FLASH_ATTN` |", "| not recorded |"},
		"zh": {"与该阶段的当前最优配置「fast」不同的参数：", "| less | 相同 |", "| 未记录 |"},
	} {
		_, force, found := strings.Cut(files[lang+"/small/guide.md"], map[string]string{"en": `"Arguments in force"`, "zh": `"实际生效的服务参数"`}[lang])
		require.True(t, found)
		force, _, _ = strings.Cut(force, "\n??? ")
		for _, words := range want {
			require.Contains(t, force, words)
		}
	}
}
