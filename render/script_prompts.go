package render

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strconv"

	"benchguide/study"
)

// promptsHint is what to do about a prompt file that is missing.
const promptsHint = "it is published beside the guide; set PROMPTS to the folder that it is in"

// scriptWarm is a warm-up with the prompts that the run sent.
type scriptWarm struct {
	File, Hint  string // as words of the shell
	Together    int    // how many are sent at a time
	Temperature string
	IgnoreEOS   bool
	count       int
}

// promptFile is the file of a list of prompts, if it is published with the guide.
func (b scriptBuilder) promptFile(list string) (study.Side, bool) {
	for _, p := range b.promptFiles() {
		if path.Base(p.File) == path.Base(study.PromptFile(list)) {
			return p, true
		}
	}
	return study.Side{}, false
}

// promptFiles are all files of prompts that are published.
func (b scriptBuilder) promptFiles() []study.Side {
	run, _ := b.folder.Current()
	return slices.DeleteFunc(slices.Clone(run.Prompts), func(p study.Side) bool { return len(p.Bytes) > maxPublished })
}

// warmLines is a file of prompts as a run writes it, which is all that the shell can read.
var warmLines = regexp.MustCompile(`\A(\{"prompt":".*","output_tokens":[0-9]+\}\n)+\z`)

// warm is the warm-up that the run did; nil where its prompts are not published. They are
// sent as a run sends them, as many at a time as the workload that decides has under way,
// and not ended early: who warms up a server by hand does not look for when it is warm.
func (b scriptBuilder) warm() *scriptWarm {
	file, ok := b.promptFile(study.WarmupPrompts)
	if !ok || !warmLines.Match(file.Bytes) {
		return nil
	}
	w := &scriptWarm{File: `"$PROMPTS"/` + quoted(path.Base(file.File)), Hint: quoted(promptsHint), Temperature: "0", IgnoreEOS: true,
		count: bytes.Count(file.Bytes, []byte("\n"))}
	w.Together = max(w.count/2, 1)
	if decides, _ := b.folder.Study.Workload(b.report.Objective.Workload); decides.Concurrency > 0 {
		w.Together = min(w.Together, decides.Concurrency)
	}
	if plan := b.folder.Study.Run; plan != nil {
		w.IgnoreEOS = !plan.StopAtEOS
		if plan.Temperature != nil {
			w.Temperature = strconv.FormatFloat(*plan.Temperature, 'f', -1, 64)
		}
	}
	return w
}

// warmup is how many requests are sent before the measurement: those of the run, or twice
// the most that are under way at once, as a run does it, unless the study says otherwise.
func (b scriptBuilder) warmup(w study.Workload, warm *scriptWarm) int {
	const least, most = 8, 64 // many at once are queued, and warm nothing more
	if warm != nil {
		return warm.count
	}
	if run := b.folder.Study.Run; run != nil && run.Warmup > 0 {
		return run.Warmup
	}
	return min(max(2*w.Concurrency, least), most)
}
