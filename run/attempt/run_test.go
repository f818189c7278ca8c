package attempt_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/run/attempt"
	"benchguide/run/machine"
	"benchguide/study"
	"benchguide/study/studytest"
)

func TestAGoodAttempt(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	r := b.run(t, t.Context())
	require.Equal(t, attempt.Done, r.State, "%s\n%s", r.Reason, b.told())
	require.Empty(t, r.Invalid)
	var names []string
	for name := range r.Files {
		names = append(names, name)
	}
	require.ElementsMatch(t, []string{"attempt.json", "main.txt", "main.json", "main.log", "server.log", "server_info.json", "warmup.log",
		"metrics-before-main.prom", "metrics-after-main.prom"}, names)

	a := b.requireRecord(t, r)
	require.Equal(t, "vllm serve Qwen/Qwen3-8B", a.Command)
	require.True(t, a.Rehearsed)
	require.Equal(t, map[string]string{"main": b.order.Workloads[0].Digest}, a.Prompts)
	require.Equal(t, "40960", a.Server["max_model_len"])
	require.Positive(t, a.Times.Ready)
	require.Positive(t, a.Times.Trials["main"])
	require.Contains(t, a.Clients["main"], "--served-model-name "+b.order.Nonce)
	require.Contains(t, a.Clients["main"], "--dataset-path prompts/", "a reader sees what lies there and not where")
	require.NotContains(t, a.Clients["main"], "[path]")
	require.Contains(t, b.read(t, attempt.WarmupFile), "window 1: 4 prompts in ")
	b.requireNothingLeft(t)
}

func TestWhatTheServerDoesNotTellIsTakenFromItsLog(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	b.order.Command = "vllm serve Qwen/Qwen3-8B --gpu-memory-utilization 0.8"
	r := b.run(t, t.Context())
	require.Equal(t, attempt.Done, r.State, "%s\n%s", r.Reason, b.told())
	a := b.requireRecord(t, r)
	require.NotContains(t, b.read(t, attempt.InfoFile), "0.8")
	require.Equal(t, "0.8", a.Server["memory_fraction"])
	require.Equal(t, "40960", a.Server["max_model_len"], "which only the answer has")
}

func TestPhasesFollowEachOther(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	b.run(t, t.Context())
	var phases []attempt.Phase
	for _, e := range b.events {
		require.Equal(t, b.order.Nonce, e.Nonce)
		if len(phases) == 0 || phases[len(phases)-1] != e.Phase {
			phases = append(phases, e.Phase)
		}
	}
	require.Equal(t, []attempt.Phase{attempt.Checking, attempt.Starting, attempt.Warming, attempt.Measuring, attempt.Stopping, attempt.Sealing}, phases)
}

// TestAStudyReadsWhatAnAttemptLeaves publishes attempts into a study and loads it.
func TestAStudyReadsWhatAnAttemptLeaves(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, file := range studytest.Simple(studytest.Good(), studytest.Good()).FS() {
		full := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
		require.NoError(t, os.WriteFile(full, file.Data, 0o644))
	}
	run := filepath.Join(root, studytest.Dir, "runs", studytest.Run)
	for number, rule := range map[int]string{7: "", 8: `{"fault":"exit","log":"out-of-memory","code":1}`, 9: `{"fault":"port-taken"}`} {
		var rules []string
		if rule != "" {
			rules = append(rules, rule)
		}
		b := newBed(t, rules...)
		b.order.Stage, b.order.Candidate, b.order.Number, b.order.Block = "one", "c1", number, number
		r := b.run(t, t.Context())
		place, err := attempt.Publish(b.folder, run, b.order, r)
		require.NoError(t, err)
		_, complete, err := attempt.Sealed(place)
		require.NoError(t, err)
		require.True(t, complete)
	}
	f, problems := study.Load(os.DirFS(root), studytest.Dir)
	require.Empty(t, problems)
	starts := map[int]study.Start{}
	for _, s := range f.Runs[0].Starts {
		if s.Ref() == "one/c1" {
			starts[s.Number] = s
		}
	}
	require.Len(t, starts[7].Results, 1)
	require.NotNil(t, starts[7].Results[0].Requests, "the client's own file is read, too")
	require.Equal(t, study.FailConfig, starts[8].Attempt.Failure.Class)
	require.NotContains(t, starts, 9, "what the machine spoilt is no start")
	require.DirExists(t, filepath.Join(run, "one", "c1", "failed-1"))
}

func TestTwoWorkloadsAreMeasuredOnOneStart(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	more := b.order.Workloads[0]
	more.Workload.ID = "more"
	more.Prompts, more.Digest = prompts(t, filepath.Dir(b.order.Workloads[0].Prompts), "more", 5)
	b.order.Workloads = append(b.order.Workloads, more)
	r := b.run(t, t.Context())
	require.Equal(t, attempt.Done, r.State, r.Reason)
	for _, name := range []string{"main.txt", "more.txt", "main.json", "more.json"} {
		require.Contains(t, r.Files, name)
	}
	require.Contains(t, b.read(t, "more.txt"), "Successful requests:                     5")
}

func TestASweepEndsPastTheKnee(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	b.order.Workloads[0].Workload.Rates = []float64{0.5, 4, 2, 1, 8}
	r := b.run(t, t.Context())
	require.Equal(t, attempt.Done, r.State, r.Reason)
	require.Empty(t, r.Invalid)
	for _, name := range []string{"sweep/main-0.5.txt", "sweep/main-4.json", "sweep/main-2.log", "sweep/main-1.txt", "main.txt", "main.json", "metrics-after-main.prom"} {
		require.Contains(t, r.Files, name)
	}
	require.NotContains(t, r.Files, "sweep/main-8.txt", "two rates beyond the best end it")
	require.Empty(t, cmp.Diff(b.read(t, "sweep/main-4.txt"), b.read(t, "main.txt")))
	require.Equal(t, r.Files["sweep/main-4.json"], r.Files["main.json"])
	require.Contains(t, b.requireRecord(t, r).Clients["main"], "--request-rate 4")
	require.Contains(t, b.told(), "measuring at 0.5 requests a second")
}

func TestSecretsAreReplacedAndCounted(t *testing.T) {
	t.Parallel()
	b := newBed(t, `{"fault":"exit","text":"ERROR loading from /home/alice/models with HF_TOKEN=hf_abcDEF1234567890abcDEF","code":1}`)
	r := b.run(t, t.Context())
	a := b.requireRecord(t, r)
	log := b.read(t, study.ServerLog)
	require.Contains(t, log, "ERROR loading from [path] with HF_TOKEN=[key]")
	for _, text := range []string{log, r.Reason, a.Ran, a.Failure.Reason} {
		require.NotContains(t, text, "alice")
		require.NotContains(t, text, "hf_abc")
	}
	require.GreaterOrEqual(t, a.Secrets["path"], 2)
	require.GreaterOrEqual(t, a.Secrets["key"], 1)
}

func TestATornLogIsCleanedAsWell(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	b.runs(`printf 'torn \342\226 and \000 then HF_TOKEN=hf_abcDEF1234567890abcDEF\n'; exit 1`)
	b.run(t, t.Context())
	require.Contains(t, b.read(t, study.ServerLog), "torn \xe2\x96 and \x00 then HF_TOKEN=[key]\n")
}

// TestSecretsAreKnownByTheNamesOfTheirVariables, whatever they look like.
func TestSecretsAreKnownByTheNamesOfTheirVariables(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	b.runs("exit 1")
	b.order.Machine.Env = map[string]string{"NGC_TOKEN": "plain-words", "TOKENIZERS_PARALLELISM": "false"}
	b.deps.Environ = append(b.deps.Environ, "VLLM_S3_CREDENTIALS=more-words", "VLLM_USE_V1=1")
	a := b.requireRecord(t, b.run(t, t.Context()))
	require.Contains(t, a.Ran, "NGC_TOKEN=[key]")
	require.Contains(t, a.Ran, "TOKENIZERS_PARALLELISM=false")
	require.Equal(t, "1", a.Environment["VLLM_USE_V1"])
	require.NotContains(t, b.read(t, attempt.AttemptFile), "-words")
}

func TestAModelIsNamedByItsOwnPath(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := newBed(t)
	b.runs("exit 1")
	b.order.Command = "vllm serve Qwen/Qwen3-8B-FP8"
	b.order.Machine.Models = map[string]string{}
	for _, id := range []string{"Qwen/Qwen3-8B", "Qwen/Qwen3-8B-FP8"} {
		path := filepath.Join(dir, strings.ToLower(filepath.Base(id)))
		require.NoError(t, os.Mkdir(path, 0o755))
		b.order.Machine.Models[id] = path
	}
	require.Contains(t, b.requireRecord(t, b.run(t, t.Context())).Ran, " Qwen/Qwen3-8B-FP8 ")
}

func TestAStopIsInOrderWhereverItComes(t *testing.T) {
	t.Parallel()
	for _, phase := range []attempt.Phase{attempt.Checking, attempt.Starting, attempt.Warming, attempt.Measuring} {
		t.Run(string(phase), func(t *testing.T) {
			t.Parallel()
			after := map[attempt.Phase]int{attempt.Measuring: 8}[phase] // requests; the start makes one, the warm-up four
			b := newBed(t, fmt.Sprintf(`{"fault":"hang","after":%d}`, max(after, 3)))
			ctx, cancel := context.WithCancelCause(t.Context())
			b.on1st[phase] = func() { time.AfterFunc(50*time.Millisecond, func() { cancel(context.Canceled) }) }
			if phase == attempt.Checking {
				b.on1st[phase] = func() { cancel(context.Canceled) }
			}
			r := b.run(t, ctx)
			require.Equal(t, study.FailUser, r.Class, r.Reason)
			require.Contains(t, r.Next, "--resume")
			b.requireRecord(t, r)
			b.requireNothingLeft(t)
		})
	}
}

// TestWhatADeadRunnerLeftIsEnded kills `benchguide attempt` at different points of an
// attempt. What it started is ended by another runner, and the attempt can be made again.
func TestWhatADeadRunnerLeftIsEnded(t *testing.T) {
	t.Parallel()
	for _, phase := range []attempt.Phase{attempt.Starting, attempt.Warming, attempt.Measuring} {
		t.Run(string(phase), func(t *testing.T) {
			t.Parallel()
			after := map[attempt.Phase]int{attempt.Starting: 0, attempt.Warming: 3, attempt.Measuring: 8}[phase]
			b := newBed(t, fmt.Sprintf(`{"fault":"hang","after":%d,"first":1}`, after), `{"fault":"orphan"}`)
			require.NoError(t, attempt.WriteOrder(b.folder, b.order))
			runner := exec.Command(program, "attempt", b.folder)
			require.NoError(t, runner.Start())
			require.Eventually(t, func() bool {
				events, _ := os.ReadFile(filepath.Join(b.folder, attempt.EventsFile)) // not there yet, or not written to the end
				_, started := os.Stat(b.order.Rehearse.Script + ".starts")            // the engine knows what to show
				lines := strings.SplitAfter(string(events), "\n")
				last := lines[max(0, len(lines)-2)]
				return started == nil && strings.Contains(last, fmt.Sprintf(`"phase":%q`, phase))
			}, ample, 10*time.Millisecond)
			require.NoError(t, runner.Process.Kill())
			require.Error(t, runner.Wait())

			_, complete, err := attempt.Sealed(b.folder)
			require.NoError(t, err)
			require.False(t, complete)
			require.NoError(t, attempt.Clear(t.Context(), b.folder, b.order, b.deps))
			b.requireNothingLeft(t)
			require.NoError(t, attempt.Clear(t.Context(), b.folder, b.order, b.deps), "clearing twice is no harm")

			r := b.run(t, t.Context())
			require.Equal(t, attempt.Done, r.State, r.Reason)
			require.NotContains(t, strings.Join(keys(r.Files), " "), attempt.EventsFile)
		})
	}
}

func keys(m map[string]string) []string {
	var all []string
	for k := range m {
		all = append(all, k)
	}
	return all
}

func TestASealedAttemptIsNotMadeAgain(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	want := b.run(t, t.Context())
	_, err := attempt.Run(t.Context(), b.folder, b.order, b.deps, nil)
	require.ErrorContains(t, err, "is complete already")
	got, complete, err := attempt.Sealed(b.folder)
	require.NoError(t, err)
	require.True(t, complete)
	require.Empty(t, cmp.Diff(want, got))
}

// TestAContainerThatADeadRunnerLeftIsStopped shows that the command which ends a container
// is known to the next runner.
func TestAContainerThatADeadRunnerLeftIsStopped(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	require.NoError(t, attempt.WriteOrder(b.folder, b.order))
	trace := filepath.Join(t.TempDir(), "stopped")
	left, err := json.Marshal(map[string]any{"schema": 1, "nonce": b.order.Nonce, "stop": []string{"touch", trace}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(b.folder, attempt.ProcessesFile), left, 0o644))
	require.NoError(t, attempt.Clear(t.Context(), b.folder, b.order, b.deps))
	require.FileExists(t, trace)

	require.NoError(t, os.WriteFile(filepath.Join(b.folder, attempt.ProcessesFile), []byte("{"), 0o644))
	require.ErrorContains(t, attempt.Clear(t.Context(), b.folder, b.order, b.deps), "processes.json cannot be read")
}

// TestNoClientIsAskedAfterTheEnd: the version of one is asked for while the server starts, and
// that of the next when the first has answered, which may be because it was ended.
func TestNoClientIsAskedAfterTheEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, second := filepath.Join(dir, "first"), filepath.Join(dir, "second")
	b := newBed(t)
	b.runs("while ! test -e " + first + "; do sleep 0.01; done; exit 1")
	b.order.Machine.Clients = map[string]machine.Client{
		"benchguide": {Program: []string{"sh", "-c", "touch " + first + "; sleep 60"}},
		"vllm":       {Program: []string{"sh", "-c", "touch " + second + "; sleep 60"}},
	}
	other := b.order.Workloads[0]
	other.Workload.ID, other.Workload.Command = "other", "vllm bench serve"
	b.order.Workloads = append(b.order.Workloads, other)
	require.Equal(t, attempt.Failed, b.run(t, t.Context()).State)
	require.FileExists(t, first)
	require.NoFileExists(t, second)
	b.requireNothingLeft(t)
}

func TestNoProxyIsAskedForThisMachine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		env  map[string]string
		want string
	}{
		{"no proxy", map[string]string{"no_proxy": "a", "NO_PROXY": "b"}, "around it: a- b-"},
		{"a proxy", map[string]string{"http_proxy": "http://proxy.example:3128", "no_proxy": "", "NO_PROXY": ""}, "around it: 127.0.0.1,localhost- 127.0.0.1,localhost-"},
		{"with exceptions", map[string]string{"ALL_PROXY": "socks5://proxy.example", "no_proxy": "", "NO_PROXY": "hub.example"}, "around it: hub.example,127.0.0.1,localhost- hub.example,127.0.0.1,localhost-"},
		{"for nothing", map[string]string{"HTTP_PROXY": "http://proxy.example", "no_proxy": "*", "NO_PROXY": ""}, "around it: *- -"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBed(t)
			b.runs(`echo "around it: $no_proxy- $NO_PROXY-"; exit 1`)
			b.order.Machine.Env, b.deps.Environ = c.env, []string{"PATH=" + os.Getenv("PATH")}
			b.run(t, t.Context())
			require.Contains(t, b.read(t, study.ServerLog), c.want+"\n")
		})
	}
}
