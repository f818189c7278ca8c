package gpu

import "context"

// None is a machine without GPUs.
type None struct{}

var _ Monitor = None{}

// Devices returns none.
func (None) Devices(context.Context) ([]Device, error) { return nil, nil }

// Processes returns none.
func (None) Processes(context.Context) ([]Process, error) { return nil, nil }
