//go:build linux

package fake_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"benchguide/bench"
	"benchguide/run/fake"
)

func rule(text string) string { return `{"rules": [{` + text + `}]}` }

func TestAnEngineStartsServesAndEnds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ ready, end string }{
		"vllm":         {"Application startup complete.", "shutdown triggered"},
		"sglang":       {"The server is fired up and ready to roll!", "SIGTERM received"},
		"tensorrt-llm": {"Application startup complete.", "Finished server process"},
		"llama.cpp":    {"listening on http://", "cleaning up before exit"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := start(t, commands[name], "").ready()
			require.Contains(t, p.text(), c.ready)
			require.Empty(t, p.client().Do(t.Context(), aPrompt).Err)
			require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
			require.Equal(t, 0, p.code())
			require.Contains(t, p.text(), c.end)
		})
	}
}

// TestHealthWhileStarting: each engine is silent or refuses in its own way until it is ready.
func TestHealthWhileStarting(t *testing.T) {
	t.Parallel()
	slow := rule(`"fault": "slow-start", "seconds": 1e6`)
	llama := start(t, commands["llama.cpp"], slow)
	soon(t, "503 while loading", func() bool { return llama.health() == 503 })
	vllm := start(t, commands["vllm"], slow)
	soon(t, "it logs", func() bool { return strings.Contains(vllm.text(), "a fake engine of benchguide") })
	require.Equal(t, 0, vllm.health(), "nothing listens yet")
	require.NotContains(t, vllm.text(), "Application startup complete")
	for _, p := range []*process{llama, vllm} {
		require.NoError(t, p.cmd.Process.Signal(os.Interrupt))
		require.Equal(t, 0, p.code())
	}
}

func TestASilentStart(t *testing.T) {
	t.Parallel()
	p := start(t, commands["vllm"], rule(`"fault": "silent-start"`))
	// Another one that started later is long ready.
	start(t, commands["vllm"], "").ready()
	require.Equal(t, 0, p.health())
	require.Empty(t, p.text())
	require.False(t, p.ended())
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
	require.Contains(t, []int{0, -1}, p.code(), "on a busy machine the signal may come before the program listens to any")
}

func TestStartsThatFail(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		engine, rule string
		code         int
		says         string
	}{
		"memory":           {"vllm", `"fault": "exit", "code": 1, "log": "out-of-memory"`, 1, "torch.OutOfMemoryError: CUDA out of memory"},
		"memory of llama":  {"llama.cpp", `"fault": "exit", "code": 1, "log": "out-of-memory"`, 1, "cudaMalloc failed: out of memory"},
		"cache memory":     {"vllm", `"fault": "exit", "code": 1, "log": "no-cache-memory"`, 1, "No available memory for the cache blocks"},
		"sglang's memory":  {"sglang", `"fault": "exit", "code": 1, "log": "no-cache-memory"`, 1, "Not enough memory. Please try to increase --mem-fraction-static"},
		"gpu in use":       {"vllm", `"fault": "exit", "code": 1, "log": "gpu-in-use"`, 1, "Free memory on device (3.81/79.11 GiB) on startup is less than desired GPU memory utilization"},
		"bad flag":         {"vllm", `"fault": "exit", "code": 2, "log": "bad-flag"`, 2, "error: unrecognized arguments"},
		"bad flag of trt":  {"tensorrt-llm", `"fault": "exit", "code": 2, "log": "bad-flag"`, 2, "No such option"},
		"bad value":        {"sglang", `"fault": "exit", "code": 2, "log": "bad-value"`, 2, "invalid choice"},
		"not supported":    {"vllm", `"fault": "exit", "code": 1, "log": "not-supported"`, 1, "NotImplementedError"},
		"weights":          {"vllm", `"fault": "exit", "code": 1, "log": "no-weights"`, 1, "is not a local folder"},
		"exit 0":           {"sglang", `"fault": "exit", "log": "engine-core"`, 0, "Scheduler hit an exception"},
		"own text":         {"vllm", `"fault": "exit", "code": 7, "text": "something of our own"`, 7, "something of our own"},
		"port":             {"vllm", `"fault": "port-taken"`, 1, "[Errno 98] Address already in use"},
		"port of sglang":   {"sglang", `"fault": "port-taken"`, 1, "address already in use"},
		"port of llama":    {"llama.cpp", `"fault": "port-taken"`, 1, "couldn't bind HTTP server socket"},
		"a twin's command": {"vllm", `"fault": "twin"`, 2, "twin needs a name"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := start(t, commands[c.engine], rule(c.rule))
			require.Equal(t, c.code, p.code())
			require.Contains(t, p.text(), c.says)
		})
	}
}

// TestTheCauseStandsAboveTheWrapper: a diagnosis has to read upwards.
func TestTheCauseStandsAboveTheWrapper(t *testing.T) {
	t.Parallel()
	p := start(t, commands["vllm"], rule(`"fault": "exit", "code": 1, "log": "engine-core"`))
	require.Equal(t, 1, p.code())
	cause, wrapper := strings.Index(p.text(), "torch.OutOfMemoryError"), strings.Index(p.text(), "See root cause above")
	require.Positive(t, cause)
	require.Greater(t, wrapper, cause)
}

func TestAPortThatIsReallyTaken(t *testing.T) {
	t.Parallel()
	first := start(t, commands["llama.cpp"], "").ready()
	second := &process{t: t, port: first.port, log: filepath.Join(t.TempDir(), "server.log"), done: make(chan struct{})}
	second.run(append([]string{"fake-engine", "--time-scale", "0", "--"}, words(commands["llama.cpp"]+" --port "+strconv.Itoa(first.port))...), nil)
	require.Equal(t, 1, second.code())
	require.Contains(t, second.text(), "couldn't bind HTTP server socket")
}

func names(t *testing.T, p *process) []string {
	t.Helper()
	var seen []string
	for range 60 {
		name, err := p.client().FirstModel(t.Context())
		require.NoError(t, err)
		if !slices.Contains(seen, name) {
			seen = append(seen, name)
		}
	}
	slices.Sort(seen)
	return seen
}

func TestATwinAnswersUnderAnotherName(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"name"}, names(t, start(t, commands["vllm"], "").ready()))
	require.Equal(t, []string{"left-over", "name"}, names(t, start(t, commands["vllm"], rule(`"fault": "twin", "name": "left-over"`)).ready()))
}

func TestAWrongName(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"other"}, names(t, start(t, commands["sglang"], rule(`"fault": "wrong-name", "name": "other"`)).ready()))
}

// childOf waits for the line in the log that names a child.
func childOf(t *testing.T, p *process) int {
	t.Helper()
	pid := 0
	soon(t, "a child is named", func() bool {
		if m := regexp.MustCompile(`fault: the child (\d+)`).FindStringSubmatch(p.text()); m != nil {
			pid, _ = strconv.Atoi(m[1])
		}
		return pid != 0
	})
	return pid
}

// stateOf is the state of a process, such as Z, and "" when there is none.
func stateOf(pid int) string {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	return strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))[0]
}

func TestAnOrphanOutlivesItsParent(t *testing.T) {
	t.Parallel()
	p := start(t, commands["vllm"], rule(`"fault": "orphan", "seconds": 30`)).ready()
	pid := childOf(t, p)
	t.Cleanup(func() { syscall.Kill(pid, syscall.SIGKILL) })
	require.NoError(t, p.cmd.Process.Kill())
	p.code()
	soon(t, "it has another name", func() bool {
		command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		return strings.HasPrefix(string(command), "VLLM::EngineCore\x00")
	})
	require.Contains(t, "SRD", stateOf(pid), "it lives")
	environ, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	require.NoError(t, err)
	require.Empty(t, environ)
	session, _, errno := syscall.Syscall(syscall.SYS_GETSID, uintptr(pid), 0, 0)
	require.Zero(t, errno)
	require.Equal(t, pid, int(session))
}

func TestAnOrphanEndsByItself(t *testing.T) {
	t.Parallel()
	pid := childOf(t, start(t, commands["vllm"], rule(`"fault": "orphan", "seconds": 0.05`)))
	soon(t, "it ends", func() bool { s := stateOf(pid); return s == "" || s == "Z" })
}

func TestAZombie(t *testing.T) {
	t.Parallel()
	p := start(t, commands["vllm"], rule(`"fault": "zombie"`)).ready()
	pid := childOf(t, p)
	soon(t, "it is a zombie", func() bool { return stateOf(pid) == "Z" })
}

func TestTermIsIgnored(t *testing.T) {
	t.Parallel()
	p := start(t, commands["vllm"], rule(`"fault": "ignore-term"`)).ready()
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGINT))
	require.Empty(t, p.client().Do(t.Context(), aPrompt).Err, "it still serves")
	require.False(t, p.ended())
	require.NoError(t, p.cmd.Process.Kill())
	require.Equal(t, -1, p.code())
}

// unanswered reports that a request gets no end, by ending it.
func unanswered(t *testing.T, p *process) bool {
	t.Helper()
	c := p.client()
	c.Timeout = 300 * time.Millisecond
	y := c.Do(t.Context(), aPrompt)
	return strings.Contains(y.Err, "no end of the answer") && len(y.Chunks) == 0
}

func TestHealthIsGoodAndNoTokenComes(t *testing.T) {
	t.Parallel()
	p := start(t, commands["vllm"], rule(`"fault": "no-tokens"`)).ready()
	require.True(t, unanswered(t, p))
	require.Equal(t, 200, p.health())
}

func TestAHangAfterSomeRequests(t *testing.T) {
	t.Parallel()
	p := start(t, commands["vllm"], rule(`"fault": "hang", "after": 2`)).ready()
	for range 2 {
		require.Empty(t, p.client().Do(t.Context(), aPrompt).Err)
	}
	require.Equal(t, 200, p.health())
	ctx, cancel := context.WithCancel(t.Context())
	hung := make(chan bench.Outcome)
	go func() { hung <- p.client().Do(ctx, aPrompt) }()
	soon(t, "the log shows two times that nothing is generated", func() bool {
		return strings.Count(p.text(), "Avg generation throughput: 0.0 tokens/s, Running: 1 reqs") >= 2
	})
	cancel()
	require.Empty(t, (<-hung).Chunks)
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
	require.Equal(t, 0, p.code())
}

func TestErrorsAfterSomeRequests(t *testing.T) {
	t.Parallel()
	p := start(t, commands["sglang"], rule(`"fault": "errors", "after": 1`)).ready()
	require.Empty(t, p.client().Do(t.Context(), aPrompt).Err)
	require.Contains(t, p.client().Do(t.Context(), aPrompt).Err, "500 Internal Server Error")
	p = start(t, commands["vllm"], rule(`"fault": "errors", "status": 503`)).ready()
	require.Contains(t, p.client().Do(t.Context(), aPrompt).Err, "503 Service Unavailable")
}

func TestTheEngineDiesUnderLoad(t *testing.T) {
	t.Parallel()
	for engine, says := range map[string]string{"vllm": "EngineDeadError", "sglang": "Scheduler hit an exception", "tensorrt-llm": "Executor loop crashed on this rank", "llama.cpp": "CUDA error"} {
		p := start(t, commands[engine], rule(`"fault": "die", "after": 1`)).ready()
		require.Empty(t, p.client().Do(t.Context(), aPrompt).Err)
		require.NotEmpty(t, p.client().Do(t.Context(), aPrompt).Err)
		require.Equal(t, 0, p.code(), "a good code in spite of it")
		require.Contains(t, p.text(), says)
	}
	p := start(t, commands["vllm"], rule(`"fault": "die", "code": 134`)).ready()
	require.NotEmpty(t, p.client().Do(t.Context(), aPrompt).Err)
	require.Equal(t, 134, p.code())
	p = start(t, commands["tensorrt-llm"], rule(`"fault": "die", "stay": true`)).ready()
	require.NotEmpty(t, p.client().Do(t.Context(), aPrompt).Err)
	require.Equal(t, 503, p.health(), "it lives on and is not well")
	require.False(t, p.ended())
}

func TestFaultsOfStreams(t *testing.T) {
	t.Parallel()
	chat := func(t *testing.T, o fake.Options, text string) bench.Outcome {
		t.Helper()
		var err error
		if text != "" {
			o.Script, err = fake.ReadScript("script", strings.NewReader(rule(text)))
			require.NoError(t, err)
		}
		return clientOf(newFake(t, o).URL, bench.Chat).Do(t.Context(), bench.Prompt{Text: strings.Repeat("word ", 300), Output: 40})
	}
	o := fake.Options{Words: words(commands["vllm"])}
	plain := chat(t, o, "")
	require.Empty(t, plain.Err)
	require.Len(t, plain.Chunks, 41) // the role, and each token

	merged := chat(t, o, `"fault": "merge-chunks", "tokens": 4`)
	require.Len(t, merged.Chunks, 11)
	require.Equal(t, 40, merged.Output)
	require.Equal(t, plain.End, merged.End)

	first := chat(t, o, `"fault": "role-first"`)
	require.Less(t, first.Chunks[0], plain.Chunks[0]/5)
	require.Equal(t, plain.FirstText, first.FirstText)

	thinking := chat(t, o, `"fault": "reasoning", "tokens": 5`)
	require.Equal(t, plain, thinking, "our client counts reasoning like the rest")
	_, body := post(t, newFake(t, with(t, o, `"fault": "reasoning", "tokens": 2, "field": "reasoning"`)).URL+"/v1/chat/completions", `{"messages":[{"role":"user","content":"a"}],"max_tokens":3,"stream":true}`)
	require.Equal(t, 2, strings.Count(body, `"delta":{"reasoning":`))

	require.Contains(t, chat(t, o, `"fault": "no-usage"`).Err, "no usage")
	require.Less(t, chat(t, o, `"fault": "cached-prompts"`).Chunks[0], plain.Chunks[0])
	short := chat(t, o, `"fault": "short-outputs", "tokens": 7`)
	require.Empty(t, short.Err)
	require.Equal(t, 7, short.Output)

	slow := chat(t, o, `"fault": "speed", "factor": 2`)
	require.InDelta(t, 2, float64(slow.End)/float64(plain.End), 0.001)
}

func with(t *testing.T, o fake.Options, text string) fake.Options {
	t.Helper()
	script, err := fake.ReadScript("script", strings.NewReader(rule(text)))
	require.NoError(t, err)
	o.Script = script
	return o
}

// smi is the state of a fake nvidia-smi.
type smi struct {
	Devices []struct {
		UUID string  `json:"uuid"`
		Name string  `json:"name"`
		Used float64 `json:"memory_used"`
	} `json:"devices"`
	Processes []struct {
		GPU  string  `json:"uuid"`
		PID  int     `json:"pid"`
		Used float64 `json:"memory"`
	} `json:"processes"`
}

func readSMI(t *testing.T, file string) smi {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	var s smi
	require.NoError(t, json.Unmarshal(data, &s))
	return s
}

func TestMemoryStays(t *testing.T) {
	t.Parallel()
	state := func() string {
		file := filepath.Join(t.TempDir(), "smi.json")
		require.NoError(t, os.WriteFile(file, []byte(`{"devices": [{"index": 0, "uuid": "GPU-fake-0", "name": "NVIDIA H100 80GB HBM3", "memory_used": 7, "memory_total": 81559}], "processes": [{"uuid": "GPU-fake-0", "pid": 1, "memory": 7, "name": "python"}]}`), 0o644))
		return file
	}
	ever := state()
	p := start(t, commands["vllm"], rule(`"fault": "memory-stays", "mib": 50000`), "BENCHGUIDE_FAKE_SMI="+ever).ready()
	s := readSMI(t, ever)
	require.InDelta(t, 50007, s.Devices[0].Used, 0)
	require.Equal(t, "NVIDIA H100 80GB HBM3", s.Devices[0].Name, "what it does not know it keeps")
	require.Len(t, s.Processes, 2)
	require.Equal(t, p.cmd.Process.Pid, s.Processes[1].PID)
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
	require.Equal(t, 0, p.code())
	require.Equal(t, s, readSMI(t, ever))

	late := state()
	p = start(t, commands["vllm"], rule(`"fault": "memory-stays", "mib": 50000, "seconds": 0.05`), "BENCHGUIDE_FAKE_SMI="+late).ready()
	require.NoError(t, p.cmd.Process.Kill())
	p.code()
	soon(t, "the memory falls", func() bool { s := readSMI(t, late); return s.Devices[0].Used == 7 && len(s.Processes) == 1 })

	require.Contains(t, start(t, commands["vllm"], rule(`"fault": "memory-stays"`), "BENCHGUIDE_FAKE_SMI=").ready().text(), "only where BENCHGUIDE_FAKE_SMI")
}

// TestAFaultOfTheFirstStarts counts in the file beside the script, over several processes.
func TestAFaultOfTheFirstStarts(t *testing.T) {
	t.Parallel()
	script := filepath.Join(t.TempDir(), "script.json")
	require.NoError(t, os.WriteFile(script, []byte(rule(`"when": {"engine": "vllm"}, "skip": 1, "first": 2, "fault": "exit", "code": 9`)), 0o644))
	var codes []int
	for range 5 {
		p := &process{t: t, port: freePort(t), log: filepath.Join(t.TempDir(), "server.log"), done: make(chan struct{})}
		p.base = "http://127.0.0.1:" + strconv.Itoa(p.port)
		p.run(append([]string{"fake-engine", "--time-scale", "0", "--script", script, "--"}, words(commands["vllm"]+" --port "+strconv.Itoa(p.port))...), nil)
		soon(t, "it ends or is ready", func() bool { return p.ended() || p.health() == 200 })
		if !p.ended() {
			require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
		}
		codes = append(codes, p.code())
	}
	require.Equal(t, []int{0, 9, 9, 0, 0}, codes)
	counted, err := os.ReadFile(fake.StartsFile(script))
	require.NoError(t, err)
	require.Equal(t, 5, strings.Count(string(counted), "rule 1 by "))
}

func TestAWrongCommandLineIsSaid(t *testing.T) {
	t.Parallel()
	for says, args := range map[string][]string{
		"no serving command":     {},
		"starts none of":         {"--", "nginx"},
		"--time-scale -1":        {"--time-scale", "-1", "--", "vllm", "serve", "m"},
		"no such file":           {"--script", "nowhere.json", "--", "vllm", "serve", "m"},
		"no shape of a model":    {"--shape", "main_test.go", "--", "vllm", "serve", "m"},
		"flag provided but not":  {"--nonsense", "--", "vllm", "serve", "m"},
		"is no script of faults": {"--script", "main_test.go", "--", "vllm", "serve", "m"},
	} {
		p := &process{t: t, log: filepath.Join(t.TempDir(), "server.log"), done: make(chan struct{})}
		p.run(append([]string{"fake-engine"}, args...), nil)
		require.Equal(t, 2, p.code(), says)
		require.Contains(t, p.text(), says)
	}
}

// TestRunningRequestsAtTheEnd: SGLang drains them, vLLM cuts them unless it is told to wait.
func TestRunningRequestsAtTheEnd(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		command, running string
		answered         bool
	}{
		"sglang":            {commands["sglang"], "sglang:num_running_reqs{engine_type=\"unified\",model_name=\"name\"} 1.0", true},
		"vllm":              {commands["vllm"], "vllm:num_requests_running{engine=\"0\",model_name=\"name\"} 1.0", false},
		"vllm told to wait": {commands["vllm"] + " --shutdown-timeout 60", "vllm:num_requests_running{engine=\"0\",model_name=\"name\"} 1.0", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := start(t, c.command, rule(`"fault": "speed", "factor": 10`)).ready()
			ended := make(chan bench.Outcome)
			go func() { ended <- p.client().Do(t.Context(), bench.Prompt{Text: "a b c", Output: 20000}) }()
			soon(t, "the request is running", func() bool {
				_, metrics := get(t, p.base+"/metrics")
				return strings.Contains(metrics, c.running)
			})
			require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
			o := <-ended
			require.Equal(t, c.answered, o.OK(), o.Err)
			require.Equal(t, 0, p.code())
		})
	}
}

// A request that has arrived is running, though its body is still under way, and what is
// running is answered by an engine that drains.
func TestARequestThatHasArrivedIsAnswered(t *testing.T) {
	t.Parallel()
	p := start(t, commands["sglang"], "").ready()
	body, write := io.Pipe()
	status := make(chan string, 1)
	go func() {
		resp, err := http.Post(p.base+"/v1/completions", "application/json", body)
		if err != nil {
			status <- err.Error()
			return
		}
		resp.Body.Close()
		status <- resp.Status
	}()
	soon(t, "the request is running", func() bool {
		_, metrics := get(t, p.base+"/metrics")
		return strings.Contains(metrics, `sglang:num_running_reqs{engine_type="unified",model_name="name"} 1.0`)
	})
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
	soon(t, "the engine has heard", func() bool { return strings.Contains(p.text(), "SIGTERM received") })
	_, err := io.WriteString(write, `{"prompt": "a b c"}`)
	require.NoError(t, err)
	require.NoError(t, write.Close())
	require.Equal(t, "200 OK", <-status)
	require.Equal(t, 0, p.code())
}
