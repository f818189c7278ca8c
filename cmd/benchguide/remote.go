package main

import (
	"fmt"

	"benchguide/run/executor"
	"benchguide/run/machine"
)

// remote is an executor that carries attempts out elsewhere.
func remote(name string, _ machine.Profile, _ string) (executor.Executor, error) {
	return nil, failure{exitUsage, fmt.Errorf("--executor %s is not there yet; use local", name)}
}
