package client_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/bench"
	"benchguide/engine"
	"benchguide/run/client"
	"benchguide/run/machine"
	"benchguide/study"
)

var update = flag.Bool("update", false, "write the golden files anew")

// machineOf is a machine with a program of its own for our client, as a run has it.
func machineOf() machine.Profile {
	return machine.Profile{
		Env:     map[string]string{"HF_HUB_OFFLINE": "1"},
		Clients: map[string]machine.Client{"benchguide": {Program: []string{"/usr/bin/benchguide", "bench"}}},
	}
}

// promptFile writes the prompts of a trial.
func promptFile(t *testing.T, dir string) string {
	t.Helper()
	name := filepath.Join(dir, "c4.jsonl")
	require.NoError(t, os.WriteFile(name, []byte("{\"prompt\":\"one <two>\",\"output_tokens\":3}\n{\"prompt\":\"\\\"three\\\"\\n\",\"output_tokens\":40}\n"), 0o644))
	return name
}

func trialOf(t *testing.T, command string) client.Trial {
	t.Helper()
	return client.Trial{
		Workload: study.Workload{ID: "c4", Concurrency: 4, Command: command},
		Prompts:  promptFile(t, t.TempDir()), Count: 2, Output: 43,
		Model: "Qwen/Qwen3-8B", Served: "bg-1a2b", Tokenizer: "/models/Qwen3-8B", Host: "127.0.0.1", Port: 18004,
		IgnoreEOS: true, Folder: "attempt", Result: "c4",
	}
}

// printed is a trial's command with the folder of its prompts taken out.
func printed(t *testing.T, trial client.Trial, c client.Client) string {
	t.Helper()
	l, err := c.Launch(trial, machineOf())
	require.NoError(t, err)
	return strings.ReplaceAll(shown(l.Words), filepath.Dir(trial.Prompts)+"/", "prompts/")
}

// lineWidth is that of serving commands, which stand on the same pages.
const lineWidth = 88

// shown is a command as a person reads it: one line if it is short, otherwise one
// option a line with continuations.
func shown(words []string) string {
	line := engine.Quote(words)
	if len(line) <= lineWidth {
		return line
	}
	var lines []string
	for begin, i := 0, 1; i <= len(words); i++ {
		if i < len(words) && !strings.HasPrefix(words[i], "--") {
			continue
		}
		lines = append(lines, engine.Quote(words[begin:i]))
		begin = i
	}
	return strings.Join(lines, " \\\n    ")
}

// golden compares with a file, which -update writes.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(string(want), got))
}

// Every command that the guides print can be run, by its own client and in a rehearsal.
func TestCommandsOfTheShippedStudies(t *testing.T) {
	t.Parallel()
	const dir = "../../content/studies"
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var out strings.Builder
	for _, e := range entries {
		f, problems := study.Load(os.DirFS(dir), e.Name())
		require.Empty(t, problems)
		for _, w := range f.Study.Workloads {
			trial := trialOf(t, w.Command)
			trial.Workload, trial.Count, trial.Model, trial.Result = w, w.Prompts, f.Study.Model.ID, w.ID
			c, err := client.Of(w.Command)
			require.NoError(t, err)
			require.Equal(t, strings.HasPrefix(w.Command, "vllm "), c.ID() == "vllm", w.Command)
			out.WriteString("# " + e.Name() + " " + w.ID + "\n" + printed(t, trial, c) + "\n")
			trial.TimeScale = 0.01
			out.WriteString("# rehearsed\n" + printed(t, trial, client.Own()) + "\n\n")
		}
	}
	golden(t, "studies.txt", out.String())
}

// What the run owns is replaced, wherever and however it was written; the rest stays.
func TestCommandsOfEachClient(t *testing.T) {
	t.Parallel()
	rate := func(trial *client.Trial) { trial.Rate, trial.Workload.Concurrency = 7.5, 0 }
	stops := func(trial *client.Trial) { trial.IgnoreEOS, trial.Temperature = false, 0.7 }
	limits := func(trial *client.Trial) {
		two, three, half := 200.0, 300.0, 0.5
		trial.Limits = []study.Limit{{Metric: "p99_ttft", AtMost: &three}, {Metric: "mean_ttft", AtMost: &two}, {Metric: "median_tpot", AtMost: &three}, {Metric: "error_rate", AtMost: &half}}
	}
	var out strings.Builder
	for _, c := range []struct {
		name, command string
		change        func(*client.Trial)
	}{
		{"vllm as plain as can be", "vllm bench serve --model M", nil},
		{"vllm with everything wrong", "/opt/venv/bin/vllm bench serve --port 1 --host=other --base_url http://x --dataset-name random --random-input-len 9 --output-len 4 " +
			"--num-prompts 7 --max-concurrency 99 --result-dir r --result-filename r.json --append-result --temperature 1 --seed 5 --num-warmups 3 --request-rate inf", nil},
		{"vllm with options that stay", `vllm bench serve --top-p 0.9 --metadata a=1 b=2 --extra-body '{"x": {"y": 1}}' --lora-modules one two --burstiness 0.5 --metric-percentiles 50,99.9`, nil},
		{"vllm at a rate", "vllm bench serve --max-concurrency 4", rate},
		{"vllm with limits", "vllm bench serve --goodput e2el:1 ttft:2", limits},
		{"vllm with ends of its own", "vllm bench serve --ignore-eos", stops},
		{"sglang", "python3 -m sglang.bench_serving --backend sglang --dataset-name sharegpt --dataset-path S --num-prompts 9 --random-range-ratio 1 --flush-cache --warmup-requests 4", nil},
		{"sglang at a rate with ends of its own", "python -m sglang.bench_serving --backend vllm --port 1", func(trial *client.Trial) { rate(trial); stops(trial) }},
		{"guidellm benchmark", "guidellm benchmark --target http://x:1 --rate-type concurrent --rate 1 --data a --max-seconds 30 --warmup-percent 0.1 --output-path o.json", nil},
		{"guidellm benchmark run at a rate", "guidellm benchmark run --request-type text_completions --profile sweep", rate},
		{"guidellm run", "guidellm run --backend kind=openai_http,target=http://x,request_format=/v1/completions --profile kind=sweep --data kind=synthetic_text,prompt_tokens=9 --constraint kind=max_duration,seconds=1", nil},
		{"guidellm run at a rate with ends of its own", "guidellm run --profile kind=constant,rate=3", func(trial *client.Trial) { rate(trial); stops(trial) }},
		{"guidellm benchmark with all at once", "guidellm benchmark", func(trial *client.Trial) { trial.Workload.Concurrency = 0 }},
		{"guidellm run with all at once", "guidellm run", func(trial *client.Trial) { trial.Workload.Concurrency = 0 }},
		{"benchguide", "benchguide bench --backend openai-chat --max-concurrency 4 --tokenizer t", nil},
		{"benchguide in a rehearsal of vllm", "vllm bench serve --goodput ttft:1 tpot:2 --random-input-len 4 --top-p 0.9 --burstiness 2", func(trial *client.Trial) { limits(trial); trial.TimeScale = 0.1 }},
		{"benchguide in a rehearsal of guidellm", "guidellm benchmark --rate 3", func(trial *client.Trial) { trial.TimeScale = 0.1 }},
		{"benchguide in a rehearsal of sglang", "python3 -m sglang.bench_serving --backend sglang", func(trial *client.Trial) { trial.TimeScale = 0.1 }},
	} {
		trial := trialOf(t, c.command)
		if c.change != nil {
			c.change(&trial)
		}
		k, err := client.Of(c.command)
		require.NoError(t, err, c.name)
		if trial.TimeScale > 0 {
			k = client.Own()
		}
		out.WriteString("# " + c.name + "\n" + printed(t, trial, k) + "\n\n")
	}
	golden(t, "clients.txt", out.String())
}

// The flags are those that the clients' own help texts and sources have; a client ends at
// once over one that it does not know.
func TestEveryFlagIsOneOfTheClients(t *testing.T) {
	t.Parallel()
	for version, command := range map[string]string{
		"vllm-0.20.2": "vllm bench serve", "vllm-0.26.0": "vllm bench serve", "sglang-0.5.17": "python3 -m sglang.benchmark.serving",
		"guidellm-0.5.4": "guidellm benchmark", "guidellm-0.8.1": "guidellm run",
	} {
		src, err := os.ReadFile(filepath.Join("testdata/flags", version+".txt"))
		require.NoError(t, err)
		flags := strings.Fields(string(src))
		c, err := client.Of(command)
		require.NoError(t, err)
		for _, eos := range []bool{true, false} {
			trial := trialOf(t, command)
			trial.IgnoreEOS, trial.Rate = eos, 3
			l, err := c.Launch(trial, machineOf())
			require.NoError(t, err)
			for _, w := range l.Words {
				if name, _, _ := strings.Cut(w, "="); strings.HasPrefix(name, "--") {
					require.Contains(t, flags, name, version)
				}
			}
		}
	}
}

func TestOtherClientsGetTheSamePrompts(t *testing.T) {
	t.Parallel()
	trial := trialOf(t, "python3 -m sglang.bench_serving")
	k, err := client.Of(trial.Workload.Command)
	require.NoError(t, err)
	_, err = k.Launch(trial, machineOf())
	require.NoError(t, err)
	f, err := os.Open(trial.Prompts)
	require.NoError(t, err)
	defer f.Close()
	prompts, err := bench.Custom("", f, 0)
	require.NoError(t, err)

	type line struct {
		Messages    []struct{ Role, Content string }
		MaxTokens   int `json:"max_tokens"`
		Temperature *float64
		IgnoreEOS   *bool `json:"ignore_eos"`
	}
	var got []bench.Prompt
	for _, l := range lines(t, strings.TrimSuffix(trial.Prompts, ".jsonl")+".sglang.jsonl") {
		var x line
		require.NoError(t, json.Unmarshal([]byte(l), &x))
		require.Len(t, x.Messages, 1)
		require.Equal(t, "user", x.Messages[0].Role)
		require.True(t, *x.IgnoreEOS)
		require.Zero(t, *x.Temperature)
		got = append(got, bench.Prompt{Text: x.Messages[0].Content, Output: x.MaxTokens})
	}
	require.Empty(t, cmp.Diff(prompts, got))

	trial.Workload.Command = "guidellm benchmark"
	k, err = client.Of(trial.Workload.Command)
	require.NoError(t, err)
	_, err = k.Launch(trial, machineOf())
	require.NoError(t, err)
	got = nil
	for _, l := range lines(t, strings.TrimSuffix(trial.Prompts, ".jsonl")+".guidellm.jsonl") {
		var x struct {
			Prompt string
			Output int `json:"output_tokens_count"`
		}
		require.NoError(t, json.Unmarshal([]byte(l), &x))
		got = append(got, bench.Prompt{Text: x.Prompt, Output: x.Output})
	}
	require.Empty(t, cmp.Diff(prompts, got))
}

func lines(t *testing.T, file string) []string {
	t.Helper()
	src, err := os.ReadFile(file)
	require.NoError(t, err)
	return strings.Split(strings.TrimSuffix(string(src), "\n"), "\n")
}

func TestTheMachineSaysWhereAClientIs(t *testing.T) {
	t.Parallel()
	m := machine.Profile{Env: map[string]string{"A": "1", "B": "1"}, Clients: map[string]machine.Client{
		"vllm":   {Program: []string{"/opt/v/bin/vllm", "bench", "serve"}, Env: map[string]string{"B": "2"}},
		"sglang": {Program: []string{"/opt/s/bin/python", "-m", "sglang.bench_serving"}},
	}}
	trial := trialOf(t, "vllm bench serve")
	k, err := client.Of(trial.Workload.Command)
	require.NoError(t, err)
	l, err := k.Launch(trial, m)
	require.NoError(t, err)
	require.Equal(t, []string{"/opt/v/bin/vllm", "bench", "serve"}, l.Words[:3])
	require.Equal(t, map[string]string{"A": "1", "B": "2"}, l.Env)
	require.Equal(t, "attempt/c4.json", l.Result)
	require.Equal(t, []string{"/opt/v/bin/vllm", "--version"}, k.VersionWords(m))
	s, err := client.Of("python3 -m sglang.bench_serving")
	require.NoError(t, err)
	require.Equal(t, []string{"/opt/s/bin/python", "-c", "import sglang; print(sglang.__version__)"}, s.VersionWords(m))
	s, err = client.Of("python -m sglang.benchmark.serving")
	require.NoError(t, err)
	require.Equal(t, []string{"python3", "-c", "import sglang; print(sglang.__version__)"}, s.VersionWords(machineOf()))
	m.Clients["sglang"] = machine.Client{Program: []string{"/opt/s/bin/python", "-m", "sglang.benchmark.serving"}}
	require.Equal(t, []string{"/opt/s/bin/python", "-c", "import sglang; print(sglang.__version__)"}, s.VersionWords(m))
	g, err := client.Of("guidellm benchmark")
	require.NoError(t, err)
	require.Equal(t, []string{"guidellm", "--version"}, g.VersionWords(m))
	require.Equal(t, []string{"/usr/bin/benchguide", "--version"}, client.Own().VersionWords(machineOf()))
}

func TestWhatIsNoCommandOfAClient(t *testing.T) {
	t.Parallel()
	for command, says := range map[string]string{
		"":                              "the command is empty",
		"vllm serve M":                  `"vllm serve M" starts no benchmark client`,
		"evalscope perf --url x":        "use vllm bench serve",
		"vllm bench serve | tee x":      "command",
		"FOO=1 vllm bench serve":        "starts no benchmark client",
		"python3 -m vllm.bench --x 1":   "starts no benchmark client",
		"vllm bench serve 'unbalanced":  "command",
		"sglang.bench_serving --port 1": "starts no benchmark client",
	} {
		_, err := client.Of(command)
		require.ErrorContains(t, err, says, command)
	}
	for command, says := range map[string]string{
		"vllm bench serve stray --x 1":                         `"stray"`,
		"python3 -m sglang.bench_serving --backend trt":        "no chat API",
		"vllm bench serve --goodput=ttft:1 tpot:2 --host here": `"tpot:2"`,
	} {
		k, err := client.Of(command)
		require.NoError(t, err)
		_, err = k.Launch(trialOf(t, command), machineOf())
		require.ErrorContains(t, err, says)
		require.ErrorContains(t, err, "workload c4")
	}
}

// A trial has ten times as long as it should take, and never less than ten minutes.
func TestDeadlines(t *testing.T) {
	t.Parallel()
	of := func(change func(*client.Trial)) time.Duration {
		trial := trialOf(t, "vllm bench serve")
		change(&trial)
		k, err := client.Of(trial.Workload.Command)
		require.NoError(t, err)
		l, err := k.Launch(trial, machineOf())
		require.NoError(t, err)
		return l.Deadline
	}
	var all []time.Duration
	for _, change := range []func(*client.Trial){
		func(trial *client.Trial) {},
		func(trial *client.Trial) { trial.Count, trial.Output = 100, 20000 },
		func(trial *client.Trial) { trial.Count, trial.Output = 100, 0 },
		func(trial *client.Trial) { trial.Count, trial.Output, trial.Workload.Concurrency = 100, 20000, 1 },
		func(trial *client.Trial) { trial.Count, trial.Rate = 10000, 0.1 },
		func(trial *client.Trial) { trial.Count, trial.Rate = 1<<40, 1e-300 },
	} {
		d := of(change)
		require.GreaterOrEqual(t, d, 10*time.Minute)
		all = append(all, d)
	}
	require.True(t, slices.IsSorted(all), "%v", all)
}
