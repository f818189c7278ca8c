package attempt

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"benchguide/engine"
	"benchguide/parse/secret"
	"benchguide/run/disk"
	"benchguide/run/machine"
	"benchguide/study"
)

// provisional is what attempt.json says before anything has happened, so that a folder
// that is found half finished tells whose it is.
func provisional(o Order, began time.Time) study.Attempt {
	a := study.Attempt{
		Schema: study.RunSchema, Engine: o.Engine, Version: o.Version, Command: o.Command, Env: o.Env,
		Block: o.Block, Sitting: o.Sitting, Phase: o.Phase, Nonce: o.Nonce, Rehearsed: o.Rehearse != nil,
		Prompts: map[string]string{}, Times: &study.Times{Began: began.UTC().Format(time.RFC3339)},
	}
	// Starts are compared only where they were sent the same.
	for _, w := range o.Workloads {
		if w.Digest != "" {
			a.Prompts[w.Workload.ID] = w.Digest
		}
	}
	return a
}

// set puts a value under a workload into one of the record's maps, which are absent
// while nothing is in them.
func set[V any](m *map[string]V, key string, value V) {
	if *m == nil {
		*m = map[string]V{}
	}
	(*m)[key] = value
}

// ranAs is a command as it was run, for people: what was set in its environment first,
// and in place of this machine's paths what lies there. Those of its paths that remain
// are replaced when the record is written.
func (j *job) ranAs(words []string, env map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(env)) {
		value := engine.Quote([]string{env[name]})
		if machine.Secret(name) {
			value = secret.Key.Placeholder()
		}
		parts = append(parts, name+"="+value)
	}
	known := j.places()
	var plain []string
	for i, word := range words {
		word = known.Replace(word)
		if i == 0 {
			word = filepath.Base(word)
		}
		plain = append(plain, word)
	}
	return strings.Join(append(parts, engine.Quote(plain)), " ")
}

// places puts names to paths that a command holds: the attempt's own folder is the one
// that results go to, a model has its id, and prompts lie in the run's folder of prompts.
func (j *job) places() *strings.Replacer {
	pairs := []string{j.folder, "."}
	for _, w := range append([]Work{j.order.Warmup}, j.order.Workloads...) {
		if w.Prompts != "" {
			pairs = append(pairs, w.Prompts, "prompts/"+filepath.Base(w.Prompts))
		}
	}
	models := j.order.Machine.Models
	// The longest path first: one may be the beginning of another, as that of a model is of its
	// quantized form's.
	ids := slices.SortedFunc(maps.Keys(models), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(models[b]), len(models[a])), cmp.Compare(a, b))
	})
	for _, id := range ids {
		pairs = append(pairs, models[id], id)
	}
	return strings.NewReplacer(pairs...)
}

// save writes attempt.json with its secrets replaced, and counts them. The command that
// the study derives stays as it is: it is published in study.yaml as well, and a page
// compares the two.
func (j *job) save(secrets map[string]int) error {
	a := j.record
	a.Ran = cleanText(a.Ran, secrets)
	a.Clients = cleanMap(a.Clients, secrets)
	a.Server = cleanMap(a.Server, secrets)
	a.Environment = cleanMap(a.Environment, secrets)
	a.Invalid = cleanText(a.Invalid, secrets)
	if a.Failure != nil {
		a.Failure = &study.Failure{Class: a.Failure.Class, Reason: cleanText(a.Failure.Reason, secrets)}
	}
	if len(secrets) > 0 {
		a.Secrets = secrets
	}
	return disk.WriteJSON(filepath.Join(j.folder, AttemptFile), a)
}
