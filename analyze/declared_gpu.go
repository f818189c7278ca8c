package analyze

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"benchguide/gpuname"
	"benchguide/study"
)

// declaredHardware holds the study's GPUs against those that the attempts recorded, each
// contradiction once. A rehearsal has none, whatever machine it was made on.
func (a *analysis) declaredHardware() {
	h := a.study.Hardware
	if h.CPU() {
		return
	}
	said := map[string]bool{}
	for _, s := range a.usable() {
		if s.Attempt.Rehearsed {
			continue
		}
		names, count, counted := recordedGPUs(s.Attempt.Environment)
		for _, name := range names {
			if !said[name] && !mayBe(h.GPU, name, s.Attempt.Imported) {
				said[name] = true
				a.hardwareDiffers(DeclaredGPU, "gpu", s, "gpu", nil, map[string]string{"Declared": h.GPU, "Data": name})
			}
		}
		if key := strconv.Itoa(count); counted != "" && count != h.Count && !said[key] {
			said[key] = true
			data := a.facts.add(Fact{ID: "run:gpus.recorded." + key, Kind: Count, Value: float64(count), Derived: true, Formula: "GPUs that attempt.json names",
				Source: recordedAt(s, counted)})
			a.hardwareDiffers(DeclaredGPUs, "count", s, counted, map[string]string{"Declared": "hardware:gpus", "Data": data}, nil)
		}
	}
}

// mayBe reports whether the declared GPU can be the recorded one. A run writes down what the
// driver calls it. In what somebody else wrote down, each name may say less than the other;
// and a name that tells no chip contradicts none.
func mayBe(declared, recorded string, imported bool) bool {
	if strings.EqualFold(declared, recorded) || !gpuname.HasChip(declared) || !gpuname.HasChip(recorded) {
		return true
	}
	return gpuname.Means(declared, recorded, gpuname.Unknown) || imported && gpuname.Means(recorded, declared, gpuname.Unknown)
}

// times is how people write several GPUs of one name: 4x NVIDIA H200, NVIDIA H200 × 4.
var times = regexp.MustCompile(`^(?:(\d+) ?[x×*] *)?(.*?)(?: *[x×*] ?(\d+))?$`)

// recordedGPUs are the names of an attempt's GPUs, how many there were, and by which key of
// the environment; no key where nobody wrote that down. A run names one GPU alone or several
// of one name once, so that only their identities are as many as they are.
func recordedGPUs(environment map[string]string) (names []string, count int, key string) {
	listed := list(environment["gpu"])
	for _, text := range listed {
		m := times.FindStringSubmatch(text)
		names = addOnce(names, m[2])
		if n, err := strconv.Atoi(m[1] + m[3]); err == nil {
			count, key = count+n, "gpu"
		}
	}
	if ids := list(environment[gpuUUID]); len(ids) > 0 {
		return names, len(ids), gpuUUID
	}
	if n, err := strconv.Atoi(environment["gpus"]); err == nil {
		return names, n, "gpus"
	}
	if len(listed) > 1 && key == "" {
		return names, len(listed), "gpu"
	}
	return names, count, key
}

func list(text string) []string {
	var parts []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

func recordedAt(s study.Start, key string) *Source {
	return &Source{File: s.Dir + "/attempt.json", Line: keyLine(s.AttemptSource, "environment", key)}
}

func (a *analysis) hardwareDiffers(what, declared string, s study.Start, recorded string, facts, names map[string]string) {
	line, column := a.folder.At("hardware", declared)
	at := recordedAt(s, recorded)
	all := map[string]string{"What": what, "Place": fmt.Sprintf("%s:%d", at.File, at.Line)}
	for name, text := range names {
		all[name] = text
	}
	a.find(Finding{Code: CodeDeclaredDiffers, Severity: SeverityError, Subject: "hardware", File: "study.yaml", Line: line, Column: column, Facts: facts, Names: all})
}
