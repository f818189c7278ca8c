package study

import (
	"slices"
	"strings"

	"benchguide/engine"
)

// Options are those of a client's command. Unlike serving commands they are not known by
// engine: clients of several makers are read alike, as far as they call a thing by one name.
type Options []engine.Flag

// Options takes the client's command apart; nothing where it is no command line of options,
// such as a loop of the shell.
func (w Workload) Options() Options {
	words, err := engine.Words(w.Command)
	if err != nil {
		return nil
	}
	first := slices.IndexFunc(words, func(word string) bool { return strings.HasPrefix(word, "--") })
	if first < 0 {
		return nil
	}
	flags, err := engine.ParseFlags(words[first:])
	if err != nil {
		return nil
	}
	for i := range flags {
		flags[i].Name = strings.ReplaceAll(flags[i].Name, "_", "-") // Python's clients take either
	}
	return flags
}

// Stated returns an option in any of its spellings, and false where it is not stated. Of an
// option that is stated several times the last one counts, as it does for the clients.
func (o Options) Stated(names ...string) (engine.Flag, bool) {
	for _, f := range slices.Backward(o) {
		if slices.Contains(names, f.Name) {
			return f, true
		}
	}
	return engine.Flag{}, false
}
