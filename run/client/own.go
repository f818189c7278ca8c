package client

import (
	"path/filepath"

	"benchguide/engine"
	"benchguide/run/machine"
)

// own is `benchguide bench`.
type own struct{ kind }

// Own returns the client of this program, which every rehearsal uses, whatever client
// its workloads name.
func Own() Client { return newOwn() }

// newOwn is Own with its type, for those who ask for its commands.
func newOwn() own { return own{kind{"benchguide", [][]string{{"benchguide", "bench"}}}} }

// Launch puts the command together. The command of another client lends what both
// mean by the same words; of a client with a language of its own only the load is used,
// which the workload states beside it.
func (c own) Launch(t Trial, m machine.Profile) (Launch, error) {
	program, o, err := c.borrow(t, m)
	if err != nil {
		return Launch{}, err
	}
	newVLLM().own(&o, t)
	// Nothing is learned from the texts: what was asked and how long the answers are is
	// known, and they would be most of what a study keeps of a start.
	o.set("--no-save-texts")
	o.set("--model", t.Model)
	o.set("--served-model-name", t.Served)
	o.toggle("--rehearsal", t.TimeScale > 0)
	return c.launch(t, m, program, o.repeat(), filepath.Join(t.Folder, t.Result+".json")), nil
}

// borrow returns the program and the options to begin with. Options that only another
// client has would end this one over its command line, so they are left behind.
func (c own) borrow(t Trial, m machine.Profile) ([]string, options, error) {
	words, err := engine.Words(t.Workload.Command)
	if err == nil {
		if _, _, mine := c.cut(words); mine {
			return c.command(t, m)
		}
	}
	_, o, err := newVLLM().command(t, m)
	if err != nil {
		if _, known := Of(t.Workload.Command); known != nil {
			return nil, nil, known
		}
		return c.program(m), options{{"--backend", []string{"openai-chat"}}}, nil
	}
	o.keep("--backend", "--endpoint", "--request-rate", "--burstiness", "--max-concurrency", "--metric-percentiles", "--goodput", "--header", "--extra-body", "--seed")
	return c.program(m), o, nil
}

// VersionWords is a command that prints the client's version.
func (c own) VersionWords(m machine.Profile) []string {
	return append(without(c.program(m), "bench"), "--version")
}
