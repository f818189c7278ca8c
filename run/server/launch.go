package server

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"benchguide/engine"
	"benchguide/run/machine"
	"benchguide/study"
)

// launcher puts a serving command together. A driver says what it adds, launch says how
// it is started here. The first thing that goes wrong is kept until then.
type launcher struct {
	config  study.Configuration
	machine machine.Profile
	how     machine.Launch
	at      Place

	command engine.Command    // the configuration's own, a copy
	env     map[string]string // defaults, which every other environment goes before
	local   []string          // paths of models that are on this machine
	err     error
}

// newLauncher begins with the configuration's own command.
func newLauncher(c study.Configuration, m machine.Profile, at Place) *launcher {
	l := &launcher{
		config: c, machine: m, how: m.EngineLaunch(c.Engine.ID, c.Version), at: at,
		command: engine.Command{Program: slices.Clone(c.Command.Program), Model: c.Command.Model, Flags: slices.Clone(c.Command.Flags)},
		env:     map[string]string{"DO_NOT_TRACK": "1"},
	}
	switch {
	case at.Name == "" || at.Host == "":
		l.err = errors.New("a server needs a name to serve under and a host to listen on")
	case at.Port < 1 || at.Port+machine.PortStep > 65536:
		l.err = fmt.Errorf("port %d is none that a server can use with the %d behind it", at.Port, machine.PortStep-1)
	}
	l.models()
	return l
}

// models replaces the ids of models by where they are on this machine: the model that is
// served, and those that options name, by themselves or within JSON.
func (l *launcher) models() {
	if l.command.Model != "" && l.at.Model != "" {
		l.command.Model = l.at.Model
		l.use(l.at.Model)
	}
	for i, f := range l.command.Flags {
		for _, id := range slices.Sorted(maps.Keys(l.machine.Models)) {
			path := l.machine.Models[id]
			switch quoted := strconv.Quote(id); {
			case !f.HasValue || id == "":
			case f.Value == id:
				f.Value = path
				l.use(path)
			case strings.Contains(f.Value, quoted):
				f.Value = strings.ReplaceAll(f.Value, quoted, strconv.Quote(path))
				l.use(path)
			}
		}
		l.command.Flags[i] = f
	}
}

// use notes a model that the engine will read from this machine.
func (l *launcher) use(path string) {
	if filepath.IsAbs(path) && !slices.Contains(l.local, path) {
		l.local = append(l.local, path)
	}
}

// option adds what only this start has. A configuration that has it already says two
// things, and neither may win in silence.
func (l *launcher) option(name, value string) {
	l.refuse(name)
	l.command.Flags = append(l.command.Flags, engine.Flag{Name: name, Value: value, HasValue: true})
}

// toggle adds a switch, or leaves the one that is there: stating it twice says no more.
func (l *launcher) toggle(name string) {
	if l.config.Engine.Find(l.command, name) < 0 {
		l.command.Flags = append(l.command.Flags, engine.Flag{Name: name})
	}
}

// refuse reports an option of the configuration that is the run's to set.
func (l *launcher) refuse(name string) {
	if i := l.config.Engine.Find(l.config.Command, name); i >= 0 && l.err == nil {
		l.err = fmt.Errorf("the configuration sets %s, which a run chooses for each start; take it out of study.yaml", l.config.Command.Flags[i])
	}
}

// offline tells Python's engines to ask no hub where the model is here: look-ups have made
// starts time out. Without a local model the engine must find it, and is left alone. The
// folders of caches are left as they are in every case, since what is in them decides how
// long a start takes.
func (l *launcher) offline() {
	l.env["PYTHONUNBUFFERED"] = "1" // or the log ends before the reason of a death
	if filepath.IsAbs(l.command.Model) {
		l.env["HF_HUB_OFFLINE"] = "1"
		l.env["TRANSFORMERS_OFFLINE"] = "1"
	}
}

// launch returns the command as this machine starts it.
func (l *launcher) launch() (Launch, error) {
	if _, set := l.config.Env[machine.VisibleGPUs]; set && l.err == nil {
		l.err = fmt.Errorf("the configuration sets %s, which a run chooses for each start; take it out of study.yaml", machine.VisibleGPUs)
	}
	if l.err != nil {
		return Launch{}, fmt.Errorf("%s: %w", l.config.Engine.Name, l.err)
	}
	if len(l.how.Program) > 0 {
		l.command.Program = l.how.Program
	}
	// The nearer to the study, the stronger: what a candidate sets is what is measured.
	env := map[string]string{}
	for _, from := range []map[string]string{l.env, l.machine.Env, l.how.Env, l.config.Env} {
		maps.Copy(env, from)
	}
	if l.how.Image != "" {
		return l.container(env)
	}
	if len(l.at.GPUs) > 0 {
		env[machine.VisibleGPUs] = l.gpus()
		// CUDA numbers GPUs by their speed otherwise, and nvidia-smi, by which they were looked
		// at, by the bus.
		env[gpuOrder] = "PCI_BUS_ID"
	}
	if l.how.Template != "" {
		words, err := l.template()
		if err != nil {
			return Launch{}, fmt.Errorf("%s: %w", l.config.Engine.Name, err)
		}
		return Launch{Words: words, Env: env}, nil
	}
	return Launch{Words: l.config.Engine.Words(l.command), Env: env}, nil
}

// gpuOrder is the variable that says how CUDA numbers the GPUs.
const gpuOrder = "CUDA_DEVICE_ORDER"

// template fills the machine's own command in. Its {options} hold name, host and port, so
// that a template need not name them.
func (l *launcher) template() ([]string, error) {
	options := l.config.Engine.Words(engine.Command{Flags: l.command.Flags})
	return machine.ExpandTemplate(l.how.Template, l.command.Program, options, map[string]string{
		"model": l.command.Model, "name": l.at.Name, "host": l.at.Host, "port": strconv.Itoa(l.at.Port), "gpus": l.gpus(),
	})
}

// gpus lists the GPUs as CUDA_VISIBLE_DEVICES takes them.
func (l *launcher) gpus() string {
	var list []string
	for _, g := range l.at.GPUs {
		list = append(list, strconv.Itoa(g))
	}
	return strings.Join(list, ",")
}

// loopback reports whether a host is reached from this machine only.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// lastValue returns the value of an option: where it is repeated, the last one counts.
func lastValue(c study.Configuration, name string) string {
	value := ""
	for _, f := range c.Engine.Canonical(c.Command) {
		if f.Name == name {
			value = f.Value
		}
	}
	return value
}
