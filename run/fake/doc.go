// Package fake stands in for engines and GPUs: a server with the flags and endpoints of
// vLLM, SGLang, TensorRT-LLM and llama.cpp, whose speed is that of the roofline model,
// and an nvidia-smi; both show faults by a script. Rehearsals and tests use it.
//
// # Time
//
// The engine does not measure time, it computes it. Each chunk of a stream has a field
// "benchguide_clock" with the seconds since the request was received, in microseconds,
// that a real engine would have taken; it is really sent after that time multiplied by
// the time scale, so that a person sees progress. The times of a request follow from
// its prompt and length, the options of the command, the seed of the start, whether the
// prompt was sent before, and the load that the client states (X-Benchguide-Load: how
// many requests it keeps in flight; X-Benchguide-Rate: requests a second). Nothing else:
// no clock of the machine, and not how many requests are really there. So a rehearsal
// gives the same numbers on a busy machine, and after any number of interruptions. The
// log has simulated times and made-up process ids for the same reason; requests are not
// logged. What the speeds are made of is in constants.go, and is made up.
//
// # Faults
//
// A script is a JSON file with a list of rules. The faults of every rule that matches the
// serving command are shown:
//
//	{"rules": [
//	  {"when": {"engine": "vllm", "flags": ["--kv-cache-dtype fp8"]},
//	   "first": 2, "fault": "exit", "log": "out-of-memory", "code": 1},
//	  {"when": {"name": "*-fp8-*"}, "fault": "hang", "after": 12}
//	]}
//
// when: "engine" is its id; "flags" must all be in the command, in any spelling of
// their names, with the value if one is stated; "without" must not be; "name" is a pattern
// (* and ?) for the served name, and "model" one for the model. What is left out matches.
//
// "first": 2 shows the fault at the first two starts that match, "skip": 1 passes over
// the first one. Starts are counted in a file beside the script, SCRIPT.starts, to
// which each start adds a line; delete it to begin again. A start counts
// whatever becomes of it, so a runner that is killed and repeats an attempt moves the count.
//
// The faults, with what they take ("seconds" are simulated and scaled unless it is said):
//
//	slow-start      starts "seconds" later
//	silent-start    logs nothing, opens no port, and goes on until it is ended
//	exit            ends with "code" after "seconds", with "log" or "text" in its log
//	port-taken      ends as the engine does when its port is in use
//	twin            a second listener on the same port answers under the name "name"
//	orphan          a detached child with another name and no environment lives on
//	                for "seconds" of real time (60), whatever is done to the parent
//	ignore-term     SIGTERM and SIGINT change nothing
//	zombie          a child that has ended is not waited for
//	no-tokens       health is good, and no request ever gets a token
//	hang            the same after "after" requests
//	errors          answers "status" (500) after "after" requests
//	die             the engine dies at the request behind the first "after" ones, with
//	                "code"; with "stay" the process lives on and answers 503
//	merge-chunks    "tokens" (5) tokens come in each chunk
//	role-first      the chunk with the role comes at once, long before the first token
//	reasoning       the first "tokens" (10) are reasoning, under "field" (reasoning_content)
//	no-usage        the stream has no usage
//	cached-prompts  every prompt counts as sent before
//	wrong-name      serves under "name" whatever the command says
//	short-outputs   answers end after "tokens" (8), ignore_eos or not
//	memory-stays    "mib" (40000) of the first GPU stay in use for "seconds" (0: for ever)
//	                of real time after the end; only with a fake nvidia-smi
//	speed           everything takes "factor" times as long: no fault, but a script's way
//	                to decide who wins
//
// "after" counts requests for tokens since the start, the runner's own among them. Which
// of several requests at once meets the fault is chance: times stay what they are, but
// results with failed requests may differ from one rehearsal to the next.
// The excerpts that "log" may name are those of [Excerpts].
//
// The fake nvidia-smi's state is the JSON file that BENCHGUIDE_FAKE_SMI names; package
// smi beneath this one reads it.
package fake
