package server

import (
	"fmt"
	"strings"
)

// All returns the drivers of all engines, in the order in which package engine lists them.
func All() []Driver { return []Driver{vllm{}, sglang{}, trtllm{}, llamacpp{}} }

// Of returns the driver of an engine.
func Of(engineID string) (Driver, error) {
	var known []string
	for _, d := range All() {
		if d.ID() == engineID {
			return d, nil
		}
		known = append(known, d.ID())
	}
	return nil, fmt.Errorf("engine %q cannot be run; those that can: %s", engineID, strings.Join(known, ", "))
}
