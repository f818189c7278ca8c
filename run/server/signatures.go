package server

import (
	"regexp"

	"benchguide/study"
)

// signature is a text by which a failure is known.
type signature struct {
	class string
	next  string
	texts *regexp.Regexp
	// loose texts occur in harmless lines as well, and count only in a line that says by
	// its form that something failed.
	loose bool
	// calm texts are logged as information, and are fatal all the same.
	calm  bool
	dirty bool // the GPU may not have been free
}

// What to do next, in words that are used more than once.
const (
	lowerMemory = "lower the memory fraction, the context length or the number of sequences; the candidate cannot run as it is"
	checkFlags  = "compare the options with the engine's --help; the candidate cannot run as it is"
	whereIsIt   = "install the engine, or say under engines in machine.yaml where it is"
	checkModel  = "check the model's path in machine.yaml, and that all of its files are there"
)

// causes lists what explains itself. Of all lines the first that matches one of these is
// the reason; the order matters only for a line that matches several.
func causes() []signature {
	config, infra := study.FailConfig, study.FailInfra
	return []signature{
		{class: config, next: "make sure that nothing else uses the GPUs; if nothing does, lower the memory fraction", dirty: true,
			texts: regexp.MustCompile(`Free memory on device .*is less than desired GPU memory utilization`)},
		{class: config, next: lowerMemory, texts: regexp.MustCompile(
			`CUDA out of memory|OutOfMemoryError|not enough GPU memory|No available memory for the cache blocks` +
				`|larger than the maximum number of tokens that can be stored in KV cache|Not enough memory\. Please try to increase --mem-fraction-static` +
				`|cudaMalloc failed: out of memory|(?i:cuda error: out of memory)|(?:failed|unable) to allocate .*(?:buffer|KV cache|context)` +
				`|KV cache is needed, which is larger than the available KV cache memory`)},
		{class: config, next: lowerMemory, calm: true, texts: regexp.MustCompile(`Available KV cache memory: -`)},
		{class: config, next: checkFlags, texts: regexp.MustCompile(
			`error: unrecognized arguments|error: ambiguous option|error: argument .*: (?:invalid|expected)|: error: the following arguments are required` +
				`|No such option|\d+ validation errors? for|error: invalid argument|error while handling argument`)},
		{class: config, next: checkFlags, loose: true, texts: regexp.MustCompile(
			`invalid choice|NotImplementedError|is not supported|not supported (?:for|on|by|with)|validation error|Invalid value for|not a valid (?:option|choice)`)},
		{class: infra, next: "free the port, or choose another range under ports in machine.yaml", texts: regexp.MustCompile(
			`\[Errno 98\]|EADDRINUSE|(?i:address already in use)|couldn't bind HTTP server socket`)},
		{class: infra, next: checkModel, texts: regexp.MustCompile(
			`is not a local folder and is not a valid model|Repository Not Found|RepositoryNotFoundError|GatedRepoError|OfflineModeIsEnabled|LocalEntryNotFoundError` +
				`|SafetensorError|error loading model|failed to load model`)},
		{class: infra, next: whereIsIt, loose: true, texts: regexp.MustCompile(`No module named|cannot open shared object file`)},
		{class: infra, next: whereIsIt, texts: regexp.MustCompile(`python[\d.]*: No module named|: command not found$|exec: .*: executable file not found`)},
		{class: infra, next: "make room on the disk, then start again", texts: regexp.MustCompile(`No space left on device|\[Errno 28\]`)},
		{class: infra, next: "raise the limit of open files (ulimit -n), then start again", loose: true, texts: regexp.MustCompile(`Too many open files|\[Errno 24\]`)},
		{class: infra, next: "check the driver with nvidia-smi; the machine may need a reboot", texts: regexp.MustCompile(
			`Driver/library version mismatch|no CUDA-capable device is detected|CUDA driver version is insufficient|Failed to infer device type|No CUDA GPUs are available|CUDA error: (?:system not yet initialized|all CUDA-capable devices are busy)`)},
		{class: infra, next: checkModel, loose: true, texts: regexp.MustCompile(`No such file or directory|FileNotFoundError|[Ii]ncomplete`)},
		{class: study.FailFlaky, next: "look for Xid messages in the kernel's log; the same GPU may fail again", texts: regexp.MustCompile(
			`NVRM: Xid|CUDA error: (?:an illegal memory access|unspecified launch failure|device-side assert|uncorrectable ECC|misaligned address)|NCCL error|ncclUnhandledCudaError|ncclSystemError`)},
	}
}

// deaths lists what an engine says when it has died of something. It is the reason only
// where no cause stands near: most often the traceback below, or another process's above.
func deaths() []signature {
	return []signature{
		{class: study.FailFlaky, next: "the engine died under load; see the lines before this one in server.log", texts: regexp.MustCompile(
			`EngineDeadError|EngineCore encountered a fatal error|Worker proc .*died unexpectedly|WorkerProc .*died unexpectedly|Scheduler hit an exception|Executor loop crashed on this rank`)},
		{class: study.FailFlaky, next: "the engine made no progress and ended itself; see the lines before this one in server.log", texts: regexp.MustCompile(
			`Watchdog timeout|watchdog timeout|Watchdog caught collective operation timeout|TimeoutError: RPC call to .* timed out`)},
	}
}

// wrapper is what vLLM's parent process says of a child that did not start. It is never
// the cause, and says so itself.
var wrapper = regexp.MustCompile(`Engine core initialization failed|Engine process failed to start|WorkerProc initialization failed|See root cause above|Failed core proc`)

// told are the first lines of a stop that somebody asked for. What follows them is the
// noise of a server that comes apart: a clean stop of SGLang logs a crash, one of vLLM an
// EngineDeadError.
var told = regexp.MustCompile(`\[shutdown\] .*(?:trigger received signal|shutdown triggered)|SIGTERM received|SIGINT received|Received signal (?:2|15)\b|received signal (?:SIGTERM|SIGINT|2|15)\b|KeyboardInterrupt`)
