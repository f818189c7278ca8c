package server

import (
	"strings"

	"benchguide/study"
)

// signature is a failure and the texts by which it is known. They are plain texts and no
// patterns: a log has a line for each of many thousand requests, and dozens of patterns
// take a third of a millisecond for each of them.
type signature struct {
	class string
	next  string
	texts []string
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
	checkModel  = "check the model's path in machine.yaml, and that all of its files are there"
	whereIsIt   = "install the engine, or say under engines in machine.yaml where it is"
)

// causes lists what explains itself. Of all lines the first that shows one of these is
// the reason; the order matters only for a line that shows several.
func causes() []signature {
	const config, infra, flaky = study.FailConfig, study.FailInfra, study.FailFlaky
	return []signature{
		{class: config, next: "make sure that nothing else uses the GPUs; if nothing does, lower the memory fraction", dirty: true,
			texts: []string{"is less than desired GPU memory utilization"}},
		{class: config, next: lowerMemory, texts: []string{
			"CUDA out of memory", "OutOfMemoryError", "not enough GPU memory", "No available memory for the cache blocks",
			"larger than the maximum number of tokens that can be stored in KV cache", "larger than the available KV cache memory",
			"Not enough memory. Please try to increase --mem-fraction-static", "cudaMalloc failed: out of memory", "CUDA error: out of memory"}},
		{class: config, next: lowerMemory, loose: true, texts: []string{"failed to allocate", "unable to allocate"}},
		{class: config, next: lowerMemory, calm: true, texts: []string{"Available KV cache memory: -"}},
		{class: config, next: checkFlags, texts: []string{
			"error: unrecognized arguments", "error: ambiguous option", "error: argument ", "error: the following arguments are required",
			"No such option", " validation error for ", " validation errors for ", "error: invalid argument", "error while handling argument"}},
		{class: config, next: checkFlags, loose: true, texts: []string{
			"invalid choice", "NotImplementedError", "is not supported", "not supported for", "not supported on", "not supported by", "not supported with",
			"validation error", "Invalid value for"}},
		{class: infra, next: "free the port, or choose another range under ports in machine.yaml", texts: []string{
			"[Errno 98]", "EADDRINUSE", "ddress already in use", "couldn't bind HTTP server socket"}},
		{class: infra, next: checkModel, texts: []string{
			"is not a local folder and is not a valid model", "Repository Not Found", "RepositoryNotFoundError", "GatedRepoError",
			"OfflineModeIsEnabled", "LocalEntryNotFoundError", "SafetensorError", "error loading model", "failed to load model"}},
		{class: infra, next: whereIsIt, loose: true, texts: []string{"No module named", "cannot open shared object file", "command not found"}},
		{class: infra, next: "make room on the disk, then start again", texts: []string{"No space left on device", "[Errno 28]"}},
		{class: infra, next: "raise the limit of open files (ulimit -n), then start again", loose: true, texts: []string{"Too many open files", "[Errno 24]"}},
		{class: infra, next: "check the driver with nvidia-smi; the machine may need a reboot", texts: []string{
			"Driver/library version mismatch", "no CUDA-capable device is detected", "CUDA driver version is insufficient", "Failed to infer device type",
			"No CUDA GPUs are available", "CUDA error: system not yet initialized", "all CUDA-capable devices are busy"}},
		{class: infra, next: checkModel, loose: true, texts: []string{"No such file or directory", "FileNotFoundError", "incomplete", "Incomplete"}},
		{class: flaky, next: "look for Xid messages in the kernel's log; the same GPU may fail again", texts: []string{
			"NVRM: Xid", "an illegal memory access", "unspecified launch failure", "device-side assert", "uncorrectable ECC", "CUDA error: misaligned address",
			"NCCL error", "ncclUnhandledCudaError", "ncclSystemError"}},
	}
}

// deaths lists what an engine says when it has died of something. It is the reason only
// where no cause stands near: most often the traceback below, or another process's above.
func deaths() []signature {
	return []signature{
		{class: study.FailFlaky, next: "the engine died under load; see the lines before this one in server.log", texts: []string{
			"EngineDeadError", "EngineCore encountered a fatal error", "died unexpectedly", "Scheduler hit an exception", "Executor loop crashed on this rank"}},
		{class: study.FailFlaky, next: "the engine made no progress and ended itself; see the lines before this one in server.log", texts: []string{
			"Watchdog timeout", "watchdog timeout", "Watchdog caught collective operation timeout", "TimeoutError: RPC call to"}},
	}
}

// wrapped reports whether a line is what vLLM's parent process says of a child that did
// not start. It is never the cause, and says so itself.
func wrapped(l line) bool {
	return holds(l.text, "Engine core initialization failed", "Engine process failed to start", "WorkerProc initialization failed", "See root cause above", "Failed core proc")
}

// told reports whether a line begins a stop that somebody asked for. What follows is the
// noise of a server that comes apart: a clean stop of SGLang logs a crash, one of vLLM an
// EngineDeadError.
func told(l line) bool {
	if strings.Contains(l.text, "[shutdown]") {
		return holds(l.text, "trigger received signal", "shutdown triggered")
	}
	// "Shutdown initiated" is vLLM's before it had the prefix above.
	return holds(l.text, "SIGTERM received", "SIGINT received", "eceived signal SIGTERM", "eceived signal SIGINT", "KeyboardInterrupt", "Shutdown initiated (timeout=")
}

func holds(text string, any ...string) bool {
	for _, s := range any {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}
