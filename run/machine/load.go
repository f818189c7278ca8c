package machine

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"benchguide/engine"
	"benchguide/study/strict"
)

// Load reads a machine.yaml; file is the name that problems carry. All problems are
// returned together, and the profile is usable only when there are none.
func Load(file string, data []byte) (Profile, []strict.Problem) {
	var p Profile
	positions, problems := strict.Decode(file, data, &p)
	c := &checker{profile: p, at: positions, decoding: problems}
	c.profileKeys()
	c.places("models", p.Models, "its folder, or its file for llama.cpp")
	c.places("datasets", p.Datasets, "its file")
	for _, key := range slices.Sorted(maps.Keys(p.Engines)) {
		c.engine(key, p.Engines[key])
	}
	c.clients()
	c.executors()
	problems = append(problems, c.problems...)
	strict.Sort(problems)
	return p, problems
}

// checker collects what a profile's types cannot tell. It leaves alone what decoding
// could not read, so that one slip is reported once.
type checker struct {
	profile  Profile
	at       *strict.Positions
	decoding []strict.Problem
	problems []strict.Problem
}

// add reports a problem with a value that was read.
func (c *checker) add(message, hint string, path ...any) {
	p := c.at.Problem(message, hint, path...)
	unread := func(d strict.Problem) bool { return d.Path == p.Path && !strings.Contains(d.Message, "key") }
	if c.at.Has(path...) && !slices.ContainsFunc(c.decoding, unread) {
		c.problems = append(c.problems, p)
	}
}

// profileKeys checks what stands at the top of the file.
func (c *checker) profileKeys() {
	p := c.profile
	if p.Schema != Schema {
		c.add(fmt.Sprintf("schema is %d, this program reads %d", p.Schema, Schema), fmt.Sprintf("set schema to %d", Schema), "schema")
	}
	seen := map[int]bool{}
	for i, g := range p.GPUs {
		switch {
		case g < 0:
			c.add(fmt.Sprintf("%d is no number of a GPU", g), "nvidia-smi -L lists them, from 0", "gpus", i)
		case seen[g]:
			c.add(fmt.Sprintf("GPU %d is named twice", g), "", "gpus", i)
		}
		seen[g] = true
	}
	if p.NoGPU && len(p.GPUs) > 0 {
		c.add("no_gpu says that there is none, and gpus names some", "keep one of them", "no_gpu")
	}
	if _, _, err := p.PortRange(); err != nil {
		c.add(err.Error(), `write "`+DefaultPorts+`"`, "ports")
	}
	c.env(p.Env, "env")
}

// places wants whole paths: an attempt may run in another folder, or on another node.
func (c *checker) places(key string, paths map[string]string, what string) {
	for _, id := range slices.Sorted(maps.Keys(paths)) {
		if !filepath.IsAbs(paths[id]) {
			c.add(fmt.Sprintf("%q is no absolute path", paths[id]), "write the whole path of "+what+", from /", key, id)
		}
	}
}

// engine checks how one engine is started. What would be ignored is refused: whoever wrote
// it believes that it does something.
func (c *checker) engine(key string, l Launch) {
	id, version, versioned := strings.Cut(key, "@")
	if _, known := engine.Lookup(id); !known {
		c.key(key, id, engine.IDs(), "engines")
	}
	if versioned && version == "" {
		c.problems = append(c.problems, c.at.KeyProblem(fmt.Sprintf("%q names no version", key), "write "+id+"@v1.2.3, or "+id+" for all versions", "engines", key))
	}
	if l.Runtime != "" && !slices.Contains(runtimes(), l.Runtime) {
		c.add(fmt.Sprintf("runtime is %q", l.Runtime), "use podman or docker, or write a template", "engines", key, "runtime")
	}
	if l.Template != "" {
		if err := checkTemplate(l.Template); err != nil {
			c.add("template: "+err.Error(), "", "engines", key, "template")
		}
	}
	for _, with := range []struct {
		key   string
		given bool
	}{{"runtime", l.Runtime != ""}, {"options", len(l.Options) > 0}} {
		if with.given && l.Image == "" {
			c.add(with.key+" belongs to a container, and there is no image", "name the image, or delete the line", "engines", key, with.key)
		}
	}
	if l.Image != "" && l.Template != "" {
		c.add("a template is the whole command, so that image would be ignored", "name the image within the template, or delete the template", "engines", key, "image")
	}
	c.env(l.Env, "engines", key, "env")
}

// clients knows those that need a program of their own; benchguide's is this one.
func (c *checker) clients() {
	known := []string{"vllm", "sglang", "guidellm"}
	for _, key := range slices.Sorted(maps.Keys(c.profile.Clients)) {
		if !slices.Contains(known, key) {
			c.key(key, key, known, "clients")
		}
		c.env(c.profile.Clients[key].Env, "clients", key, "env")
	}
}

// key reports a name that is none of the known ones.
func (c *checker) key(key, name string, known []string, in string) {
	hint := "known: " + strings.Join(known, ", ")
	if best := strict.Closest(name, known); best != "" {
		hint = fmt.Sprintf("did you mean %q?", best)
	}
	c.problems = append(c.problems, c.at.KeyProblem(fmt.Sprintf("%q is not known under %s", name, in), hint, in, key))
}

// variable is what a shell and a container runtime take for a variable's name.
var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// env checks variables. That of the GPUs is the run's: two attempts that saw the same GPU
// would both be spoilt.
func (c *checker) env(env map[string]string, path ...any) {
	for _, name := range slices.Sorted(maps.Keys(env)) {
		at := append(slices.Clone(path), name)
		switch {
		case !variable.MatchString(name):
			c.problems = append(c.problems, c.at.KeyProblem(fmt.Sprintf("%q is no name of an environment variable", name), "", at...))
		case name == VisibleGPUs:
			c.problems = append(c.problems, c.at.KeyProblem(name+" is set by the run", "name the GPUs under gpus", at...))
		}
	}
}

// timeLimit is a time as sbatch takes it: minutes, minutes:seconds, hours:minutes:seconds,
// or one of these with days before it.
var timeLimit = regexp.MustCompile(`^(\d+|\d+:\d\d|\d+:\d\d:\d\d|\d+-\d+(:\d\d){0,2})$`)

// executors checks how attempts get to other machines. A template that lacks what tells
// one job from another would do harm: it cancels, or waits for, the wrong one.
func (c *checker) executors() {
	p := c.profile
	if p.Slurm != nil && p.Command != nil {
		c.add("both slurm and command say how attempts become jobs", "keep one of them", "command")
	}
	if s := p.Slurm; s != nil {
		if s.Time != "" && !timeLimit.MatchString(s.Time) {
			c.add(fmt.Sprintf("%q is no time limit", s.Time), "write hours:minutes:seconds, 02:00:00", "slurm", "time")
		}
		c.placeholders(s.Gres, []string{"gpus"}, nil, "slurm", "gres")
	}
	if e := p.Command; e != nil {
		known := []string{"folder", "name", "id"}
		c.placeholders(e.Submit, []string{"folder", "name"}, []string{"folder"}, "command", "submit")
		c.placeholders(e.Poll, known, []string{"id"}, "command", "poll")
		c.placeholders(e.Cancel, known, []string{"id"}, "command", "cancel")
		c.placeholders(e.Fetch, known, nil, "command", "fetch")
	}
}

// placeholders reports what a template names and does not exist, and what it must name
// and does not: a poll without an id would ask about every job alike. Where a name is
// the only other thing that tells jobs apart, it will do.
func (c *checker) placeholders(template string, known, needed []string, path ...any) {
	if template == "" {
		return
	}
	if err := checkPlaceholders(template, known); err != nil {
		c.add(err.Error(), "", path...)
	}
	for _, name := range needed {
		if !strings.Contains(template, "{"+name+"}") && !(name == "id" && strings.Contains(template, "{name}")) {
			c.add("the template lacks {"+name+"}", "", path...)
		}
	}
}
