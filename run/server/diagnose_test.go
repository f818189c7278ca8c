package server_test

import (
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"benchguide/engine"
	"benchguide/run/server"
	"benchguide/study"
)

// exited is a process that ended by itself.
func exited(code int) server.ExitInfo { return server.ExitInfo{Exited: true, Code: code} }

// harmless begins every log of the table: lines that healthy starts have, full of words
// by which failures are known.
const harmless = `(APIServer pid=1) INFO 11-30 21:00:34 [api_utils.py:273] non-default args: {'model': 'm'}
(APIServer pid=1) WARNING 11-30 21:00:34 [system_utils.py:299] failed to automatically increase with error current limit exceeds maximum limit. This can cause fd limit errors like ` + "`OSError: [Errno 24] Too many open files`" + `. Consider increasing with ulimit -n
(EngineCore pid=2) INFO 11-30 21:01:27 [gpu_worker.py:857] Free memory on device (139.29/139.8 GiB) on startup. Desired GPU memory utilization is (0.92, 128.62 GiB).
(EngineCore pid=2) WARNING 11-30 21:01:27 [x.py:1] FP8 KV cache is not supported on this platform, NotImplementedError was caught; No such file or directory: cache
[2026-11-30 21:25:54] Fail to set RLIMIT_NOFILE: current limit exceeds maximum limit
[2026-11-30 21:25:54] FlashInfer sampling is not supported here, falling back
  0%|          | 0/58 [00:00<?, ?it/s] 50%| |  29/58 CUDA out of memory is no part of this bar
`

// The rows of the table of failures, each with what an engine prints around it.
func TestDiagnose(t *testing.T) {
	t.Parallel()
	const (
		config, infra, flaky = study.FailConfig, study.FailInfra, study.FailFlaky

		core = "(EngineCore pid=9) ERROR 11-30 21:01:07 [core.py:866] "
		// wrapped is how vLLM's parent process ends, whatever its child died of.
		wrapped = "(APIServer pid=1) Traceback (most recent call last):\n(APIServer pid=1)   File \"vllm\", line 10, in <module>\n(APIServer pid=1)     sys.exit(main())\n" +
			"(APIServer pid=1) RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}\n"
	)
	// traceback is an error of vLLM's engine process, all of its lines prefixed.
	traceback := func(last string) string {
		return core + "EngineCore failed to start.\n" + core + "Traceback (most recent call last):\n" + core + "  File \"core.py\", line 1, in run_engine_core\n" +
			core + "    raise ValueError(\"CUDA out of memory, or address already in use\")\n" + core + last + "\n" + wrapped
	}
	for _, c := range []struct {
		name, log string
		exit      server.ExitInfo
		class     string
		reason    string // a part of it
		next      string // a part of it
		dirty     bool
	}{
		// Memory at start.
		{name: "torch: out of memory", log: traceback("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 128.00 MiB. GPU 0 has a total capacity of 139.80 GiB of which 100.00 MiB is free."),
			exit: exited(1), class: config, reason: "torch.OutOfMemoryError: CUDA out of memory", next: "lower the memory fraction"},
		{name: "vLLM: no cache blocks", log: core + "Traceback (most recent call last):\n" + core + "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine.\n" + wrapped,
			exit: exited(1), class: config, reason: "No available memory for the cache blocks"},
		{name: "vLLM: negative cache, logged as information", log: "(EngineCore pid=9) INFO 11-30 21:01:19 [gpu_worker.py:560] Available KV cache memory: -3.21 GiB\n" + wrapped,
			exit: exited(1), class: config, reason: "Available KV cache memory: -3.21 GiB"},
		{name: "vLLM: GPU not clean", log: traceback("ValueError: Free memory on device (3.45/139.8 GiB) on startup is less than desired GPU memory utilization (0.92, 128.62 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes."),
			exit: exited(1), class: config, reason: "Free memory on device (3.45/139.8 GiB)", next: "nothing else uses the GPUs", dirty: true},
		{name: "vLLM: sampler", log: traceback("RuntimeError: CUDA out of memory occurred when warming up sampler with 1024 dummy requests. Please try lowering `max_num_seqs` or `gpu_memory_utilization` when initializing the engine."),
			exit: exited(1), class: config, reason: "warming up sampler with 1024 dummy requests"},
		{name: "vLLM: context too long", log: traceback("ValueError: The model's max seq len (131072) is larger than the maximum number of tokens that can be stored in KV cache (40960). Try increasing `gpu_memory_utilization` or decreasing `max_model_len`."),
			exit: exited(1), class: config, reason: "larger than the maximum number of tokens"},
		{name: "SGLang: not enough memory", log: "[2026-11-30 21:26:16 TP0] Scheduler hit an exception: Traceback (most recent call last):\n  File \"scheduler.py\", line 1, in run\n    raise RuntimeError(\nRuntimeError: Not enough memory. Please try to increase --mem-fraction-static. Current value: 0.2\n\n[2026-11-30 21:26:16] SIGQUIT received. signum=None, frame=None. It usually means one child failed.\n",
			exit: server.ExitInfo{Exited: true, Signal: syscall.SIGKILL}, class: config, reason: "RuntimeError: Not enough memory. Please try to increase --mem-fraction-static"},
		{name: "llama.cpp: out of memory", log: "0.01.032.743 E ggml_backend_cuda_buffer_type_alloc_buffer: allocating 9000.00 MiB on device 0: cudaMalloc failed: out of memory\n0.01.032.744 E srv    load_model: failed to load model, 'x.gguf'\n",
			exit: exited(1), class: config, reason: "cudaMalloc failed: out of memory"},
		{name: "out of memory under load", log: core + "EngineCore encountered a fatal error.\n" + core + "Traceback (most recent call last):\n" + core + "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n(APIServer pid=1) ERROR 11-30 21:13:43 [async_llm.py:704] vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue.\n",
			exit: exited(0), class: config, reason: "torch.OutOfMemoryError"},

		// Flags.
		{name: "argparse: unknown option", log: "usage: vllm serve [model_tag] [options]\nvllm: error: unrecognized arguments: --enable-magic\n",
			exit: exited(2), class: config, reason: "vllm: error: unrecognized arguments: --enable-magic", next: "--help"},
		{name: "argparse: wrong choice", log: "usage: launch_server.py [-h]\nlaunch_server.py: error: argument --attention-backend: invalid choice: 'fa9' (choose from 'triton', 'fa3')\n",
			exit: exited(2), class: config, reason: "invalid choice: 'fa9'"},
		{name: "pydantic", log: "(APIServer pid=1) Traceback (most recent call last):\n(APIServer pid=1)   File \"x.py\", line 1\n(APIServer pid=1) pydantic_core._pydantic_core.ValidationError: 1 validation error for ModelConfig\n(APIServer pid=1)   Value error, Unknown quantization method: fp9.\n",
			exit: exited(1), class: config, reason: "1 validation error for ModelConfig"},
		{name: "click", log: "Usage: trtllm-serve serve [OPTIONS] MODEL\nTry 'trtllm-serve serve --help' for help.\n\nError: No such option: --tp\n",
			exit: exited(2), class: config, reason: "Error: No such option: --tp"},
		{name: "not implemented", log: traceback("NotImplementedError: FlashAttention does not do this"), exit: exited(1), class: config, reason: "NotImplementedError"},
		{name: "not supported", log: traceback("ValueError: Quantization fp4 is not supported for this model."), exit: exited(1), class: config, reason: "is not supported"},
		{name: "llama.cpp: unknown option", log: "error: invalid argument: --nope\n", exit: exited(1), class: config, reason: "error: invalid argument: --nope"},

		// Ports.
		{name: "vLLM: port taken", log: "(APIServer pid=1) Traceback (most recent call last):\n(APIServer pid=1)     sock.bind(addr)\n(APIServer pid=1) OSError: [Errno 98] Address already in use\n",
			exit: exited(1), class: infra, reason: "[Errno 98]", next: "ports in machine.yaml"},
		{name: "uvicorn: port taken", log: "[2026-11-30 21:27:23] ERROR:    [Errno 98] error while attempting to bind on address ('127.0.0.1', 8001): address already in use\n",
			exit: exited(1), class: infra, reason: "address already in use"},
		{name: "internal port taken", log: traceback("torch.distributed.DistNetworkError: The server socket has failed to listen on any local network address. port: 18005, useIpv6: false, code: -98, name: EADDRINUSE, message: address already in use"),
			exit: exited(1), class: infra, reason: "torch.distributed.DistNetworkError"},
		{name: "llama.cpp: port taken", log: "0.00.032.743 E srv  llama_server: couldn't bind HTTP server socket, hostname: 127.0.0.1, port: 18000\n", exit: exited(1), class: infra, reason: "couldn't bind"},

		{name: "vLLM: port taken, a real log of two servers", log: data(t, "vllm-0.26.0-foreign-server-died.log"), exit: server.ExitInfo{Exited: true, Code: 1, StoppedByUs: true}, class: infra, reason: "(APIServer pid=1708) OSError: [Errno 98] Address already in use"},

		// Weights and hub.
		{name: "no such model", log: "OSError: /models/nope is not a local folder and is not a valid model identifier listed on 'https://huggingface.co/models'\n", exit: exited(1), class: infra, reason: "is not a local folder", next: "machine.yaml"},
		{name: "no repository", log: "huggingface_hub.errors.RepositoryNotFoundError: 404 Client Error. Repository Not Found for url: https://huggingface.co/api/models/x.\n", exit: exited(1), class: infra, reason: "Repository Not Found"},
		{name: "gated", log: "huggingface_hub.errors.GatedRepoError: 403 Client Error.\n", exit: exited(1), class: infra, reason: "GatedRepoError"},
		{name: "offline", log: "huggingface_hub.errors.OfflineModeIsEnabled: Cannot reach https://huggingface.co/api/models/x: offline mode is enabled.\n", exit: exited(1), class: infra, reason: "OfflineModeIsEnabled"},
		{name: "no such file", log: traceback("FileNotFoundError: [Errno 2] No such file or directory: '/models/x/config.json'"), exit: exited(1), class: infra, reason: "No such file or directory"},
		{name: "broken weights", log: traceback("safetensors_rust.SafetensorError: Error while deserializing header: MetadataIncompleteBuffer"), exit: exited(1), class: infra, reason: "SafetensorError"},
		{name: "incomplete weights", log: traceback("ValueError: checkpoint is incomplete: 3 of 5 files"), exit: exited(1), class: infra, reason: "incomplete"},
		{name: "llama.cpp: no model", log: "0.00.032.743 E llama_model_load: error loading model: llama_model_loader: failed to load model from /nope.gguf\n", exit: exited(1), class: infra, reason: "failed to load model"},

		// The machine.
		{name: "not installed", log: "/usr/bin/python3: No module named sglang\n", exit: exited(1), class: infra, reason: "No module named sglang"},
		{name: "part not installed", log: "Traceback (most recent call last):\nModuleNotFoundError: No module named 'sglang'\n", exit: exited(1), class: infra, reason: "No module named", next: "install the engine"},
		{name: "disk full", log: traceback("OSError: [Errno 28] No space left on device"), exit: exited(1), class: infra, reason: "No space left", next: "make room"},
		{name: "driver", log: traceback("RuntimeError: No CUDA GPUs are available"), exit: exited(1), class: infra, reason: "No CUDA GPUs", next: "nvidia-smi"},

		// The wrapper is never the cause.
		{name: "unknown cause below the wrapper", log: traceback("AssertionError: num_heads must be divisible by tp"), exit: exited(1), class: flaky, reason: "AssertionError: num_heads must be divisible by tp"},
		{name: "the wrapper alone", log: wrapped, exit: exited(1), class: flaky, reason: "the server ended by itself, with code 1"},

		// Death under load.
		{name: "vLLM: engine dead", log: "(APIServer pid=1) ERROR 11-30 21:13:43 [async_llm.py:704] vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue. See stack trace (above) for the root cause.\n",
			exit: exited(0), class: flaky, reason: "EngineDeadError", next: "died under load"},
		{name: "vLLM: engine dead of something unknown", log: core + "EngineCore encountered a fatal error.\n" + core + "Traceback (most recent call last):\n" + core + "  File \"x.py\"\n" + core + "AssertionError: slot 3\n",
			exit: exited(0), class: flaky, reason: "AssertionError: slot 3", next: "died under load"},
		{name: "vLLM: worker dead", log: "(EngineCore pid=9) ERROR 11-30 21:13:43 [multiproc_executor.py:1] Worker proc VllmWorker-1 died unexpectedly, shutting down executor.\n", class: flaky, reason: "died unexpectedly"},
		{name: "SGLang: scheduler", log: "[2026-11-30 21:26:16 TP0] Scheduler hit an exception: Traceback (most recent call last):\n  File \"scheduler.py\", line 1\nAssertionError: token 7\n", exit: exited(1), class: flaky, reason: "token 7"},
		{name: "TensorRT-LLM: loop", log: "[11/30/2026-21:25:54] [TRT-LLM] [E] Executor loop crashed on this rank\n", class: flaky, reason: "Executor loop crashed"},
		{name: "SGLang: watchdog", log: "[2026-11-30 21:26:16 TP0] Watchdog timeout (self.watchdog_timeout=300)\n", class: flaky, reason: "Watchdog timeout"},
		{name: "Xid", log: "NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus.\n", class: flaky, reason: "Xid"},
		{name: "illegal access", log: traceback("torch.AcceleratorError: CUDA error: an illegal memory access was encountered"), exit: exited(1), class: flaky, reason: "illegal memory access"},

		// A hang.
		{name: "hang", log: stats(0, 0, 4) + stats(0, 0, 4), class: flaky, reason: "Running: 4 reqs", next: "hung"},

		// By the process alone.
		{name: "killed", log: "(EngineCore pid=9) INFO 11-30 21:01:08 [model_runner.py:284] Loading model from scratch...\n", exit: server.ExitInfo{Exited: true, Signal: syscall.SIGKILL}, class: infra, reason: "the server was killed; the last line of its log: (EngineCore pid=9)", next: "out-of-memory killer"},
		{name: "segmentation fault", exit: server.ExitInfo{Exited: true, Signal: syscall.SIGSEGV}, class: flaky, reason: "ended by signal 11"},
		{name: "code 0", exit: exited(0), class: flaky, reason: "by itself, with code 0"},
		{name: "code 2", exit: exited(2), class: config, reason: "as for a wrong option"},
		{name: "code 127", exit: exited(127), class: infra, reason: "cannot be started", next: "machine.yaml"},
		{name: "an exception that nobody knows", log: "Traceback (most recent call last):\n  File \"x.py\", line 1\nKeyError: 'qwen9'\n", exit: exited(1), class: flaky, reason: "KeyError: 'qwen9'"},

		// Somebody else stopped it.
		{name: "a foreign stop whose noise is an EngineDeadError", log: data(t, "vllm-0.26.0-fp8.log"), exit: exited(0), class: infra, reason: "shutdown triggered", next: "something else than this run"},

		// No failure.
		{name: "running", log: ""},
		{name: "running, with an error of a request", log: "(APIServer pid=1) ERROR 11-30 21:13:43 [serving.py:1] Error in preprocessing prompt inputs\n(APIServer pid=1) ERROR 11-30 21:13:43 [serving.py:1] ValueError: prompt is empty\n"},
		{name: "a foreign stop of vLLM 0.20", log: "(EngineCore pid=9) INFO 11-30 21:13:43 [core.py:1238] Shutdown initiated (timeout=0)\n(EngineCore pid=9) INFO 11-30 21:13:43 [core.py:1243] Aborting 3 requests\n(APIServer pid=1) ERROR 11-30 21:13:43 [async_llm.py:704] vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue.\n",
			exit: exited(0), class: infra, reason: "Shutdown initiated", next: "something else than this run"},
		{name: "stopped by us, whatever is logged then", log: "(APIServer pid=1) INFO 11-30 21:13:43 [launcher.py:100] [shutdown] API server: shutdown triggered\n" + traceback("torch.OutOfMemoryError: CUDA out of memory"), exit: server.ExitInfo{Exited: true, Code: 1, StoppedByUs: true}},
		{name: "stopped by us after it had died", log: core + "torch.OutOfMemoryError: CUDA out of memory\n(APIServer pid=1) INFO 11-30 21:13:43 [launcher.py:100] [shutdown] API server: shutdown triggered\n",
			exit: server.ExitInfo{Exited: true, StoppedByUs: true}, class: config, reason: "out of memory"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			log := harmless + c.log
			got := server.Diagnose([]byte(log), c.exit)
			require.Equal(t, c.class, got.Class, "%+v", got)
			require.Equal(t, c.class != "", got.Failed())
			require.Contains(t, got.Reason, c.reason)
			require.Contains(t, got.Next, c.next)
			require.Equal(t, c.dirty, got.GPUNotClean)
			// A terminal's line ends change nothing.
			require.Equal(t, got, server.Diagnose([]byte(strings.ReplaceAll(log, "\n", "\r\n")), c.exit))
			if c.class == "" {
				require.Zero(t, got)
				return
			}
			require.NotEmpty(t, got.Next)
			if got.Line > 0 && !strings.HasPrefix(got.Reason, "the server") {
				line := strings.Split(log, "\n")[got.Line-1]
				require.Contains(t, line, strings.TrimSuffix(got.Reason, "…"), "the reason is the line that is named")
			}
		})
	}
}

// Real logs of starts that went well and were stopped by whoever started them: SGLang's
// says that it crashed with exit code -15, one of vLLM's ends in an EngineDeadError.
func TestRealLogsOfCleanStopsAreNoFailures(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"vllm-0.26.0-base.log", "vllm-0.26.0-fp8.log", "sglang-0.5.17-base.log", "llama-b11669.log"} {
		for _, exit := range []server.ExitInfo{
			{Exited: true, StoppedByUs: true},
			{Exited: true, Code: 1, StoppedByUs: true},
			{Exited: true, Signal: syscall.SIGKILL, StoppedByUs: true},
			{StoppedByUs: true},
		} {
			require.Zero(t, server.Diagnose([]byte(data(t, name)), exit), "%s %+v", name, exit)
		}
		require.False(t, server.Hanging([]byte(data(t, name))), name)
	}
	require.Contains(t, data(t, "sglang-0.5.17-base.log"), "crashed with exit code -15")
	require.Contains(t, data(t, "vllm-0.26.0-fp8.log"), "EngineDeadError")
	running, _, _ := strings.Cut(data(t, "vllm-0.26.0-fp8.log"), "(APIServer pid=3955) INFO 11-30 21:13:43 [launcher.py:100]")
	require.Zero(t, server.Diagnose([]byte(running), server.ExitInfo{}), "while it runs")
}

func TestAReasonIsShort(t *testing.T) {
	t.Parallel()
	got := server.Diagnose([]byte("\x1b[31mRuntimeError: CUDA out of memory 显存 \xff"+strings.Repeat("é", 300)), exited(1))
	require.Len(t, []rune(got.Reason), 200)
	require.True(t, strings.HasPrefix(got.Reason, "RuntimeError: CUDA out of memory 显存 \uFFFDé"))
	require.True(t, strings.HasSuffix(got.Reason, "…"))
}

// The first of two reasons is the reason, and what comes long after the death of the
// engine is none.
func TestTheFirstReasonWins(t *testing.T) {
	t.Parallel()
	got := server.Diagnose([]byte("OSError: [Errno 98] Address already in use\ntorch.OutOfMemoryError: x\n"), exited(1))
	require.Equal(t, study.FailInfra, got.Class)
	require.Equal(t, 1, got.Line)

	dead := "ERROR 11-30 21:13:43 [core.py:1] EngineCore encountered a fatal error.\n"
	got = server.Diagnose([]byte(dead+strings.Repeat("ERROR 11-30 21:13:43 [core.py:1]   File\n", 799)+"torch.OutOfMemoryError: x\n"), exited(1))
	require.Equal(t, study.FailConfig, got.Class)
	got = server.Diagnose([]byte(dead+strings.Repeat("ERROR 11-30 21:13:43 [core.py:1]   File\n", 800)+"torch.OutOfMemoryError: x\n"), exited(1))
	require.Equal(t, study.FailFlaky, got.Class)
}

// stats is what vLLM logs every ten seconds.
func stats(prompt, generation float64, running int) string {
	return fmt.Sprintf("(APIServer pid=1) INFO 11-30 21:02:01 [loggers.py:310] Engine 000: Avg prompt throughput: %.1f tokens/s, Avg generation throughput: %.1f tokens/s, Running: %d reqs, Waiting: 0 reqs, GPU KV cache usage: 0.1%%, Prefix cache hit rate: 0.0%%\n", prompt, generation, running)
}

func TestHanging(t *testing.T) {
	t.Parallel()
	const waiting = "(EngineCore pid=9) INFO 11-30 21:02:01 [shm_broadcast.py:501] No available shared memory broadcast block found in 60 seconds. This typically happens when some processes are hanging.\n"
	for _, c := range []struct {
		name, log string
		want      bool
	}{
		{"nothing", "", false},
		{"busy", stats(10, 100, 4) + stats(0, 100, 4), false},
		{"idle", stats(0, 0, 0) + stats(0, 0, 0), false},
		{"one still interval", stats(10, 100, 4) + stats(0, 0, 4), false},
		{"two still intervals", stats(10, 100, 4) + stats(0, 0, 4) + stats(0, 0, 4), true},
		{"two, and then on", stats(0, 0, 4) + stats(0, 0, 4) + stats(0, 50, 4), false},
		{"two, and then ended", stats(0, 0, 4) + stats(0, 0, 4) + stats(0, 0, 0), false},
		{"prompts are read", stats(900, 0, 4) + stats(900, 0, 4), false},
		{"with something between", stats(0, 0, 4) + "INFO: GET /metrics 200\n" + stats(0, 0, 4), true},
		{"a worker waits once", waiting, false},
		{"a worker waits twice", waiting + waiting, true},
		{"a worker waits twice, with progress between", waiting + stats(0, 50, 4) + waiting, false},
		{"a worker waited twice, and then progress", waiting + waiting + stats(0, 50, 4), false},
	} {
		require.Equal(t, c.want, server.Hanging([]byte(c.log)), c.name)
	}
}

func TestWhatLogsTell(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, engine, caches, version string
		effective                     map[string]string
	}{
		{"vllm-0.26.0-base.log", "vllm", server.CachesWarm, "0.26.0", map[string]string{
			"dtype": "bfloat16", "quantization": "none", "max_model_len": "40960", "kv_cache_dtype": "auto", "prefix_caching": "true", "chunked_prefill": "true",
			"tensor_parallel": "1", "pipeline_parallel": "1", "data_parallel": "1", "speculative": "none", "load_format": "dummy", "cuda_graphs": "true",
			"attention_backend": "FLASH_ATTN", "max_batched_tokens": "8192"}},
		{"vllm-0.26.0-fp8.log", "vllm", server.CachesCold, "0.26.0", map[string]string{
			"dtype": "bfloat16", "quantization": "fp8", "max_model_len": "40960", "kv_cache_dtype": "auto", "prefix_caching": "true", "chunked_prefill": "true",
			"tensor_parallel": "1", "pipeline_parallel": "1", "data_parallel": "1", "speculative": "none", "load_format": "dummy", "cuda_graphs": "true",
			"attention_backend": "FLASH_ATTN", "max_batched_tokens": "8192"}},
		{"vllm-0.26.0-foreign-server-died.log", "vllm", server.CachesUnknown, "0.26.0", nil},
		{"sglang-0.5.17-base.log", "sglang", server.CachesUnknown, "", map[string]string{
			"dtype": "auto", "quantization": "none", "kv_cache_dtype": "auto", "prefix_caching": "true", "memory_fraction": "0.903",
			"chunked_prefill": "8192", "overlap_schedule": "true", "tensor_parallel": "1", "pipeline_parallel": "1", "data_parallel": "1",
			"expert_parallel": "1", "attention_backend": "fa3", "sampling_backend": "flashinfer", "speculative": "none", "speculative_tokens": "none",
			"load_format": "dummy", "cuda_graphs": "true", "torch_compile": "false", "schedule_policy": "fcfs"}},
		{"llama-b11669.log", "llama.cpp", server.CachesUnknown, "", map[string]string{"max_num_seqs": "2", "max_model_len": "256"}},
	} {
		log := []byte(data(t, c.file))
		require.Equal(t, c.caches, server.CachesFromLog(c.engine, log), c.file)
		require.Equal(t, c.version, server.VersionFromLog(c.engine, log), c.file)
		require.Empty(t, cmp.Diff(c.effective, server.EffectiveFromLog(c.engine, log), cmpopts.EquateEmpty()), c.file)
	}
	for _, c := range []struct{ engine, log, want string }{
		{"vllm", "INFO 09-01 [api_server.py:1839] vLLM API server version 0.10.1.1\n", "0.10.1.1"},
		{"tensorrt-llm", "[TensorRT-LLM] TensorRT-LLM version: 1.1.0rc5\n", "1.1.0rc5"},
		{"llama.cpp", "build: 5332 (7c28a74e) with gcc-12 for x86_64-linux-gnu\n", "5332 (7c28a74e)"},
		{"sglang", "whatever version 3\n", ""},
		{"ollama", "version 3\n", ""},
	} {
		require.Equal(t, c.want, server.VersionFromLog(c.engine, []byte(c.log)), c.engine)
	}
	require.Equal(t, server.CachesCold, server.CachesFromLog("vllm", []byte("[backends.py:215] Directly load the compiled graph(s) for shape None from the cache, took 2 s\n[backends.py:221] Compiling a graph for general shape takes 14.16 s\n")), "one graph that had to be compiled")
}

// vLLM names the backend that it was asked for in another line than the one that it chose.
func TestTheAttentionBackendIsNamedAlikeWhoeverChoseIt(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"INFO 12-01 04:15:11 [cuda.py:368] Using FLASHINFER attention backend out of potential backends: ['FLASHINFER', 'FLASH_ATTN'].": "FLASHINFER",
		"INFO 12-01 04:15:11 [cuda.py:308] Using AttentionBackendEnum.FLASHINFER backend.":                                              "FLASHINFER",
		"INFO 12-01 04:15:11 [selector.py:136] Using HND KV cache layout for FLASHINFER backend.":                                       "",
	} {
		require.Equal(t, want, server.EffectiveFromLog("vllm", []byte(line+"\n"))["attention_backend"], line)
	}
}

// A setting that only the command line had is in the line of what was given.
func TestGivenOptionsAreReadWhereTheConfigurationLineLacksThem(t *testing.T) {
	t.Parallel()
	got := server.EffectiveFromLog("vllm", []byte(`INFO [api_utils.py:273] non-default args: {'model_tag': 'a, b=c', 'max_num_seqs': 64, 'gpu_memory_utilization': 0.8, 'speculative_config': {'method': 'ngram'}}`+"\n"))
	require.Empty(t, cmp.Diff(map[string]string{"max_num_seqs": "64", "memory_fraction": "0.8"}, got))
}

// BenchmarkDiagnose reads the log of a long run: a line for each of many requests.
func BenchmarkDiagnose(b *testing.B) {
	log := []byte(strings.Repeat(`(APIServer pid=1) INFO:     127.0.0.1:38718 - "POST /v1/chat/completions HTTP/1.1" 200 OK`+"\n"+
		"[2026-11-30 21:29:22] Decode batch, #running-req: 3, #token: 1840, token usage: 0.00, cuda graph: True, gen throughput (token/s): 551.55, #queue-req: 0\n"+stats(10, 100, 4), 10000))
	b.SetBytes(int64(len(log)))
	for b.Loop() {
		server.Diagnose(log, exited(1))
	}
}

// FuzzDiagnose: no log makes it panic, and a line that it names is there.
func FuzzDiagnose(f *testing.F) {
	for _, name := range []string{"vllm-0.26.0-base.log", "vllm-0.26.0-fp8.log", "sglang-0.5.17-base.log", "llama-b11669.log"} {
		f.Add([]byte(data(f, name)), true, 0, 0, false)
	}
	f.Add([]byte(harmless+"RuntimeError: Engine core initialization failed. Failed core proc(s): {}\n"), true, 1, 0, false)
	f.Add([]byte("\r\n\rTraceback (most recent call last)\n\n\x1b["), true, 1, 9, true)
	f.Fuzz(func(t *testing.T, log []byte, exited bool, code, signal int, stopped bool) {
		exit := server.ExitInfo{Exited: exited, Code: code, Signal: syscall.Signal(signal), StoppedByUs: stopped}
		got := server.Diagnose(log, exit)
		require.GreaterOrEqual(t, got.Line, 0)
		require.LessOrEqual(t, got.Line, 1+strings.Count(string(log), "\n"))
		require.LessOrEqual(t, len([]rune(got.Reason)), 200)
		require.Equal(t, got.Failed(), got.Reason != "" && got.Next != "")
		require.Equal(t, got, server.Diagnose(log, exit))
		_ = server.Hanging(log)
		for _, id := range engine.IDs() {
			_ = server.CachesFromLog(id, log)
		}
	})
}
