package client

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"benchguide/engine"
	"benchguide/run/machine"
)

// kind is what clients have in common.
type kind struct {
	id       string
	programs [][]string // the words that start it; the first where nothing else is said
}

// ID is the key of machine.yaml.
func (k kind) ID() string { return k.id }

// known is a client that tells its own commands.
type known interface {
	Client
	cut(words []string) (program, rest []string, ok bool)
}

// all are the clients that are known.
func all() []known { return []known{newVLLM(), newSGLang(), newGuideLLM(), newOwn()} }

// Of returns the client that a workload's command starts. Folders before a program's
// name do not count: where programs are is for machine.yaml to say.
func Of(command string) (Client, error) {
	words, err := engine.Words(command)
	if err != nil {
		return nil, fmt.Errorf("the client's command: %w", err)
	}
	for _, c := range all() {
		if _, _, ok := c.cut(words); ok {
			return c, nil
		}
	}
	return nil, fmt.Errorf("%q starts no benchmark client that is known; use vllm bench serve, python3 -m sglang.bench_serving, guidellm benchmark or benchguide bench",
		strings.Join(words[:min(3, len(words))], " "))
}

// cut takes the program off a command.
func (k kind) cut(words []string) (program, rest []string, ok bool) {
	if len(words) == 0 {
		return nil, nil, false
	}
	base := slices.Clone(words)
	base[0] = filepath.Base(base[0])
	for _, p := range k.programs {
		if len(words) >= len(p) && slices.Equal(base[:len(p)], p) {
			return words[:len(p)], words[len(p):], true
		}
	}
	return nil, nil, false
}

// command returns the program to start and the options of a workload's command. The
// machine's own program goes before the one that was printed.
func (k kind) command(t Trial, m machine.Profile) ([]string, options, error) {
	words, err := engine.Words(t.Workload.Command)
	if err != nil {
		return nil, nil, fmt.Errorf("workload %s: the client's command: %w", t.Workload.ID, err)
	}
	program, rest, ok := k.cut(words)
	if !ok {
		return nil, nil, fmt.Errorf("workload %s: its command does not start %s", t.Workload.ID, strings.Join(k.programs[0], " "))
	}
	opts, err := parseOptions(rest)
	if err != nil {
		return nil, nil, fmt.Errorf("workload %s: the client's command: %w", t.Workload.ID, err)
	}
	if own := m.Clients[k.id].Program; len(own) > 0 {
		program = own
	}
	return slices.Clone(program), opts, nil
}

// program returns the words that start the client on a machine.
func (k kind) program(m machine.Profile) []string {
	if own := m.Clients[k.id].Program; len(own) > 0 {
		return own
	}
	return k.programs[0]
}

// env is what the client is started with: the machine's, then the client's own.
func (k kind) env(m machine.Profile) map[string]string {
	all := maps.Clone(m.Env)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, m.Clients[k.id].Env)
	return all
}

// launch is the command of a trial with everything around it.
func (k kind) launch(t Trial, m machine.Profile, program []string, opts options, result string) Launch {
	return Launch{Words: append(program, opts.words()...), Env: k.env(m), Result: result, Deadline: deadline(t)}
}
