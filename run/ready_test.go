package run_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/run"
	"benchguide/run/gpu"
	"benchguide/run/machine"
	"benchguide/study"
	"benchguide/study/studytest"
)

// gpus is a machine's GPUs, or why nobody can say.
type gpus struct {
	devices []gpu.Device
	err     error
}

func (g gpus) Devices(context.Context) ([]gpu.Device, error)    { return g.devices, g.err }
func (g gpus) Processes(context.Context) ([]gpu.Process, error) { return nil, nil }

// site is a machine on which the small study can be run.
func site() run.Site {
	return run.Site{
		Machine:  machine.Profile{Schema: machine.Schema},
		Monitor:  gpus{devices: []gpu.Device{{Name: "NVIDIA H100 80GB HBM3", TotalMiB: 81559}}},
		Program:  func(string, map[string]string) error { return nil },
		DiskFree: func(string) (uint64, error) { return 1 << 40, nil },
		FreePort: func(first, _ int) (int, error) { return first, nil },
		Dir:      "studies/small",
	}
}

// TestWhatKeepsARunFromBeginning is found before anything is started, in words that say
// what to do.
func TestWhatKeepsARunFromBeginning(t *testing.T) {
	t.Parallel()
	missing := func(program string) func(string, map[string]string) error {
		return func(name string, env map[string]string) error {
			if name == program && env["PATH"] != "/opt/bin" {
				return errors.New("not found")
			}
			return nil
		}
	}
	withoutGPU := []string{
		"  to try it without a GPU, add --rehearse",
		"  if it is a study of a CPU, write kind: cpu under hardware in study.yaml",
		"  if there is a GPU, see that nvidia-smi -L lists it",
	}
	for _, c := range []struct {
		name   string
		change func(s *run.Site)
		want   []string // none: the run may begin
	}{
		{"nothing", func(*run.Site) {}, nil},
		{"no nvidia-smi", func(s *run.Site) { s.Monitor = &gpu.SMI{Program: "nvidia-smi-of-nobody"} }, append([]string{
			"the study is for 1x NVIDIA H100 SXM, and no GPU was found: there is no program nvidia-smi-of-nobody, which NVIDIA's driver brings"}, withoutGPU...)},
		{"no GPU", func(s *run.Site) { s.Monitor = gpus{} }, append([]string{"the study is for 1x NVIDIA H100 SXM, and no GPU was found"}, withoutGPU...)},
		{"a driver that hangs", func(s *run.Site) { s.Monitor = gpus{err: errors.New("nvidia-smi gave no answer")} },
			[]string{"the GPUs of this machine cannot be asked: nvidia-smi gave no answer"}},
		{"wrong GPU", func(s *run.Site) { s.Monitor = gpus{devices: []gpu.Device{{Name: "NVIDIA L4"}}} },
			[]string{"the study is for 1x NVIDIA H100 SXM and GPU 0 of this machine is an NVIDIA L4"}},
		{"a machine without GPU, as it says", func(s *run.Site) { s.Monitor, s.Machine.NoGPU = gpus{}, true }, nil},
		{"an engine and its client", func(s *run.Site) { s.Program = missing("vllm") }, []string{
			"vLLM v0.11.0 is not installed: there is no program vllm; install it, or say under engines in machine.yaml where it is",
			"the client of workload main is not installed: there is no program vllm; install it, or say under clients in machine.yaml where vllm is"}},
		{"programs on the PATH of machine.yaml", func(s *run.Site) {
			s.Program, s.Machine.Env = missing("vllm"), map[string]string{"PATH": "/opt/bin"}
		}, nil},
		{"an engine that machine.yaml names", func(s *run.Site) {
			s.Program = missing("vllm")
			s.Machine.Engines = map[string]machine.Launch{"vllm": {Program: []string{"/opt/vllm", "serve"}}}
			s.Machine.Clients = map[string]machine.Client{"vllm": {Program: []string{"/opt/vllm", "bench", "serve"}}}
		}, nil},
		{"an engine of a later stage", func(s *run.Site) { s.Program = missing("python3") }, []string{"SGLang v0.5.3 is not installed: there is no program python3"}},
		{"a model", func(s *run.Site) { s.Machine.Models = map[string]string{"Qwen/Qwen3-8B": "/no/such/folder"} },
			[]string{"the model Qwen/Qwen3-8B is not at /no/such/folder: bring it there, or mend its path under models in machine.yaml"}},
		{"a model offline", func(s *run.Site) { s.Machine.Env = map[string]string{"HF_HUB_OFFLINE": "1"} },
			[]string{"the model Qwen/Qwen3-8B has no folder under models in machine.yaml"}},
		{"ports", func(s *run.Site) { s.FreePort = func(int, int) (int, error) { return 0, errors.New("taken") } },
			[]string{"no port from 18000 to 18999 is free: end what listens there, or name another range as ports in machine.yaml"}},
		{"disk", func(s *run.Site) { s.DiskFree = func(string) (uint64, error) { return 500 << 20, nil } },
			[]string{"the disk of studies/small has 500 MiB left, a run needs 1024: make room, or move the study to another disk"}},
		{"a disk that cannot be asked", func(s *run.Site) { s.DiskFree = func(string) (uint64, error) { return 0, errors.New("no") } }, nil},
		{"a rehearsal", func(s *run.Site) {
			s.Rehearse, s.Monitor, s.Program = true, nil, func(string, map[string]string) error { return errors.New("nothing is installed") }
			s.DiskFree = func(string) (uint64, error) { return 500 << 20, nil }
		}, nil},
		{"another machine", func(s *run.Site) {
			s.Remote, s.Monitor, s.Program = true, gpus{}, func(string, map[string]string) error { return errors.New("nothing is installed") }
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := two()
			p.Stages[1].Candidates[1].YAML = "engine: sglang"
			f, problems := study.LoadPlan((studytest.Blocks{Plan: p}).FS(), studytest.Dir)
			require.Empty(t, problems)
			s := site()
			c.change(&s)
			err := s.Ready(context.Background(), f)
			if c.want == nil {
				require.NoError(t, err)
				return
			}
			var refusal *run.Refusal
			require.ErrorAs(t, err, &refusal)
			lines := strings.Split(err.Error(), "\n")
			require.Len(t, lines, len(c.want), err.Error())
			for i, want := range c.want {
				require.Contains(t, lines[i], want)
			}
		})
	}
}

func TestAStudyOfACPUAsksForNoGPU(t *testing.T) {
	t.Parallel()
	f, problems := study.LoadPlan((studytest.Blocks{Plan: two()}).FS(), studytest.Dir)
	require.Empty(t, problems)
	f.Study.Hardware.Kind = study.KindCPU
	s := site()
	s.Monitor = gpus{err: errors.New("no nvidia-smi")}
	require.NoError(t, s.Ready(context.Background(), f))
}

// TestVersionsOfOneEngineAreLookedForBeforehand: a candidate may change the version alone,
// and its stage comes in hours.
func TestVersionsOfOneEngineAreLookedForBeforehand(t *testing.T) {
	t.Parallel()
	old := machine.Launch{Program: []string{"/opt/old", "serve"}}
	for _, c := range []struct {
		name, version string
		engines       map[string]machine.Launch
		installed     bool // what /opt/old is
		want          string
	}{
		{"one program for two", "v0.9.0", nil, true,
			"vLLM v0.11.0 and v0.9.0 would be started by the same program, which is one of them at most: say under engines in machine.yaml where the other is, as vllm@v0.9.0 or vllm@v0.11.0"},
		{"one program of a folder for two", "v0.9.0", map[string]machine.Launch{"vllm": old}, true, "vLLM v0.11.0 and v0.9.0 would be started by the same program"},
		{"each has its own", "v0.9.0", map[string]machine.Launch{"vllm@v0.9.0": old}, true, ""},
		{"the newer one has its own", "v0.9.0", map[string]machine.Launch{"vllm@v0.11.0": old}, true, ""},
		{"the other one is not installed", "v0.9.0", map[string]machine.Launch{"vllm@v0.9.0": old}, false,
			"vLLM v0.9.0 is not installed: there is no program /opt/old; install it, or say under engines in machine.yaml where it is"},
		{"a version of the engine that may be adopted before", "v0.5.0", map[string]machine.Launch{"sglang@v0.5.0": old}, false,
			"SGLang v0.5.0 is not installed: there is no program /opt/old; install it, or say under engines in machine.yaml where it is"},
		{"the version that there is anyway", "v0.11.0", nil, true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := two()
			p.Stages[0].Candidates[1].YAML = "engine: sglang"
			p.Stages[1].Candidates[1].YAML = "version: " + c.version
			f, problems := study.LoadPlan((studytest.Blocks{Plan: p}).FS(), studytest.Dir)
			require.Empty(t, problems)
			s := site()
			s.Machine.Engines = c.engines
			s.Program = func(name string, _ map[string]string) error {
				if name == "/opt/old" && !c.installed {
					return errors.New("not found")
				}
				return nil
			}
			err := s.Ready(context.Background(), f)
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.want)
			require.NotContains(t, err.Error(), "\n", "nothing else is wrong")
		})
	}
}
