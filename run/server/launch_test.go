package server_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/engine"
	"benchguide/run/machine"
	"benchguide/run/server"
)

// profile has a local path for one model, and no other.
func profile(engines map[string]machine.Launch) machine.Profile {
	return machine.Profile{
		Schema:  1,
		Models:  map[string]string{"Qwen/Qwen3-8B": "/models/Qwen3-8B", "a/draft": "/models/draft"},
		Engines: engines,
		Env:     map[string]string{"HF_HOME": "/data/hf"},
	}
}

func place(model string) server.Place {
	return server.Place{Name: "nonce-1", Host: "127.0.0.1", Port: 18000, GPUs: []int{2, 3}, Model: model}
}

// shown writes a launch as one would type it: environment, command, and how to end it.
func shown(l server.Launch) string {
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(l.Env)) {
		fmt.Fprintf(&b, "%s=%s\n", k, l.Env[k])
	}
	b.WriteString(engine.Quote(l.Words))
	if l.Stop != nil {
		b.WriteString("\nstop: " + engine.Quote(l.Stop) + "\nimage: " + l.Image)
	}
	return b.String()
}

// TestLaunch shows every engine's command in each of the three ways.
func TestLaunch(t *testing.T) {
	t.Parallel()
	const (
		here     = "/models/Qwen3-8B"
		common   = "CUDA_DEVICE_ORDER=PCI_BUS_ID\nCUDA_VISIBLE_DEVICES=2,3\nDO_NOT_TRACK=1\nHF_HOME=/data/hf\n"
		offline  = "CUDA_DEVICE_ORDER=PCI_BUS_ID\nCUDA_VISIBLE_DEVICES=2,3\nDO_NOT_TRACK=1\nHF_HOME=/data/hf\nHF_HUB_OFFLINE=1\nPYTHONUNBUFFERED=1\nTRANSFORMERS_OFFLINE=1\n"
		online   = "CUDA_DEVICE_ORDER=PCI_BUS_ID\nCUDA_VISIBLE_DEVICES=2,3\nDO_NOT_TRACK=1\nHF_HOME=/data/hf\nPYTHONUNBUFFERED=1\n"
		vllmEnv  = "VLLM_LOGGING_LEVEL=INFO\nVLLM_NO_USAGE_STATS=1\nVLLM_PORT=18001\nVLLM_SERVER_DEV_MODE=1\n"
		vllmRest = " --served-model-name nonce-1 --host 127.0.0.1 --port 18000"
		sglRest  = " --served-model-name nonce-1 --host 127.0.0.1 --port 18000 --nccl-port 18005 --enable-metrics"
		trtRest  = " --served_model_name nonce-1 --host 127.0.0.1 --port 18000"
		cppRest  = " --alias nonce-1 --host 127.0.0.1 --port 18000 --metrics"
	)
	for _, c := range []struct {
		name, engine, command string
		how                   machine.Launch
		model, want           string
	}{
		{name: "vLLM, native", engine: "vllm", command: "vllm serve Qwen/Qwen3-8B -tp 2", model: here,
			want: offline + vllmEnv + "vllm serve /models/Qwen3-8B -tp 2" + vllmRest},
		{name: "vLLM, no local model", engine: "vllm", command: "vllm serve Qwen/Qwen3-14B", model: "Qwen/Qwen3-14B",
			want: online + vllmEnv + "vllm serve Qwen/Qwen3-14B" + vllmRest},
		{name: "vLLM, its own program", engine: "vllm", command: "vllm serve Qwen/Qwen3-8B -tp 2", model: here,
			how:  machine.Launch{Program: []string{"/opt/my vllm/bin/vllm", "serve"}},
			want: offline + vllmEnv + "'/opt/my vllm/bin/vllm' serve /models/Qwen3-8B -tp 2" + vllmRest},
		{name: "vLLM, draft model within JSON", engine: "vllm", command: `vllm serve Qwen/Qwen3-8B --speculative-config '{"model": "a/draft", "num_speculative_tokens": 3}'`, model: here,
			want: offline + vllmEnv + `vllm serve /models/Qwen3-8B --speculative-config '{"model": "/models/draft", "num_speculative_tokens": 3}'` + vllmRest},
		{name: "vLLM, podman", engine: "vllm", command: "vllm serve Qwen/Qwen3-8B -tp 2", model: here,
			how: machine.Launch{Image: "vllm/vllm-openai:v0.20.2", Runtime: "podman", Options: []string{"--shm-size", "8g"}, Env: map[string]string{"HF_TOKEN": "hf_secret"}},
			want: "HF_TOKEN=hf_secret\npodman run --rm --name bg-nonce-1 --net=host --ipc=host --device nvidia.com/gpu=2 --device nvidia.com/gpu=3 --volume /models/Qwen3-8B:/models/Qwen3-8B:ro" +
				" --env DO_NOT_TRACK=1 --env HF_HOME=/data/hf --env HF_HUB_OFFLINE=1 --env HF_TOKEN --env PYTHONUNBUFFERED=1 --env TRANSFORMERS_OFFLINE=1" +
				" --env VLLM_LOGGING_LEVEL=INFO --env VLLM_NO_USAGE_STATS=1 --env VLLM_PORT=18001 --env VLLM_SERVER_DEV_MODE=1 --shm-size 8g" +
				" --entrypoint vllm vllm/vllm-openai:v0.20.2 serve /models/Qwen3-8B -tp 2" + vllmRest +
				"\nstop: podman rm -f bg-nonce-1\nimage: vllm/vllm-openai:v0.20.2"},
		{name: "vLLM, template", engine: "vllm", command: "vllm serve Qwen/Qwen3-8B -tp 2", model: here,
			how:  machine.Launch{Template: "apptainer exec --bind {model} --env X={gpus} /img/{name}-{host}-{port}.sif {program} {model} {options}"},
			want: offline + vllmEnv + "apptainer exec --bind /models/Qwen3-8B --env X=2,3 /img/nonce-1-127.0.0.1-18000.sif vllm serve /models/Qwen3-8B -tp 2" + vllmRest},

		{name: "SGLang, native", engine: "sglang", command: "python3 -m sglang.launch_server --model-path Qwen/Qwen3-8B --tp 2", model: here,
			want: offline + "python3 -m sglang.launch_server --model-path /models/Qwen3-8B --tp 2" + sglRest},
		{name: "SGLang, draft model", engine: "sglang", command: "sglang serve --model Qwen/Qwen3-8B --speculative-draft-model-path a/draft", model: here,
			want: offline + "sglang serve --model-path /models/Qwen3-8B --speculative-draft-model-path /models/draft" + sglRest},
		{name: "SGLang, metrics already on", engine: "sglang", command: "sglang serve --model Qwen/Qwen3-8B --enable-metrics", model: here,
			want: offline + "sglang serve --model-path /models/Qwen3-8B --enable-metrics --served-model-name nonce-1 --host 127.0.0.1 --port 18000 --nccl-port 18005"},
		{name: "SGLang, docker", engine: "sglang", command: "python3 -m sglang.launch_server --model-path Qwen/Qwen3-8B --speculative-draft-model-path a/draft", model: here,
			how: machine.Launch{Image: "lmsysorg/sglang:v0.5.17", Runtime: "docker"},
			want: `docker run --rm --name bg-nonce-1 --net=host --ipc=host --gpus '"device=2,3"' --volume /models/Qwen3-8B:/models/Qwen3-8B:ro --volume /models/draft:/models/draft:ro` +
				" --env DO_NOT_TRACK=1 --env HF_HOME=/data/hf --env HF_HUB_OFFLINE=1 --env PYTHONUNBUFFERED=1 --env TRANSFORMERS_OFFLINE=1" +
				" --entrypoint python3 lmsysorg/sglang:v0.5.17 -m sglang.launch_server --model-path /models/Qwen3-8B --speculative-draft-model-path /models/draft" + sglRest +
				"\nstop: docker rm -f bg-nonce-1\nimage: lmsysorg/sglang:v0.5.17"},
		{name: "SGLang, template", engine: "sglang", command: "python3 -m sglang.launch_server --model-path Qwen/Qwen3-8B", model: here,
			how:  machine.Launch{Template: "numactl -N 0 {program} --model-path {model} {options}", Program: []string{"/opt/py", "-m", "sglang.launch_server"}},
			want: offline + "numactl -N 0 /opt/py -m sglang.launch_server --model-path /models/Qwen3-8B" + sglRest},

		{name: "TensorRT-LLM, native", engine: "tensorrt-llm", command: "trtllm-serve Qwen/Qwen3-8B --tp_size 2 --extra_llm_api_options extra.yml", model: here,
			want: offline + "trtllm-serve /models/Qwen3-8B --tp_size 2 --extra_llm_api_options extra.yml" + trtRest},
		{name: "TensorRT-LLM, podman", engine: "tensorrt-llm", command: "trtllm-serve serve Qwen/Qwen3-14B", model: "Qwen/Qwen3-14B",
			how: machine.Launch{Image: "nvcr.io/nvidia/tensorrt-llm/release:1.1.0", Runtime: "podman"},
			want: "podman run --rm --name bg-nonce-1 --net=host --ipc=host --device nvidia.com/gpu=2 --device nvidia.com/gpu=3" +
				" --env DO_NOT_TRACK=1 --env HF_HOME=/data/hf --env PYTHONUNBUFFERED=1" +
				" --entrypoint trtllm-serve nvcr.io/nvidia/tensorrt-llm/release:1.1.0 serve Qwen/Qwen3-14B" + trtRest +
				"\nstop: podman rm -f bg-nonce-1\nimage: nvcr.io/nvidia/tensorrt-llm/release:1.1.0"},
		{name: "TensorRT-LLM, template", engine: "tensorrt-llm", command: "trtllm-serve Qwen/Qwen3-8B", model: here,
			how:  machine.Launch{Template: "mpirun -n 1 {program} {model} {options}"},
			want: offline + "mpirun -n 1 trtllm-serve /models/Qwen3-8B" + trtRest},

		{name: "llama.cpp, native", engine: "llama.cpp", command: "llama-server -m ggml-org/x -ngl 99", model: "/models/x/x.gguf",
			want: common + "llama-server --model /models/x/x.gguf -ngl 99" + cppRest},
		{name: "llama.cpp, a model of the hub", engine: "llama.cpp", command: "llama-server -hf ggml-org/x", model: "/models/x/x.gguf",
			want: common + "llama-server -hf ggml-org/x" + cppRest},
		{name: "llama.cpp, docker", engine: "llama.cpp", command: "llama-server -m ggml-org/x", model: "/models/x/x.gguf",
			how: machine.Launch{Image: "ghcr.io/ggml-org/llama.cpp:server", Runtime: "docker", Program: []string{"/app/llama-server"}},
			want: `docker run --rm --name bg-nonce-1 --net=host --ipc=host --gpus '"device=2,3"' --volume /models/x:/models/x:ro --env DO_NOT_TRACK=1 --env HF_HOME=/data/hf` +
				" --entrypoint /app/llama-server ghcr.io/ggml-org/llama.cpp:server --model /models/x/x.gguf" + cppRest +
				"\nstop: docker rm -f bg-nonce-1\nimage: ghcr.io/ggml-org/llama.cpp:server"},
		{name: "llama.cpp, template", engine: "llama.cpp", command: "llama-server -m ggml-org/x -c 4096", model: "/models/x/x.gguf",
			how:  machine.Launch{Template: "taskset -c 0-3 {program} -m {model} {options}"},
			want: common + "taskset -c 0-3 llama-server -m /models/x/x.gguf -c 4096" + cppRest},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := driver(t, c.engine).Launch(configuration(t, c.engine, "v1", c.command, nil), profile(map[string]machine.Launch{c.engine: c.how}), place(c.model))
			require.NoError(t, err)
			if diff := cmp.Diff(c.want, shown(got)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestTheConfigurationIsNotChanged(t *testing.T) {
	t.Parallel()
	c := configuration(t, "vllm", "v1", "vllm serve Qwen/Qwen3-8B --speculative-config a/draft", map[string]string{"A": "b"})
	before := c.Text()
	_, err := driver(t, "vllm").Launch(c, profile(nil), place("/models/Qwen3-8B"))
	require.NoError(t, err)
	require.Equal(t, before, c.Text())
}

// A cache of the hub links from the snapshot to the files beside it.
func TestASnapshotIsMountedWithItsFiles(t *testing.T) {
	t.Parallel()
	const at = "/hf/hub/models--Qwen--Qwen3-8B/snapshots/abc"
	got, err := driver(t, "vllm").Launch(configuration(t, "vllm", "v1", "vllm serve Qwen/Qwen3-8B", nil),
		profile(map[string]machine.Launch{"vllm": {Image: "i", Runtime: "podman"}}), place(at))
	require.NoError(t, err)
	require.Contains(t, got.Words, "/hf/hub/models--Qwen--Qwen3-8B:/hf/hub/models--Qwen--Qwen3-8B:ro")
	require.Contains(t, got.Words, at)
}

func TestTheNearestEnvironmentWins(t *testing.T) {
	t.Parallel()
	m := profile(map[string]machine.Launch{"vllm@v1": {Env: map[string]string{"B": "engine", "C": "engine"}}})
	m.Env = map[string]string{"A": "machine", "B": "machine", "VLLM_LOGGING_LEVEL": "DEBUG"}
	got, err := driver(t, "vllm").Launch(configuration(t, "vllm", "v1", "vllm serve X", map[string]string{"C": "study"}), m, place("X"))
	require.NoError(t, err)
	for name, want := range map[string]string{"A": "machine", "B": "engine", "C": "study", "VLLM_LOGGING_LEVEL": "DEBUG", "VLLM_PORT": "18001"} {
		require.Equal(t, want, got.Env[name], name)
	}
}

func TestNoGPUIsNamedWhereNoneIsGiven(t *testing.T) {
	t.Parallel()
	at := place("X")
	at.GPUs = nil
	for _, how := range []machine.Launch{{}, {Image: "i", Runtime: "podman"}, {Image: "i", Runtime: "docker"}} {
		got, err := driver(t, "vllm").Launch(configuration(t, "vllm", "v1", "vllm serve X", nil), profile(map[string]machine.Launch{"vllm": how}), at)
		require.NoError(t, err)
		text := shown(got)
		for _, word := range []string{"CUDA_VISIBLE_DEVICES", "nvidia.com", "--gpus"} {
			require.NotContains(t, text, word)
		}
	}
}

// Development endpoints are for the loopback only.
func TestDevelopmentEndpointsAreForNoStranger(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]bool{"127.0.0.1": true, "localhost": true, "::1": true, "0.0.0.0": false, "gpu-host": false, "192.0.2.1": false} {
		at := place("X")
		at.Host = host
		got, err := driver(t, "vllm").Launch(configuration(t, "vllm", "v1", "vllm serve X", nil), profile(nil), at)
		require.NoError(t, err)
		_, set := got.Env["VLLM_SERVER_DEV_MODE"]
		require.Equal(t, want, set, host)
	}
}

func TestWhatARunSetsMayNotBeSetTwice(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ engine, command, want string }{
		{"vllm", "vllm serve X --port 8000", "vLLM: the configuration sets --port 8000, which a run chooses for each start; take it out of study.yaml"},
		{"vllm", "vllm serve X --host=0.0.0.0", "--host 0.0.0.0"},
		{"vllm", "vllm serve X --served_model_name a", "--served_model_name a"},
		{"vllm", "vllm serve X --uds /tmp/s", "--uds /tmp/s"},
		{"sglang", "sglang serve --model X --port 30000", "SGLang: the configuration sets --port 30000"},
		{"sglang", "sglang serve --model X --nccl-port 1", "--nccl-port 1"},
		{"sglang", "sglang serve --model X --served-model-name a", "--served-model-name a"},
		{"tensorrt-llm", "trtllm-serve X --port 1", "TensorRT-LLM: the configuration sets --port 1"},
		{"tensorrt-llm", "trtllm-serve X --served_model_name a", "--served_model_name a"},
		{"llama.cpp", "llama-server -m X -a name", "llama.cpp: the configuration sets -a name"},
		{"llama.cpp", "llama-server -m X --alias name", "--alias name"},
		{"llama.cpp", "llama-server -m X --port 1", "--port 1"},
	} {
		t.Run(c.command, func(t *testing.T) {
			t.Parallel()
			_, err := driver(t, c.engine).Launch(configuration(t, c.engine, "v1", c.command, nil), profile(nil), place("X"))
			require.ErrorContains(t, err, c.want)
		})
	}
	for _, d := range server.All() {
		e, _ := engine.Lookup(d.ID())
		c := configuration(t, d.ID(), "v1", e.Print(e.New("X")), map[string]string{"CUDA_VISIBLE_DEVICES": "0"})
		_, err := d.Launch(c, profile(nil), place("X"))
		require.ErrorContains(t, err, "sets CUDA_VISIBLE_DEVICES", d.ID())
	}
}

func TestALaunchNeedsAPlace(t *testing.T) {
	t.Parallel()
	c := configuration(t, "vllm", "v1", "vllm serve X", nil)
	for name, change := range map[string]func(*server.Place){
		"no name":           func(p *server.Place) { p.Name = "" },
		"no host":           func(p *server.Place) { p.Host = "" },
		"no port":           func(p *server.Place) { p.Port = 0 },
		"no port behind it": func(p *server.Place) { p.Port = 65530 },
	} {
		at := place("X")
		change(&at)
		_, err := driver(t, "vllm").Launch(c, profile(nil), at)
		require.Error(t, err, name)
	}
	at := place("X")
	at.Port = 65526 // the last that has nine behind it
	_, err := driver(t, "vllm").Launch(c, profile(nil), at)
	require.NoError(t, err)
	_, err = driver(t, "vllm").Launch(c, profile(map[string]machine.Launch{"vllm": {Template: "x"}}), place("X"))
	require.ErrorContains(t, err, "it lacks {options}")
}

// Not parallel: it changes PATH.
func TestWithoutARuntimeThereIsNoContainer(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	c := configuration(t, "vllm", "v1", "vllm serve X", nil)
	m := profile(map[string]machine.Launch{"vllm": {Image: "i"}})
	_, err := driver(t, "vllm").Launch(c, m, place("X"))
	require.ErrorContains(t, err, "neither podman nor docker is on PATH")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "docker"), nil, 0o755))
	got, err := driver(t, "vllm").Launch(c, m, place("X"))
	require.NoError(t, err)
	require.Equal(t, "docker", got.Words[0])
}

func TestDummyWeightsAreSeen(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		engine, command string
		want            bool
	}{
		{"vllm", "vllm serve X --load-format dummy", true},
		{"vllm", "vllm serve X --load_format=dummy", true},
		{"vllm", "vllm serve X --load-format dummy --load-format auto", false},
		{"vllm", "vllm serve X", false},
		{"sglang", "sglang serve --model X --load-format dummy", true},
		{"sglang", "sglang serve --model X --load-format auto", false},
		{"tensorrt-llm", "trtllm-serve X", false},
		{"llama.cpp", "llama-server -m X", false},
	} {
		require.Equal(t, c.want, driver(t, c.engine).Dummy(configuration(t, c.engine, "v1", c.command, nil)), c.command)
	}
}

func TestEveryEngineHasADriver(t *testing.T) {
	t.Parallel()
	var ids []string
	for _, d := range server.All() {
		ids = append(ids, d.ID())
		require.Positive(t, d.Grace())
	}
	require.Equal(t, engine.IDs(), ids)
	_, err := server.Of("ollama")
	require.ErrorContains(t, err, `engine "ollama" cannot be run; those that can: vllm, sglang, tensorrt-llm, llama.cpp`)
}
