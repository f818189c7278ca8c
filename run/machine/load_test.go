package machine_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/run/machine"
)

const whole = `schema: 1
gpus: [0, 2]
ports: 18100-18199
models:
  Qwen/Qwen3-8B: /models/Qwen3-8B
datasets: {sharegpt: /data/sharegpt.json}
engines:
  vllm: {program: /opt/vllm/bin/vllm serve, env: {VLLM_LOGGING_LEVEL: DEBUG}}
  vllm@v0.20.2: {image: "docker.io/vllm/vllm-openai:v0.20.2", runtime: podman, options: --shm-size 8g}
  llama.cpp: {template: "numactl -N 0 {program} --model {model} {options}"}
clients: {vllm: {program: [/opt/vllm/bin/vllm, bench, serve]}}
env: {HF_HOME: /data/hf}
slurm: {partition: gpu, gres: "gpu:h100:{gpus}", time: "02:00:00", options: --exclusive, setup: module load cuda}
`

func TestAWholeProfileLoads(t *testing.T) {
	t.Parallel()
	p, problems := machine.Load("machine.yaml", []byte(whole))
	require.Empty(t, problems)
	require.Equal(t, []int{0, 2}, p.GPUs)
	first, last, err := p.PortRange()
	require.NoError(t, err)
	require.Equal(t, [2]int{18100, 18199}, [2]int{first, last})
	require.Equal(t, []string{"/opt/vllm/bin/vllm", "serve"}, []string(p.EngineLaunch("vllm", "v0.11.0").Program))
	require.Empty(t, p.EngineLaunch("sglang", "v0.5.4"))

	version := p.EngineLaunch("vllm", "v0.20.2")
	require.Equal(t, "docker.io/vllm/vllm-openai:v0.20.2", version.Image)
	require.Empty(t, version.Program, "what is said of a version stands alone")
	require.Equal(t, []string{"--shm-size", "8g"}, []string(version.Options))

	path, ok := p.ModelPath("Qwen/Qwen3-8B")
	require.True(t, ok)
	require.Equal(t, "/models/Qwen3-8B", path)
	_, ok = p.ModelPath("Qwen/Qwen3-14B")
	require.False(t, ok)
	path, ok = p.DatasetPath("sharegpt")
	require.True(t, ok)
	require.Equal(t, "/data/sharegpt.json", path)
	_, ok = p.DatasetPath("other")
	require.False(t, ok)
}

// An order carries the profile as JSON to where the attempt is made.
func TestAProfileTravelsAsJSON(t *testing.T) {
	t.Parallel()
	p, problems := machine.Load("machine.yaml", []byte(whole))
	require.Empty(t, problems)
	data, err := json.Marshal(p)
	require.NoError(t, err)
	var got machine.Profile
	require.NoError(t, json.Unmarshal(data, &got))
	require.Empty(t, cmp.Diff(p, got))
}

func TestAnEmptyProfileIsEnough(t *testing.T) {
	t.Parallel()
	p, problems := machine.Load("machine.yaml", []byte("schema: 1\n"))
	require.Empty(t, problems)
	first, last, err := p.PortRange()
	require.NoError(t, err)
	require.Equal(t, [2]int{18000, 18999}, [2]int{first, last})
}

func TestProblemsSayWhereAndWhatToDo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, source, want string }{
		{"no schema", "gpus: [0]\n", `machine.yaml:1:1: the document has no key "schema"; add "schema: ..."`},
		{"another schema", "schema: 2\n", "machine.yaml:1:9: schema is 2, this program reads 1; set schema to 1"},
		{"unknown key", "schema: 1\nmodel: {}\n", `machine.yaml:2:1: unknown key "model" in the document; did you mean "models"?`},
		{"unknown key within", "schema: 1\nengines:\n  vllm: {progam: x}\n", `machine.yaml:3:10: unknown key "progam" in "engines.vllm"; did you mean "program"?`},
		{"text for a number", "schema: 1\ngpus: [zero]\n", `machine.yaml:2:8: "gpus[0]" must be a whole number`},
		{"no such GPU", "schema: 1\ngpus: [-1]\n", "machine.yaml:2:8: -1 is no number of a GPU"},
		{"GPU twice", "schema: 1\ngpus: [1, 1]\n", "machine.yaml:2:11: GPU 1 is named twice"},
		{"GPUs and none", "schema: 1\ngpus: [1]\nno_gpu: true\n", "machine.yaml:3:9: no_gpu says that there is none"},
		{"one port", "schema: 1\nports: 8000\n", `machine.yaml:2:8: ports is "8000"; a range is two numbers`},
		{"ports backwards", "schema: 1\nports: 9000-8000\n", "a server takes 10 ports, and there are fewer"},
		{"system ports", "schema: 1\nports: 80-8000\n", "the ports below 1024"},
		{"no such port", "schema: 1\nports: 8000-70000\n", "the last port there is is 65535"},
		{"relative model", "schema: 1\nmodels: {A: models/A}\n", `machine.yaml:2:13: "models/A" is no absolute path; write the whole path of its folder`},
		{"relative data set", "schema: 1\ndatasets: {A: ~/a.json}\n", `"~/a.json" is no absolute path; write the whole path of its file`},
		{"unknown engine", "schema: 1\nengines: {vlm: {}}\n", `machine.yaml:2:11: "vlm" is not known under engines; did you mean "vllm"?`},
		{"unknown engine of a version", "schema: 1\nengines: {ollama@v1: {}}\n", `"ollama" is not known under engines; known: vllm, sglang`},
		{"no version", "schema: 1\nengines: {vllm@: {}}\n", `"vllm@" names no version`},
		{"unknown runtime", "schema: 1\nengines: {vllm: {image: a, runtime: containerd}}\n", `machine.yaml:2:37: runtime is "containerd"; use podman or docker, or write a template`},
		{"runtime without image", "schema: 1\nengines: {vllm: {runtime: podman}}\n", "runtime belongs to a container, and there is no image"},
		{"options without image", "schema: 1\nengines: {vllm: {options: --ipc host}}\n", "options belongs to a container"},
		{"image and template", "schema: 1\nengines: {vllm: {image: a, template: 'x {options}'}}\n", "image would be ignored"},
		{"unknown placeholder", "schema: 1\nengines: {vllm: {template: '{prog} {options}'}}\n", "{prog} is no placeholder; known: {program} {model}"},
		{"no options", "schema: 1\nengines: {vllm: {template: 'vllm serve {model}'}}\n", "it lacks {options}"},
		{"options within a word", "schema: 1\nengines: {vllm: {template: 'sh -c \"{program} {options}\"'}}\n", "{program} stands for several words"},
		{"template with a pipe", "schema: 1\nengines: {vllm: {template: 'a {options} | tee'}}\n", `"|" is not part`},
		{"unknown client", "schema: 1\nclients: {guidelm: {}}\n", `did you mean "guidellm"?`},
		{"no variable", "schema: 1\nenv: {A-B: x}\n", `"A-B" is no name of an environment variable`},
		{"GPUs by variable", "schema: 1\nengines: {vllm: {env: {CUDA_VISIBLE_DEVICES: 0}}}\n", "CUDA_VISIBLE_DEVICES is set by the run; name the GPUs under gpus"},
		{"GPUs by a client's variable", "schema: 1\nclients: {vllm: {env: {CUDA_VISIBLE_DEVICES: 0}}}\n", "CUDA_VISIBLE_DEVICES is set by the run"},
		{"time limit", "schema: 1\nslurm: {time: 2 hours}\n", `machine.yaml:2:15: "2 hours" is no time limit`},
		{"placeholder of slurm", "schema: 1\nslurm: {gres: 'gpu:{n}'}\n", "{n} is no placeholder; known: {gpus}"},
		{"two executors", "schema: 1\nslurm: {partition: a}\ncommand: {submit: 'a {folder}', poll: 'b {id}', cancel: 'c {id}'}\n", "both slurm and command"},
		{"no cancel", "schema: 1\ncommand: {submit: 'a {folder}', poll: 'b {id}'}\n", `"command" has no key "cancel"`},
		{"poll of nothing", "schema: 1\ncommand: {submit: 'a {folder}', poll: b, cancel: 'c {id}'}\n", "machine.yaml:2:39: the template lacks {id}"},
		{"submit of nothing", "schema: 1\ncommand: {submit: a, poll: 'b {name}', cancel: 'c {name}'}\n", "the template lacks {folder}"},
		{"id before there is one", "schema: 1\ncommand: {submit: 'a {folder} {id}', poll: 'b {id}', cancel: 'c {id}'}\n", "{id} is no placeholder; known: {folder} {name}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, problems := machine.Load("machine.yaml", []byte(c.source))
			require.Len(t, problems, 1, "%v", problems)
			require.ErrorContains(t, problems[0], c.want)
		})
	}
}

func TestAllProblemsAreReportedInFileOrder(t *testing.T) {
	t.Parallel()
	_, problems := machine.Load("machine.yaml", []byte("schema: 1\nports: x\nmodels: {A: b}\nengines: {x: {}}\n"))
	require.Len(t, problems, 3)
	for i, p := range problems {
		require.Equal(t, i+2, p.Line)
	}
}

func TestJobsMayBeKnownByTheirName(t *testing.T) {
	t.Parallel()
	_, problems := machine.Load("machine.yaml", []byte("schema: 1\ncommand: {submit: 's {folder} {name}', poll: 'p {name}', cancel: 'c {name}'}\n"))
	require.Empty(t, problems)
}

func TestATemplateIsFilledInOnePass(t *testing.T) {
	t.Parallel()
	got, err := machine.ExpandTemplate(`run --name bg-{name} 'a b' {program} --port={port} '{"x": 1}' {options} {model}`,
		[]string{"vllm", "serve"}, []string{"-q", "{port}"}, map[string]string{"name": "n", "port": "1", "model": "{name}"})
	require.NoError(t, err)
	require.Empty(t, cmp.Diff([]string{"run", "--name", "bg-n", "a b", "vllm", "serve", "--port=1", `{"x": 1}`, "-q", "{port}", "{name}"}, got))
	_, err = machine.ExpandTemplate("vllm", nil, nil, nil)
	require.ErrorContains(t, err, "{options}")
}

// Not parallel: it changes PATH.
func TestTheRuntimeIsTheOneThatIsInstalled(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	_, err := machine.Launch{Image: "a"}.ContainerRuntime()
	require.ErrorContains(t, err, "neither podman nor docker is on PATH")
	for _, name := range []string{"docker", "podman"} { // podman is preferred, so it comes last
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o755))
		got, err := machine.Launch{Image: "a"}.ContainerRuntime()
		require.NoError(t, err)
		require.Equal(t, name, got)
	}
	got, err := machine.Launch{Image: "a", Runtime: "docker"}.ContainerRuntime()
	require.NoError(t, err)
	require.Equal(t, "docker", got)
}

// FuzzLoad: whatever the file says, problems have a place in it.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte("schema: 1\nengines: {vllm: {template: '{'}}\n"))
	f.Add([]byte("schema: [1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, problems := machine.Load("machine.yaml", data)
		for _, problem := range problems {
			require.GreaterOrEqual(t, problem.Line, 1)
			require.LessOrEqual(t, problem.Line, 1+strings.Count(strings.ReplaceAll(string(data), "\r", "\n"), "\n"))
		}
		if len(problems) == 0 {
			_, _, err := p.PortRange()
			require.NoError(t, err)
		}
	})
}
