package server

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"benchguide/run/machine"
)

// container returns the command within a container. The engine's program is the
// entrypoint itself, whatever the image has: signals then reach it without a shell
// between. The GPUs are numbered from 0 within, so CUDA_VISIBLE_DEVICES is not set.
func (l *launcher) container(env map[string]string) (Launch, error) {
	runtime, err := l.how.ContainerRuntime()
	if err != nil {
		return Launch{}, fmt.Errorf("%s: %w", l.config.Engine.Name, err)
	}
	name := "bg-" + l.at.Name
	words := []string{runtime, "run", "--rm", "--name", name, "--net=host",
		"--ipc=host"} // processes of one engine share memory; a container's 64 MB are too small
	words = append(words, l.devices(runtime)...)
	for _, mount := range l.mounts() {
		words = append(words, "--volume", mount+":"+mount+":ro")
	}
	outside := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(env)) {
		if machine.Secret(key) {
			// By its name alone: the runtime takes the value from its own environment,
			// and it is on no command line and in no record.
			words = append(words, "--env", key)
			outside[key] = env[key]
			continue
		}
		words = append(words, "--env", key+"="+env[key])
	}
	words = append(words, l.how.Options...)
	served := l.config.Engine.Words(l.command)
	words = append(words, "--entrypoint", served[0], l.how.Image)
	return Launch{
		Words: append(words, served[1:]...), Env: outside, Image: l.how.Image,
		Stop: []string{runtime, "rm", "-f", name},
	}, nil
}

// devices hands the GPUs over, in each runtime's own way. Docker reads the list as CSV, so
// that the commas within need quotes that are part of the word.
func (l *launcher) devices(runtime string) []string {
	if len(l.at.GPUs) == 0 {
		return nil
	}
	if path.Base(runtime) == "docker" {
		return []string{"--gpus", `"device=` + l.gpus() + `"`}
	}
	var words []string
	for _, g := range l.at.GPUs {
		words = append(words, "--device", fmt.Sprintf("nvidia.com/gpu=%d", g))
	}
	return words
}

// mounts lists what the engine must see of this machine: folders of models, at the same
// paths as outside. A snapshot in a hub's cache holds links to the files beside it, so
// that the folder of the whole model is needed.
func (l *launcher) mounts() []string {
	var list []string
	for _, p := range l.local {
		if at := strings.Index(p, "/snapshots/"); at > 0 {
			p = p[:at]
		} else if path.Ext(p) == ".gguf" {
			p = path.Dir(p)
		}
		if !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}
