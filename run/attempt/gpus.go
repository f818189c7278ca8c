package attempt

import (
	"context"
	"time"
)

func (j *job) checkGPUs(ctx context.Context) error               { return nil }
func (j *job) record1Hz(ctx context.Context) error               { return nil }
func (j *job) stopTelemetry()                                    {}
func (j *job) usedMiB(ctx context.Context) float64               { return -1 }
func (j *job) foreignUsers(ctx context.Context) string           { return "" }
func (j *job) keepTelemetry(workload string, from, to time.Time) {}
func untilFree(ctx context.Context, deps Deps, o Order) error    { return nil }
