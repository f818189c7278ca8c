package attempt

import (
	"context"
	"fmt"
	"os"
	"strconv"

	"benchguide/bench"
	"benchguide/run/machine"
	"benchguide/run/proc"
	"benchguide/run/server"
)

// leastDisk is the room without which nothing is begun: logs and per-request data of a
// start have some hundred megabytes.
const leastDisk = 1 << 30

// spareDisk is the room with which an attempt is ended before the disk ends it: what
// was measured can then still be written down.
const spareDisk = 64 << 20

const nextDisk = "free some room on the disk of the study's folder, then carry on with benchguide run --resume"

// checkDisk comes first: nothing below can be written down without room.
func (j *job) checkDisk(context.Context) error {
	if j.order.Rehearse != nil {
		return j.roomFor(spareDisk) // a laptop's disk may be fuller than a benchmark's should be
	}
	return j.roomFor(leastDisk)
}

func (j *job) roomFor(least uint64) error {
	free, err := j.deps.DiskFree(j.folder)
	if err != nil {
		return infraFault("", "how much room the disk has cannot be told: %v", err)
	}
	if free < least {
		return infraFault(nextDisk, "disk full: %d MiB are free where the attempt's folder lies, and %d MiB are needed", free>>20, least>>20)
	}
	return nil
}

// checkPrograms puts the server's command together and looks whether its program is
// there, so that a missing one is told from a server that failed.
func (j *job) checkPrograms(context.Context) error {
	if err := j.checkModel(); err != nil {
		return err
	}
	m := j.profile()
	at := server.Place{Name: j.order.Nonce, Host: host, Port: j.port, GPUs: j.order.GPUs()}
	if path, ok := m.ModelPath(j.config.Command.Model); ok {
		at.Model = path
	}
	launch, err := j.driver.Launch(j.config, m, at)
	if err != nil {
		return configFault("correct the candidate in study.yaml, or how machine.yaml starts the engine", "the server's command cannot be put together: %v", err)
	}
	if r := j.order.Rehearse; r != nil {
		launch.Words = rehearsed(*r, launch.Words)
	}
	j.launch = launch
	j.record.Ran, j.record.Image = j.ranAs(launch.Words, launch.Env), launch.Image
	if err := proc.Runnable(launch.Words[0], launch.Env); err != nil {
		return infraFault(fmt.Sprintf("install %s on this machine, or say in machine.yaml under engines how it is started", j.config.Engine.Name), "%v", err)
	}
	if err := j.checkClients(); err != nil {
		return err
	}
	return j.checkPrompts()
}

// checkClients looks for the programs of the clients: a server is not started for
// something that cannot be measured.
func (j *job) checkClients() error {
	for _, w := range j.order.Workloads {
		c, err := j.clientOf(w)
		if err != nil {
			return err
		}
		if err := proc.Runnable(c.VersionWords(j.clients())[0], j.clientEnv(c.ID())); err != nil {
			return infraFault(fmt.Sprintf("install the client, or say in machine.yaml under clients how %s is started", c.ID()), "client %s: %v", c.ID(), err)
		}
	}
	return nil
}

// checkPrompts compares the prompts with their digests: every start is sent the same.
func (j *job) checkPrompts() error {
	for _, w := range append([]Work{j.order.Warmup}, j.order.Workloads...) {
		prompts, err := readPrompts(w.Prompts)
		if err != nil {
			return err
		}
		if got := bench.Digest(prompts); w.Digest != "" && got != w.Digest {
			return infraFault("bring back the prompts that the run began with, or begin a new run",
				"the prompts of %s were changed: their digest is %.12s and was %.12s", w.Workload.ID, got, w.Digest)
		}
	}
	return nil
}

// profile is the machine's, or for a rehearsal what is left of it: the fake engine takes
// the engine's own command, and knows models by their ids.
func (j *job) profile() machine.Profile {
	m := j.order.Machine
	if j.order.Rehearse != nil {
		m.Engines, m.Models = nil, nil
	}
	return m
}

// checkModel looks for the model where the machine's profile says that it is.
func (j *job) checkModel() error {
	path, ok := j.profile().ModelPath(j.config.Command.Model)
	if !ok {
		return nil // the engine is to find it
	}
	if _, err := os.Stat(path); err != nil {
		return infraFault("bring the model there, or correct its path under models in machine.yaml", "the model %s is missing: %v", j.config.Command.Model, err)
	}
	return nil
}

// rehearsed puts the fake engine before the command that it stands in for.
func rehearsed(r Rehearse, words []string) []string {
	with := append([]string{}, r.Program...)
	with = append(with, "--time-scale", strconv.FormatFloat(r.TimeScale, 'g', -1, 64), "--seed", strconv.Itoa(r.Seed))
	if r.Script != "" {
		with = append(with, "--script", r.Script)
	}
	return append(append(with, "--"), words...)
}
