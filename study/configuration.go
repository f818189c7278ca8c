package study

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"benchguide/engine"
)

// Configuration is an engine with a version, a model, options and an environment.
// It has exactly one serving command.
type Configuration struct {
	Engine  engine.Engine
	Version string
	Command engine.Command
	Env     map[string]string
}

// Text returns the serving command as a person types it, environment first.
func (c Configuration) Text() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(c.Env)) {
		fmt.Fprintf(&b, "%s ", name+"="+engine.Quote([]string{c.Env[name]}))
	}
	return b.String() + c.Engine.Print(c.Command)
}

// Fingerprint identifies what is served and how: two configurations with the same
// fingerprint differ in spelling only. The workload is not part of it; results are
// repetitions of each other when fingerprint and workload both agree.
func (c Configuration) Fingerprint() string {
	h := sha256.New()
	write := func(parts ...string) {
		for _, p := range parts {
			fmt.Fprintf(h, "%d:%s\n", len(p), p) // lengths keep "a b" and "ab" apart
		}
	}
	write(c.Engine.ID, c.Version, c.Command.Model)
	for _, f := range c.Engine.Canonical(c.Command) {
		write(f.Name, fmt.Sprint(f.HasValue), f.Value)
		write(f.More...)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Env)) {
		write("env", name, c.Env[name])
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// A DeriveError says which field of a candidate cannot be applied, and why.
type DeriveError struct {
	Field string // "add", "set", "remove", "engine", "command"
	Err   error
}

// Error returns the field and the reason.
func (e *DeriveError) Error() string { return e.Field + ": " + e.Err.Error() }

// Unwrap returns the reason.
func (e *DeriveError) Unwrap() error { return e.Err }

// Derive applies what a candidate changes to the configuration that it starts from.
// It is strict: adding an option that is there, setting or removing one that is not,
// is an error, since the study then says something else than its author thinks. So is
// setting an option to what it is.
func (s *Study) Derive(base Configuration, c Candidate) (Configuration, error) {
	next, err := s.start(base, c)
	if err != nil {
		return Configuration{}, err
	}
	for _, step := range []struct {
		field string
		words []string
		apply func(*Configuration, engine.Flag) error
	}{
		{"remove", c.Remove, removeFlag},
		{"set", c.Set, setFlag},
		{"add", c.Add, addFlag},
	} {
		flags, err := engine.ParseFlags(step.words)
		if err != nil {
			return Configuration{}, &DeriveError{step.field, err}
		}
		for _, f := range flags {
			if next.Engine.IsModel(f.Name) {
				return Configuration{}, &DeriveError{step.field, fmt.Errorf("%s names the model; use model", f.Name)}
			}
			if err := step.apply(&next, f); err != nil {
				return Configuration{}, &DeriveError{step.field, err}
			}
		}
	}
	return next, nil
}

// start returns what a candidate's options are applied to: the base with another
// model, version or environment, another engine's plain command, or a whole command.
func (s *Study) start(base Configuration, c Candidate) (Configuration, error) {
	next := base
	next.Command.Flags = slices.Clone(base.Command.Flags)
	next.Env = mergeEnv(base.Env, c.Env)
	if c.Engine != "" {
		e, ok := engine.Lookup(c.Engine)
		if !ok {
			return Configuration{}, &DeriveError{"engine", unknownEngine(c.Engine)}
		}
		model := base.Command.Model
		if model == "" {
			model = s.Model.ID
		}
		next.Engine, next.Version, next.Command = e, s.Engines[e.ID], e.New(model)
		next.Env = mergeEnv(nil, c.Env) // variables are options too, of the engine that reads them
	}
	if c.Version != "" {
		next.Version = c.Version
	}
	if c.Model != "" {
		next.Command.Model = c.Model
	}
	if c.Command != "" {
		command, err := next.Engine.Parse(c.Command)
		if err != nil {
			return Configuration{}, &DeriveError{"command", err}
		}
		next.Command = command
	}
	return next, nil
}

func addFlag(c *Configuration, f engine.Flag) error {
	if i := c.Engine.Find(c.Command, f.Name); i >= 0 {
		return fmt.Errorf("%s is there already (%s); use set to change its value", f.Name, c.Command.Flags[i])
	}
	c.Command.Flags = append(c.Command.Flags, f)
	return nil
}

func setFlag(c *Configuration, f engine.Flag) error {
	i, err := theOne(c, f)
	switch {
	case err != nil:
		return err
	case i < 0:
		return fmt.Errorf("%s is not there to be changed; use add", f.Name)
	case sameValue(c.Command.Flags[i], f):
		return fmt.Errorf("%s is what it is already", f)
	}
	c.Command.Flags[i] = f
	return nil
}

// removeFlag takes an option out. Its value need not be stated; one that is stated
// must be the one that is there.
func removeFlag(c *Configuration, f engine.Flag) error {
	i, err := theOne(c, f)
	switch {
	case err != nil:
		return err
	case i < 0:
		return fmt.Errorf("%s is not there to be removed", f.Name)
	case f.HasValue && !sameValue(c.Command.Flags[i], f):
		return fmt.Errorf("%s is there as %s and not as %s", f.Name, c.Command.Flags[i], f)
	}
	c.Command.Flags = slices.Delete(c.Command.Flags, i, i+1)
	return nil
}

// theOne finds an option, -1 if it is not there. Of several of one name nobody can say
// which is meant.
func theOne(c *Configuration, f engine.Flag) (int, error) {
	i := c.Engine.Find(c.Command, f.Name)
	if i < 0 {
		return i, nil
	}
	rest := engine.Command{Flags: c.Command.Flags[i+1:]}
	if c.Engine.Find(rest, f.Name) >= 0 {
		return i, fmt.Errorf("%s is there more than once; state the whole command", f.Name)
	}
	return i, nil
}

func sameValue(a, b engine.Flag) bool { return slices.Equal(a.Values(), b.Values()) }

func mergeEnv(base, more map[string]string) map[string]string {
	if len(base)+len(more) == 0 {
		return nil
	}
	env := maps.Clone(base)
	if env == nil {
		env = map[string]string{}
	}
	maps.Copy(env, more)
	return env
}

func unknownEngine(id string) error {
	return fmt.Errorf("engine %q is not known; use one of %s", id, strings.Join(engine.IDs(), ", "))
}
