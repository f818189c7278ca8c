package attempt_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"benchguide/gpulog"
	"benchguide/run/attempt"
	"benchguide/run/fake/smi"
	"benchguide/run/gpu"
	"benchguide/run/machine"
	"benchguide/study"
)

// on gives the bed a machine with a GPU, which a fake nvidia-smi shows. The engine is not
// rehearsed then: machine.yaml says that a fake one is what is installed.
func (b *bed) on(t *testing.T, state smi.State) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "smi.json")
	state.Driver, state.CUDA = "580.159.04", "13.0"
	require.NoError(t, state.Save(file))
	b.comes = func() {
		state.Processes = append(state.Processes, stranger())
		b.fail(state.Save(file))
	}
	self, err := os.Executable()
	require.NoError(t, err)
	b.deps.Monitor = &gpu.SMI{Program: self, Args: []string{"nvidia-smi"}, Env: []string{smi.StateVar + "=" + file}, Deadline: time.Minute}
	b.deps.Sleep = func(ctx context.Context, _ time.Duration) error { return gpu.Sleep(ctx, time.Millisecond) }
	b.deps.Foreign = 30 * time.Millisecond
	b.order.Machine.NoGPU = false
	b.order.Machine.Env = map[string]string{smi.StateVar: file}
	b.order.Hardware = study.Hardware{GPU: "NVIDIA H200", Short: "H200", Count: 1}
	b.order.Workloads[0].Workload.Command += " --request-rate 30" // so that there is a time to be seen
	b.install()
}

// install turns the rehearsal into an attempt with a fake engine that is taken for a real
// one.
func (b *bed) install() {
	r := b.order.Rehearse
	words := append(append([]string{}, r.Program...), "--time-scale", "0.001")
	if r.Script != "" {
		words = append(words, "--script", r.Script)
	}
	b.order.Rehearse = nil
	b.order.Machine.Ports = "10000-17999" // many: those of the last minute count as taken
	b.order.Machine.Engines = map[string]machine.Launch{"vllm": {Program: append(words, "--", "vllm", "serve")}}
}

// runs puts a shell script in the engine's place.
func (b *bed) runs(script string) {
	b.install()
	b.order.Machine.Engines = map[string]machine.Launch{"vllm": {Program: []string{"sh", "-c", script, "engine"}}}
}

func known[T any](v T) *T { return &v }

// h200 is a GPU with nothing to do, as one was seen.
func h200() smi.Device {
	return smi.Device{UUID: "GPU-0", Name: "NVIDIA H200", MIG: "Disabled", MemoryMiB: known(4.0), TotalMiB: known(143771.0), Utilization: known(0.0),
		PowerW: known(412.5), LimitW: known(700.0), SMClockMHz: known(1980.0), MemClockMHz: known(3201.0), Celsius: known(53.0), Reasons: known(uint64(4))}
}

func one(d smi.Device, processes ...smi.Process) smi.State {
	return smi.State{Devices: []smi.Device{d}, Processes: processes}
}

func stranger() smi.Process {
	return smi.Process{UUID: "GPU-0", PID: 1, MemoryMiB: known(5000.0), Name: "someone-elses-job"}
}

func TestAttemptsOnGPUs(t *testing.T) {
	t.Parallel()
	hot := h200()
	hot.Reasons = known(gpulog.SWThermal)
	trialFiles := []string{"main.txt", "main.json"}
	for name, c := range map[string]struct {
		state smi.State
		fault
		dirty bool
		comes attempt.Phase // when somebody else comes to the GPU
	}{
		"no nvidia-smi": {state: smi.State{Devices: []smi.Device{h200()}, Fail: &smi.Fail{Mode: "driver"}},
			fault: fault{class: study.FailInfra, reason: "NVIDIA driver", next: "see that nvidia-smi works", hasNot: trialFiles}},
		"another GPU": {state: one(func() smi.Device { d := h200(); d.Name = "NVIDIA A100-SXM4-80GB"; return d }()),
			fault: fault{class: study.FailInfra, reason: "NVIDIA A100-SXM4-80GB", next: "correct hardware in study.yaml", hasNot: trialFiles}},
		"somebody has the GPU": {state: one(h200(), stranger()),
			fault: fault{class: study.FailInfra, reason: "process 1 (someone-elses-job) holds 5000 MiB", next: "end what holds the GPUs", hasNot: append(trialFiles, study.ServerLog)}},
		"memory that no process holds": {state: one(func() smi.Device { d := h200(); d.MemoryMiB = known(90000.0); return d }()),
			fault: fault{class: study.FailInfra, reason: "holds 90000 MiB", next: "end what holds the GPUs", hasNot: trialFiles}},
		"somebody comes while it is measured": {state: one(h200()),
			fault: fault{invalid: "something else used the GPUs: process 1 (someone-elses-job)", has: append(trialFiles, attempt.TelemetryFile)}, dirty: true, comes: attempt.Measuring},
		"heat": {state: one(hot), fault: fault{invalid: "main: heat or a brake held a GPU back in 100 %", has: trialFiles}},
		"memory stays": {state: one(h200()),
			fault: fault{rule: `{"fault":"memory-stays","mib":40000}`, has: trialFiles, next: "nvidia-smi"}, dirty: true},
		"out of memory with a clean GPU": {state: one(h200()),
			fault: fault{rule: `{"fault":"exit","log":"gpu-in-use","code":1}`, class: study.FailConfig, reason: "Free memory on device", next: "memory fraction", hasNot: trialFiles}},
		"out of memory with a dirty GPU": {state: one(h200()),
			fault: fault{rule: `{"fault":"exit","log":"gpu-in-use","code":1}`, class: study.FailInfra, reason: "someone-elses-job", next: "end what holds the GPUs", hasNot: trialFiles}, dirty: true, comes: attempt.Starting},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var rules []string
			if c.rule != "" {
				rules = append(rules, c.rule)
			}
			b := newBed(t, rules...)
			b.on(t, c.state)
			b.on1st[c.comes] = b.comes
			r := b.run(t, t.Context())
			if r.State == attempt.Done && c.invalid == "" {
				c.invalid = r.Invalid // a busy machine lets the client doubt itself
			}
			c.require(t, b, r)
			require.Equal(t, c.dirty, r.Dirty, b.told())
			b.requireNothingLeft(t)
		})
	}
}

func TestWhatTheGPUsDidIsRecorded(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	b.on(t, one(h200()))
	r := b.run(t, t.Context())
	a := b.requireRecord(t, r)
	require.Equal(t, attempt.Done, r.State, r.Reason)
	require.False(t, r.Dirty)
	require.InDelta(t, 412.5, a.PowerWatts["main"], 0.01)
	require.InDelta(t, 1, a.PowerCap["main"], 0.01)
	require.Equal(t, map[string]float64{"main": 0}, a.Throttled)
	for key, want := range map[string]string{"gpu": "NVIDIA H200", "driver": "580.159.04", "cuda": "13.0", "power_limit": "700 W", "gpu_uuid": "GPU-0"} {
		require.Equal(t, want, a.Environment[key], key)
	}
	require.True(t, strings.HasPrefix(b.read(t, attempt.TelemetryFile), "time,index,power.draw"))
	require.Contains(t, a.Ran, "CUDA_VISIBLE_DEVICES=0")
	require.Positive(t, a.Times.Measured["main"])
	require.Contains(t, b.read(t, attempt.WarmupFile), "window 2: 2 prompts in ", "there is nothing to agree with in the first")
	require.Regexp(t, "^benchguide [^b]", a.Environment["client"], "it says its name with its version")
}

// TestOnlyTheStudysVersionIsMeasured needs an engine that is not rehearsed: a fake one has
// no version to compare.
func TestOnlyTheStudysVersionIsMeasured(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ version, class string }{
		"the same":            {"v0.26.0", ""},
		"without the letter":  {"0.26.0", ""},
		"with a local suffix": {"0.26.0+cu130", ""},
		"another":             {"v0.27.0", study.FailConfig},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBed(t)
			b.install()
			b.order.Version = c.version
			r := b.run(t, t.Context())
			require.Equal(t, c.class, r.Class, r.Reason)
			if c.class != "" {
				require.Equal(t, "the server is vLLM 0.26.0, and the study asks for v0.27.0", r.Reason)
				require.Contains(t, r.Next, "vllm@v0.27.0")
			}
		})
	}
}
