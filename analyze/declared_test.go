package analyze_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/analyze"
	"benchguide/study"
	"benchguide/study/studytest"
)

// declared lists what a study declares and its data contradict, one line a finding.
func declared(t *testing.T, r *analyze.Report) []string {
	t.Helper()
	list := []string{}
	for _, f := range r.Findings {
		if f.Code != analyze.CodeDeclaredDiffers {
			continue
		}
		said := func(name string) string {
			if text, ok := f.Names[name]; ok {
				return text
			}
			return fmt.Sprint(value(t, r, f.Facts[name]))
		}
		require.Equal(t, "study.yaml", f.File)
		require.Positive(t, f.Line)
		require.Positive(t, f.Column)
		list = append(list, fmt.Sprintf("%s %s %s: %s, not %s (%s)", f.Severity, f.Subject, f.Names["What"], said("Data"), said("Declared"), f.Names["Place"]))
	}
	return list
}

// edited is a study of one candidate in which some texts of study.yaml are others.
func edited(t *testing.T, base, candidate studytest.Trial, pairs ...string) *analyze.Report {
	t.Helper()
	files := studytest.Simple(base, candidate).FS()
	file := files[studytest.Dir+"/study.yaml"]
	text := string(file.Data)
	for i := 0; i < len(pairs); i += 2 {
		require.Contains(t, text, pairs[i])
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	file.Data = []byte(text)
	return analyze.Study(load(t, files))
}

func TestAWorkloadThatItsOutputContradicts(t *testing.T) {
	t.Parallel()
	counted := func(completed, failed int) studytest.Trial {
		trial := studytest.Good()
		trial.Completed, trial.Failed = completed, failed
		return trial
	}
	const base, c1 = "runs/published/one/base/start-1/main.txt", "runs/published/one/c1/start-1/main.txt"
	for _, c := range []struct {
		name            string
		base, candidate studytest.Trial
		old, new        string
		want            []string
	}{
		{"all as declared", studytest.Good(), studytest.Good(), "", "", []string{}},
		{"concurrency", studytest.Good(), studytest.Good(), "concurrency: 4", "concurrency: 2", []string{"error main concurrency: 4, not 2 (" + base + ":3)"}},
		{"concurrency of nothing", studytest.Good(), studytest.Good(), "concurrency: 4, ", "", []string{}},
		{"more completed", studytest.Good(), studytest.Good(), "prompts: 100", "prompts: 50", []string{"error main completed: 100, not 50 (" + base + ":2)"}},
		{"fewer completed by both", studytest.Good(), studytest.Throughput(1100), "prompts: 100", "prompts: 500", []string{"caution main completed: 100, not 500 (" + base + ":2)"}},
		{"fewer completed by one", studytest.Good(), counted(99, 0), "", "", []string{}},
		{"some failed", studytest.Good(), counted(90, 10), "", "", []string{}},
		{"fewer sent", studytest.Good(), counted(80, 10), "", "", []string{"error main prompts: 90, not 100 (" + c1 + ":2)"}},
		{"more sent", studytest.Good(), counted(95, 10), "", "", []string{"error main prompts: 105, not 100 (" + c1 + ":2)"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := edited(t, c.base, c.candidate, c.old, c.new)
			require.Empty(t, cmp.Diff(c.want, declared(t, r)))
			if len(c.want) > 0 {
				require.Equal(t, analyze.CodeDeclaredDiffers, r.Findings[0].Code, "before what follows from it")
			}
		})
	}
}

// TestLengthsThatTheirOutputContradicts: the trials have 200 input and 100 output tokens a
// request.
func TestLengthsThatTheirOutputContradicts(t *testing.T) {
	t.Parallel()
	const vllm, sglang = "vllm bench serve --dataset-name random", "python3 -m sglang.bench_serving --dataset-name random"
	for _, c := range []struct {
		command, lengths string
		want             []string // severity and what
	}{
		{vllm, "input_tokens: 200, output_tokens: 100", nil},
		{vllm, "input_tokens: 220, output_tokens: 91", nil},
		{vllm, "input_tokens: 110", nil}, // with a long chat template
		{vllm, "input_tokens: 223", []string{"error input_tokens"}},
		{vllm, "input_tokens: 90", []string{"error input_tokens"}},
		{vllm, "output_tokens: 88", []string{"error output_tokens"}},
		{vllm, "output_tokens: 299", nil}, // answers may end early
		{vllm, "output_tokens: 301", []string{"caution output_tokens"}},
		{vllm + " --ignore-eos", "output_tokens: 112", []string{"error output_tokens"}},
		{vllm + " --ignore-eos", "output_tokens: 111", nil},
		{vllm + " --random-range-ratio 0.5", "input_tokens: 500", nil},
		{vllm + " --random_range_ratio=0.0", "input_tokens: 500", []string{"error input_tokens"}},
		{vllm + " --random-prefix-len 150", "input_tokens: 50", nil},
		{sglang, "input_tokens: 400, output_tokens: 200", nil}, // drawn from one token up
		{sglang, "input_tokens: 601", []string{"caution input_tokens"}},
		{sglang + " --random-range-ratio 1", "input_tokens: 400, output_tokens: 200", []string{"error input_tokens", "error output_tokens"}},
		{sglang + " --random-range-ratio 1 --disable-ignore-eos", "output_tokens: 200", nil},
		{"vllm bench serve", "input_tokens: 400", nil}, // of whatever prompts
		{"vllm bench serve", "input_tokens: 601, output_tokens: 301", []string{"caution input_tokens", "caution output_tokens"}},
	} {
		r := edited(t, studytest.Good(), studytest.Good(), "concurrency: 4, command: vllm bench serve}", "concurrency: 4, "+c.lengths+", command: "+c.command+"}")
		var got []string
		for _, f := range r.Findings {
			if f.Code == analyze.CodeDeclaredDiffers {
				got = append(got, string(f.Severity)+" "+f.Names["What"])
			}
		}
		require.Equal(t, c.want, got, "%s, %s", c.command, c.lengths)
	}
}

func TestHardwareThatItsAttemptsContradict(t *testing.T) {
	t.Parallel()
	const at = " (runs/published/one/base/start-1/attempt.json:1)"
	gpu := func(found string) []string {
		return []string{"error hardware gpu: " + found + ", not NVIDIA H100 SXM" + at}
	}
	gpus := func(n int) []string { return []string{fmt.Sprintf("error hardware gpus: %d, not 1", n) + at} }
	for _, c := range []struct {
		attempt string
		want    []string
	}{
		{`"gpu": "NVIDIA H100 80GB HBM3", "gpu_uuid": "GPU-1"`, nil},
		{`"gpu": "nvidia h100 sxm", "gpus": "1"`, nil},
		{`"gpu": "NVIDIA H200"`, gpu("NVIDIA H200")},
		{`"gpu": "NVIDIA H100 PCIe"`, gpu("NVIDIA H100 PCIe")},
		{`"gpu": "NVIDIA H100 80GB HBM3, NVIDIA H200"`, append(gpu("NVIDIA H200"), gpus(2)...)},
		{`"gpu": "NVIDIA H100 80GB HBM3", "gpu_uuid": "GPU-1, GPU-2"`, gpus(2)},
		{`"gpu": "NVIDIA H100 80GB HBM3", "gpus": "4"`, gpus(4)},
		{`"gpu": "8x NVIDIA H100"`, gpus(8)},
		{`"gpu": "NVIDIA H100 × 8"`, gpus(8)},
		{`"gpu": "a machine of theirs", "gpus": "0-3"`, nil},
		{`"driver": "580.1"`, nil},
	} {
		files := studytest.Simple(studytest.Good(), studytest.Good()).FS()
		for _, ref := range []string{"one/base", "one/c1"} {
			files = studytest.With(files, map[string]string{studytest.Attempt(ref): `{"schema": 1, "imported": true, "engine": "vllm", "version": "v0.11.0", "environment": {` + c.attempt + `}}`})
		}
		want := append([]string{}, c.want...)
		require.Empty(t, cmp.Diff(want, declared(t, analyze.Study(load(t, files)))), c.attempt)
	}
}

// TestNamesThatSayLessThanTheOther: whoever writes a name down by hand may leave out the form;
// a driver that does not name one means the module.
func TestNamesThatSayLessThanTheOther(t *testing.T) {
	t.Parallel()
	for imported, want := range map[bool]int{true: 0, false: 1} {
		files := studytest.Simple(studytest.Good(), studytest.Good()).FS()
		file := files[studytest.Dir+"/study.yaml"]
		file.Data = []byte(strings.Replace(string(file.Data), "NVIDIA H100 SXM", "NVIDIA H100 PCIe", 1))
		files = studytest.With(files, map[string]string{studytest.Attempt("one/c1"): fmt.Sprintf(
			`{"schema": 1, "imported": %v, "engine": "vllm", "version": "v0.11.0", "environment": {"gpu": "NVIDIA H100"}}`, imported)})
		require.Len(t, declared(t, analyze.Study(load(t, files))), want, "imported: %v", imported)
	}
}

// TestStudiesThatShipDeclareWhatWasMeasured is where the tolerances are held against data.
func TestStudiesThatShipDeclareWhatWasMeasured(t *testing.T) {
	t.Parallel()
	c, problems := study.LoadCollection(os.DirFS("../content"))
	require.Empty(t, problems)
	require.NotEmpty(t, c.Folders)
	files := fstest.MapFS{}
	require.NoError(t, walk(os.DirFS("../testdata/h200-study"), files))
	own, problems := study.Load(files, "studies/h200")
	require.Empty(t, problems)
	for _, f := range append(c.Folders, own) {
		require.Empty(t, declared(t, analyze.Study(f)), f.ID)
	}
}

// TestIncompleteTrialsSayHowManyCompleted: with the numbers nobody has to guess whether the
// trial or the study is wrong; and where the study is, its error says so alone.
func TestIncompleteTrialsSayHowManyCompleted(t *testing.T) {
	t.Parallel()
	change := func(how func(*studytest.Trial)) studytest.Trial {
		trial := studytest.Throughput(1100)
		how(&trial)
		return trial
	}
	for _, c := range []struct {
		name      string
		candidate studytest.Trial
		prompts   string
		want      map[string]float64 // nil: nothing is said
	}{
		{"fewer completed", change(func(t *studytest.Trial) { t.Completed = 99 }), "100", map[string]float64{"Prompts": 100, "Completed": 99}},
		{"some failed", change(func(t *studytest.Trial) { t.Completed, t.Failed = 90, 10 }), "100", map[string]float64{"Prompts": 100, "Completed": 90, "Failed": 10}},
		{"not counted", change(func(t *studytest.Trial) { t.Omit = []string{"Successful"} }), "100", map[string]float64{"Prompts": 100}},
		{"fewer declared", studytest.Throughput(1100), "50", nil},
		{"fewer declared, and some failed", change(func(t *studytest.Trial) { t.Completed, t.Failed = 90, 10 }), "50", nil},
		{"more declared", studytest.Throughput(1100), "500", map[string]float64{"Prompts": 500, "Completed": 100}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := edited(t, studytest.Good(), c.candidate, "prompts: 100", "prompts: "+c.prompts)
			require.Equal(t, analyze.RefusedIncomplete, candidate(t, r, "one/c1").VersusIncumbent.Refused)
			var got map[string]float64
			for _, f := range r.Findings {
				if f.Code == analyze.CodeNotComparable {
					got = map[string]float64{}
					for name, fact := range f.Facts {
						got[name] = value(t, r, fact)
					}
				}
			}
			require.Empty(t, cmp.Diff(c.want, got))
		})
	}
}
