package main

import (
	"errors"

	"benchguide/run/executor"
	"benchguide/run/machine"
)

// remote is an executor that carries attempts out elsewhere, as machine.yaml says.
func remote(name string, m machine.Profile, program string) (executor.Executor, error) {
	switch {
	case name == "slurm" && m.Slurm == nil:
		return nil, failure{exitBadInput, errors.New("--executor slurm needs to know the cluster: name a --machine file with slurm in it")}
	case name == "slurm":
		return executor.Slurm{Profile: *m.Slurm, Program: program}, nil
	case m.Command == nil:
		return nil, failure{exitBadInput, errors.New("--executor command needs its commands: name a --machine file with command in it")}
	}
	return executor.Command{Profile: *m.Command}, nil
}
