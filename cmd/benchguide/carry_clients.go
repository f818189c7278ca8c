package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"benchguide/run/attempt"
	"benchguide/run/client"
	"benchguide/run/fake"
	"benchguide/run/machine"
	"benchguide/run/server"
	"benchguide/study"
)

// withOwnClient says where our own client is: it is this program, on PATH or not.
func withOwnClient(m machine.Profile, program string) machine.Profile {
	id := client.Own().ID()
	if own, ok := m.Clients[id]; ok && len(own.Program) > 0 {
		return m
	}
	clients := map[string]machine.Client{}
	for key, value := range m.Clients {
		clients[key] = value
	}
	clients[id] = machine.Client{Program: []string{program, "bench"}, Env: m.Clients[id].Env}
	m.Clients = clients
	return m
}

// hurried is the clock of a rehearsal unless another one is asked for: a second lasts
// 100 µs, so that what takes time is starting processes.
const hurried = 0.0001

// rehearsal is how the fake engine is started. A script of faults is read here once, since
// each fault of a misspelt one would be an engine that does not start.
func rehearsal(f *study.Folder, program string, scale float64, script string) (*attempt.Rehearse, error) {
	hardware := f.Study.Hardware
	if scale == 0 {
		scale = hurried
	}
	if script != "" {
		var err error
		if script, err = checkedScript(script); err != nil {
			return nil, failure{exitBadInput, err}
		}
	}
	words := []string{program, "fake-engine", "--gpu", hardware.GPU, "--gpus", fmt.Sprint(hardware.Count)}
	return &attempt.Rehearse{TimeScale: scale, Program: words, Script: script}, nil
}

// checkedScript returns where a script is, for an engine that runs in another folder.
func checkedScript(name string) (string, error) {
	in, err := os.Open(name)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, withoutPath(err))
	}
	defer in.Close()
	if _, err := fake.ReadScript(name, in); err != nil {
		return "", err
	}
	return filepath.Abs(name)
}

func isDummy(c study.Configuration) bool {
	d, err := server.Of(c.Engine.ID)
	return err == nil && d.Dummy(c)
}

// clientVersions are the clients of a study's workloads with the versions that they say.
func clientVersions(ctx context.Context, f *study.Folder, m machine.Profile, rehearse bool) string {
	var list []string
	add := func(c client.Client) {
		text := c.ID()
		if words := c.VersionWords(m); len(words) > 0 {
			version := firstLine(ctx, words)
			if strings.HasPrefix(version, text) {
				version = strings.TrimSpace(version[len(text):])
			}
			text = strings.TrimSpace(text + " " + version)
		}
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	if rehearse {
		add(client.Own())
		return list[0]
	}
	for _, w := range f.Study.Workloads {
		if c, err := client.Of(w.Command); err == nil {
			add(c)
		}
	}
	return strings.Join(list, ", ")
}

// versionTime is how long a client may take to say its version: Python clients import
// half a framework for it.
const versionTime = time.Minute

func firstLine(ctx context.Context, words []string) string {
	ctx, cancel := context.WithTimeout(ctx, versionTime)
	defer cancel()
	out, err := exec.CommandContext(ctx, words[0], words[1:]...).Output()
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return line
}
