package machine

import (
	"errors"
	"fmt"
	"os/exec"
)

// EngineLaunch returns how an engine is started: what is said of this version of it, or
// else of the engine, or else nothing, and then its program is the one on PATH. The two
// are not merged: a container of one version must not inherit another's program.
func (p Profile) EngineLaunch(engine, version string) Launch {
	if p.Names(engine, version) {
		return p.Engines[engine+"@"+version]
	}
	return p.Engines[engine]
}

// Names reports whether this version of an engine has an entry of its own.
func (p Profile) Names(engine, version string) bool {
	_, ok := p.Engines[engine+"@"+version]
	return ok
}

// ModelPath returns where a model is on this machine, and false if that is not said.
func (p Profile) ModelPath(id string) (string, bool) {
	path, ok := p.Models[id]
	return path, ok
}

// DatasetPath returns where a data set is on this machine, and false if that is not said.
func (p Profile) DatasetPath(id string) (string, bool) {
	path, ok := p.Datasets[id]
	return path, ok
}

// runtimes are the container runtimes whose options are known, in the order of preference:
// podman needs no daemon, so that a container is a child of the run and ends with it.
func runtimes() []string { return []string{"podman", "docker"} }

// ContainerRuntime returns the runtime that a launch names, or else the first that is
// installed.
func (l Launch) ContainerRuntime() (string, error) {
	if l.Runtime != "" {
		return l.Runtime, nil
	}
	for _, name := range runtimes() {
		if _, err := exec.LookPath(name); err == nil {
			return name, nil
		}
	}
	return "", fmt.Errorf("image %s: %w", l.Image, errors.New("neither podman nor docker is on PATH; install one, or name the program in place of the image"))
}
