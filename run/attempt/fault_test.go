package attempt_test

import (
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"benchguide/run/attempt"
	"benchguide/study"
)

// fault is something that goes wrong, and what must come of it.
type fault struct {
	rule    string     // of the fake engine
	change  func(*bed) // of the order or the machine
	class   string     // "": the attempt is done all the same
	reason  string     // part of it
	next    string     // part of it
	invalid string     // part of it
	has     []string   // files that must be there
	hasNot  []string   // files that must not
	log     string     // part of server.log
}

// TestEveryFaultHasItsClass is the matrix of what engines, machines and clients do.
func TestEveryFaultHasItsClass(t *testing.T) {
	t.Parallel()
	for name, c := range faults() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var rules []string
			if c.rule != "" {
				rules = append(rules, c.rule)
			}
			b := newBed(t, rules...)
			if c.change != nil {
				c.change(b)
			}
			r := b.run(t, t.Context())
			c.require(t, b, r)
			b.requireNothingLeft(t)
		})
	}
}

func (c fault) require(t *testing.T, b *bed, r attempt.Result) {
	t.Helper()
	about := r.Reason + "\n" + r.Next + "\n" + b.told()
	require.Equal(t, c.class, r.Class, about)
	if c.class == "" {
		require.Equal(t, attempt.Done, r.State, about)
	} else {
		require.Equal(t, attempt.Failed, r.State, about)
		require.NotEmpty(t, r.Next, "a failure says what to do")
		require.NotEmpty(t, r.Reason)
	}
	require.Contains(t, r.Reason, c.reason)
	require.Contains(t, r.Next, c.next)
	if c.invalid == "" {
		require.Empty(t, r.Invalid, about)
	}
	require.Contains(t, r.Invalid, c.invalid)
	for _, name := range c.has {
		require.FileExists(t, filepath.Join(b.folder, name))
	}
	for _, name := range c.hasNot {
		require.NoFileExists(t, filepath.Join(b.folder, name))
	}
	if c.log != "" {
		require.Contains(t, b.read(t, study.ServerLog), c.log)
	}
	b.requireRecord(t, r)
}

func faults() map[string]fault {
	const infeasible = "the candidate cannot run as it is"
	trialFiles := []string{"main.txt", "main.json"}
	started := []string{study.ServerLog}
	brief := func(b *bed) { b.order.Patience.Stall = starved }
	return map[string]fault{
		"out of memory at the start": {rule: `{"fault":"exit","log":"out-of-memory","code":1}`,
			class: study.FailConfig, reason: "CUDA out of memory", next: infeasible, has: started, hasNot: trialFiles},
		"no memory for the cache": {rule: `{"fault":"exit","log":"no-cache-memory","code":1}`,
			class: study.FailConfig, reason: "No available memory for the cache blocks", next: infeasible, has: started, hasNot: trialFiles},
		"unknown option": {rule: `{"fault":"exit","log":"bad-flag","code":2}`,
			class: study.FailConfig, reason: "unrecognized arguments", next: "--help", has: started, hasNot: trialFiles},
		"bad value": {rule: `{"fault":"exit","log":"bad-value","code":2}`,
			class: study.FailConfig, reason: "invalid choice", next: "--help", has: started, hasNot: trialFiles},
		"not supported": {rule: `{"fault":"exit","log":"not-supported","code":1}`,
			class: study.FailConfig, reason: "NotImplementedError", next: infeasible, has: started, hasNot: trialFiles},
		"a cause behind the wrapper": {rule: `{"fault":"exit","log":"engine-core","code":1}`,
			class: study.FailConfig, reason: "CUDA out of memory", next: infeasible, has: started, hasNot: trialFiles},
		"no weights": {rule: `{"fault":"exit","log":"no-weights","code":1}`,
			class: study.FailInfra, reason: "is not a local folder", next: "machine.yaml", has: started, hasNot: trialFiles},
		"port taken": {rule: `{"fault":"port-taken"}`,
			class: study.FailInfra, reason: "ddress already in use", next: "another range under ports", has: started, hasNot: trialFiles},
		"ends with 0 before it is ready": {rule: `{"fault":"exit","code":0}`,
			class: study.FailFlaky, reason: "the start of the server: the server ended by itself, with code 0", next: "tried once more", has: started, hasNot: trialFiles},
		"starts in silence": {rule: `{"fault":"silent-start"}`, change: brief,
			class: study.FailFlaky, reason: "there was no sign of progress", next: "tried again once", hasNot: trialFiles},
		"starts slowly": {rule: `{"fault":"slow-start","seconds":300}`, has: trialFiles},
		"is not ready in time": {rule: `{"fault":"slow-start","seconds":60000}`,
			change: func(b *bed) { b.order.Patience.Start = 500 * time.Millisecond },
			class:  study.FailFlaky, reason: "was not ready after 500ms", next: "more patience", hasNot: trialFiles},
		"healthy without tokens": {rule: `{"fault":"no-tokens"}`, change: brief,
			class: study.FailFlaky, reason: "has generated nothing for", next: "tried again once", hasNot: trialFiles},
		"a foreign server": {rule: `{"fault":"wrong-name","name":"someone-elses"}`,
			class: study.FailInfra, reason: "a foreign server answers on the port", next: "find what listens on port", hasNot: trialFiles},
		"a second server on the port": {rule: `{"fault":"twin","name":"forgotten"}`,
			class: study.FailInfra, reason: "it serves forgotten and not bg-", next: "find what listens on port"},
		"hangs under load": {rule: `{"fault":"hang","after":6}`,
			change: func(b *bed) { b.order.Patience.Client = starved },
			class:  study.FailFlaky, reason: "the client was not done after 3s", next: "more patience", has: []string{"main.txt", "main.log"}},
		"hangs under load, as its log says": {rule: `{"fault":"hang","after":6}`,
			change: func(b *bed) { b.order.Patience.Stall = starved },
			class:  study.FailFlaky, reason: "Avg generation throughput: 0.0 tokens/s, Running:", next: "the engine hung with requests running", has: []string{"main.txt"}},
		"a worker dies and its parent waits": {
			change: func(b *bed) {
				b.order.Patience.Stall = starved
				b.runs("echo '(EngineCore pid=2) ERROR 01-01 00:00:09 [core.py:1] torch.OutOfMemoryError: CUDA out of memory.' >&2; exec sleep 60")
			},
			class: study.FailConfig, reason: "CUDA out of memory", next: infeasible, hasNot: trialFiles},
		"dies under load": {rule: `{"fault":"die","after":7,"code":1}`,
			class: study.FailFlaky, reason: "the trial main", next: "Xid messages", has: []string{"main.log"}},
		"dies under load with exit code 0": {rule: `{"fault":"die","after":7}`,
			class: study.FailFlaky, reason: "the trial main", has: []string{"main.log"}},
		"dies in the warm-up": {rule: `{"fault":"die","after":2,"code":1}`,
			class: study.FailFlaky, reason: "the warm-up", hasNot: trialFiles, has: []string{attempt.WarmupFile}},
		"engine dead behind a living process": {rule: `{"fault":"die","after":7,"stay":true}`,
			class: study.FailFlaky, reason: "the trial main", has: trialFiles},
		"requests fail": {rule: `{"fault":"errors","after":9}`, invalid: "requests failed", has: trialFiles},
		"refuses the prompts": {rule: `{"fault":"errors","after":1,"status":400}`,
			class: study.FailConfig, reason: "refuses every request of the warm-up", next: "longest context", hasNot: trialFiles},
		"answers no prompt": {rule: `{"fault":"errors","after":1,"status":500}`,
			class: study.FailFlaky, reason: "no request of the warm-up succeeded", hasNot: trialFiles},
		"short outputs":    {rule: `{"fault":"short-outputs","tokens":3}`, invalid: "output tokens, and 55 were asked for", has: trialFiles},
		"no usage":         {rule: `{"fault":"no-usage"}`, class: study.FailFlaky, reason: "the stream has no usage", hasNot: trialFiles},
		"ignores SIGTERM":  {rule: `{"fault":"ignore-term"}`, has: trialFiles},
		"leaves an orphan": {rule: `{"fault":"orphan"}`, has: trialFiles},
		"leaves a zombie":  {rule: `{"fault":"zombie"}`, has: trialFiles},
		"role first":       {rule: `{"fault":"role-first"}`, has: trialFiles},
		"engine not installed": {change: func(b *bed) { b.order.Rehearse.Program = []string{"no-such-engine"} },
			class: study.FailInfra, reason: "no-such-engine was not found in any folder of PATH", next: "machine.yaml under engines", hasNot: append(started, trialFiles...)},
		"client not installed": {change: func(b *bed) { b.deps.Own = []string{"/nowhere/benchguide", "bench"} },
			class: study.FailInfra, reason: "client benchguide", next: "machine.yaml under clients", hasNot: append(started, trialFiles...)},
		"client with a wrong option": {change: func(b *bed) { b.order.Workloads[0].Workload.Command += " --no-such-option 1" },
			class: study.FailInfra, reason: "unknown flag --no-such-option", next: "see that the client runs", has: started},
		"disk full": {change: func(b *bed) { b.deps.DiskFree = func(string) (uint64, error) { return 5 << 20, nil } },
			class: study.FailInfra, reason: "disk full: 5 MiB are free", next: "free some room", hasNot: started},
		"disk runs full while it is measured": {
			change: func(b *bed) {
				room := uint64(2 << 30)
				b.on1st[attempt.Starting] = func() { atomic.StoreUint64(&room, 1<<20) }
				b.deps.DiskFree = func(string) (uint64, error) { return atomic.LoadUint64(&room), nil }
			},
			class: study.FailInfra, reason: "disk full: 1 MiB are free", next: "free some room"},
		"killed by the system": {change: func(b *bed) { b.runs("kill -9 $$") },
			class: study.FailInfra, reason: "the server was killed", next: "out-of-memory killer", has: started, hasNot: trialFiles},
		"a program of another name": {change: func(b *bed) { b.runs("exec no-such-program") },
			class: study.FailInfra, reason: "the start of the server", next: "machine.yaml", has: started, hasNot: trialFiles},
		"no port": {change: func(b *bed) { b.order.Machine.Ports = "70000-70001" },
			class: study.FailInfra, reason: "ports", next: "ports in machine.yaml", hasNot: started},
		"prompts changed": {change: func(b *bed) { b.order.Workloads[0].Digest = "0123456789abcdef" },
			class: study.FailInfra, reason: "the prompts of main were changed", next: "begin a new run", hasNot: started},
		"prompts gone": {change: func(b *bed) { b.fail(os.Remove(b.order.Workloads[0].Prompts)) },
			class: study.FailInfra, reason: "the prompts cannot be read", next: "begin a new run", hasNot: started},
		"no such engine": {change: func(b *bed) { b.order.Engine = "mystery" },
			class: study.FailConfig, reason: "mystery", next: "leave the candidate out", hasNot: started},
		"an option that the run sets": {change: func(b *bed) { b.order.Command += " --port 1" },
			class: study.FailConfig, reason: "--port", next: "correct the candidate", hasNot: started},
	}
}
