package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"benchguide/engine"
	"benchguide/run/client"
	"benchguide/run/gpu"
	"benchguide/run/machine"
	"benchguide/run/server"
	"benchguide/study"
)

// Site is what is asked about a machine before anything is started on it.
type Site struct {
	Machine  machine.Profile
	Monitor  gpu.Monitor                                    // nil where no GPU is looked for
	Program  func(name string, env map[string]string) error // whether a program can be started, with more variables
	DiskFree func(dir string) (uint64, error)               // bytes
	FreePort func(first, last int) (int, error)             // a port of a range that nobody listens on
	Dir      string                                         // where the run will lie
	Rehearse bool
	Remote   bool                        // attempts are carried out elsewhere: only what they need here is looked for
	Cluster  func(context.Context) error // why they cannot be, asked from here; nil where nothing is to be asked
}

// leastDisk is the room without which no run is begun.
const leastDisk = 1 << 30

// Ready says why a study cannot be run here: everything at once, each in a sentence that
// says what to do. An attempt looks again, since machines change; but an hour's first
// attempt is a bad moment to learn that the client is not installed.
func (s Site) Ready(ctx context.Context, f *study.Folder) error {
	checks := []func(context.Context, *study.Folder) error{s.disk}
	if !s.Remote && !s.Rehearse {
		checks = append(checks, s.ports, s.gpus, s.engines, s.versions, s.clients, s.models)
	}
	if s.Cluster != nil {
		checks = append(checks, func(ctx context.Context, _ *study.Folder) error { return s.Cluster(ctx) })
	}
	var found []string
	for _, check := range checks {
		if err := check(ctx, f); err != nil {
			found = append(found, err.Error())
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(found) == 0 {
		return nil
	}
	return &Refusal{Message: strings.Join(found, "\n")}
}

// disk looks for room. A full disk spoils attempts in the middle, at the worst moment and
// with the most confusing errors; it is the cheapest thing to ask for.
func (s Site) disk(context.Context, *study.Folder) error {
	free, err := s.DiskFree(s.Dir)
	switch {
	case err != nil:
		return nil // where it cannot be told nobody is kept from trying
	case free < leastDisk && !s.Rehearse:
		return fmt.Errorf("the disk of %s has %d MiB left, a run needs %d: make room, or move the study to another disk", s.Dir, free>>20, leastDisk>>20)
	case free < leastDisk>>4:
		return fmt.Errorf("the disk of %s has %d MiB left: make room, or move the study to another disk", s.Dir, free>>20)
	}
	return nil
}

// ports looks whether the range has a free one at all. Which one an attempt takes is its
// own affair, since that may change until then.
func (s Site) ports(context.Context, *study.Folder) error {
	first, last, err := s.Machine.PortRange()
	if err != nil {
		return err
	}
	if _, err := s.FreePort(first, last); err != nil {
		return fmt.Errorf("no port from %d to %d is free: end what listens there, or name another range as ports in machine.yaml", first, last)
	}
	return nil
}

// gpus compares the machine's GPUs with those that the study is about. Results of another
// GPU would be true, and belong to another study.
func (s Site) gpus(ctx context.Context, f *study.Folder) error {
	if s.Machine.NoGPU || f.Study.Hardware.CPU() || s.Monitor == nil {
		return nil
	}
	devices, err := s.Monitor.Devices(ctx)
	switch {
	case errors.Is(err, gpu.ErrNone):
		return noGPU(f.Study.Hardware, err)
	case err == nil && len(devices) == 0:
		return noGPU(f.Study.Hardware, gpu.ErrNone)
	case err != nil:
		return fmt.Errorf("the GPUs of this machine cannot be asked: %w", err)
	}
	return gpu.Expect(devices, f.Study.Hardware.GPU, f.Study.Hardware.Count)
}

// noGPU is said where a study needs GPUs and there is none. It is what everybody meets who
// tries the program on a laptop, so that it says more than one thing to do.
func noGPU(h study.Hardware, found error) error {
	return fmt.Errorf(`the study is for %dx %s, and %w
  to try it without a GPU, add --rehearse
  if it is a study of a CPU, write kind: cpu under hardware in study.yaml
  if there is a GPU, see that nvidia-smi -L lists it`, h.Count, h.GPU, found)
}

// engines looks for the programs of all engines that the study starts, those of later
// stages included: they are needed in hours, and whoever could install them is here now.
func (s Site) engines(_ context.Context, f *study.Folder) error {
	var errs []error
	for _, c := range s.started(&f.Study) {
		driver, err := server.Of(c.Engine.ID)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		launch, err := driver.Launch(c, s.Machine, server.Place{Name: "preflight", Host: "127.0.0.1", Port: 1, GPUs: []int{0}})
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("%s cannot be started here: %w", c.Engine.Name, err))
		case s.Program(launch.Words[0], launch.Env) != nil:
			errs = append(errs, fmt.Errorf("%s %s is not installed: there is no program %s; install it, or say under engines in machine.yaml where it is",
				c.Engine.Name, c.Version, launch.Words[0]))
		}
	}
	return errors.Join(errs...)
}

// versions finds versions of one engine that one program would have to be. Started by it
// they would be told apart only when one of them is up, in hours.
func (s Site) versions(_ context.Context, f *study.Folder) error {
	var errs []error
	shared := map[string]study.Configuration{} // by engine: a version without an entry of its own
	for _, c := range s.started(&f.Study) {
		id := c.Engine.ID
		if s.Machine.Names(id, c.Version) {
			continue
		}
		other, ok := shared[id]
		if !ok {
			shared[id] = c
			continue
		}
		errs = append(errs, fmt.Errorf("%s %s and %s would be started by the same program, which is one of them at most: say under engines in machine.yaml where the other is, as %s@%s or %s@%s",
			c.Engine.Name, other.Version, c.Version, id, c.Version, id, other.Version))
	}
	return errors.Join(errs...)
}

// started lists one configuration of each engine and version that the study may start.
// What a candidate changes in its incumbent is not known yet, and does not change which
// program is started.
func (s Site) started(f *study.Study) []study.Configuration {
	base, err := f.Derive(study.Configuration{}, f.Baseline)
	if err != nil {
		return nil // said where the run begins
	}
	list := []study.Configuration{base}
	incumbents := []string{base.Engine.ID} // what a stage may build on
	for _, st := range f.Stages {
		ids := slices.Clone(incumbents)
		for _, c := range ownCandidates(st) {
			for _, id := range s.enginesOf(c, incumbents) {
				e, ok := engine.Lookup(id)
				if !ok {
					continue // reported when the study was loaded
				}
				version := cmp.Or(c.Version, f.Engines[id])
				if !slices.Contains(ids, id) {
					ids = append(ids, id)
				}
				if !slices.ContainsFunc(list, func(o study.Configuration) bool { return o.Engine.ID == id && o.Version == version }) {
					list = append(list, study.Configuration{Engine: e, Version: version, Command: e.New(f.Model.ID), Env: c.Env})
				}
			}
		}
		incumbents = ids
	}
	return list
}

// enginesOf are the engines that a candidate may start in a version or kind of its own. A
// version names no engine: where the stage may build on several, it is one that the machine
// has in this version, or else the baseline's.
func (s Site) enginesOf(c study.Candidate, incumbents []string) []string {
	switch {
	case c.Engine != "":
		return []string{c.Engine}
	case c.Version == "":
		return nil
	}
	for _, id := range incumbents {
		if s.Machine.Names(id, c.Version) {
			return []string{id}
		}
	}
	return incumbents[:1]
}

// Clients says which workloads of a study name a client that no run can start. A guide may be
// made of what any client has printed, so that this is no fault of a study by itself.
func Clients(s *study.Study) error {
	var errs []error
	for _, w := range s.Workloads {
		if _, err := client.Of(w.Command); err != nil {
			errs = append(errs, fmt.Errorf("study.yaml: workload %s: %w", w.ID, err))
		}
	}
	return errors.Join(errs...)
}

// clients looks for each client once. That it works is found out by the first attempt;
// that it is there at all can be known now.
func (s Site) clients(_ context.Context, f *study.Folder) error {
	var errs []error
	seen := map[string]bool{}
	for _, w := range f.Study.Workloads {
		c, err := client.Of(w.Command)
		if err != nil {
			continue // said of the study before its machine is asked
		}
		words := c.VersionWords(s.Machine)
		if seen[c.ID()] || len(words) == 0 {
			continue
		}
		seen[c.ID()] = true
		env := map[string]string{}
		maps.Copy(env, s.Machine.Env)
		maps.Copy(env, s.Machine.Clients[c.ID()].Env)
		if s.Program(words[0], env) != nil {
			errs = append(errs, fmt.Errorf("the client of workload %s is not installed: there is no program %s; install it, or say under clients in machine.yaml where %s is", w.ID, words[0], c.ID()))
		}
	}
	return errors.Join(errs...)
}

// models looks for what machine.yaml says is on this disk. Of a model that it does not
// name nothing can be said: the engine finds it, or brings it.
func (s Site) models(_ context.Context, f *study.Folder) error {
	var errs []error
	for _, id := range modelsOf(&f.Study) {
		path, ok := s.Machine.ModelPath(id)
		if ok && !exists(path) {
			errs = append(errs, fmt.Errorf("the model %s is not at %s: bring it there, or mend its path under models in machine.yaml", id, path))
		}
		if !ok && offline(s.Machine.Env) && !exists(id) {
			errs = append(errs, fmt.Errorf("the model %s has no folder under models in machine.yaml, and HF_HUB_OFFLINE keeps the engine from bringing it: name its folder there", id))
		}
	}
	return errors.Join(errs...)
}

func offline(env map[string]string) bool {
	value, ok := env["HF_HUB_OFFLINE"]
	if !ok {
		value = os.Getenv("HF_HUB_OFFLINE")
	}
	return value == "1" || strings.EqualFold(value, "true")
}

// modelsOf lists the models that a study serves: its own, and the quantised or tuned ones
// that candidates bring in its place.
func modelsOf(s *study.Study) []string {
	list := []string{s.Model.ID}
	for _, c := range append([]study.Candidate{s.Baseline}, candidatesOf(s)...) {
		if c.Model != "" && !slices.Contains(list, c.Model) {
			list = append(list, c.Model)
		}
	}
	return list
}

func candidatesOf(s *study.Study) []study.Candidate {
	var list []study.Candidate
	for _, st := range s.Stages {
		list = append(list, st.Candidates...)
	}
	return list
}
