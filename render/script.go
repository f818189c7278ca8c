package render

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"benchguide/analyze"
	"benchguide/engine"
	"benchguide/study"
)

// scriptFile is the name of the script that reruns what a guide recommends. It lies beside
// the guide in either language, with the same bytes.
const scriptFile = "reproduce.sh"

// scriptView is what the script's template prints. Words are quoted for the shell already.
type scriptView struct {
	Titles, Mark, Measured []string // lines of comments
	Model, Port, GPUs      string   // defaults of the variables
	Name                   string   // of the model in requests
	Prompts                string   // from the script to the guide's prompt files; empty without any
	Installed              []string // name, version and command, each as the words of a call
	Serve                  []string // lines of the serving command
	Programs               []string // server and clients, for a reader
	Warm                   *scriptWarm
	Workloads              []scriptWorkload
	Default                string
}

type scriptWorkload struct {
	ID, Names string
	Needs     *scriptNeed
	Warmup    int
	Programs  []string // what must be on PATH
	Client    []string // lines of the client's command
}

// scriptNeed is a file that a client reads, with what to do where it is missing.
type scriptNeed struct{ File, Hint string }

// script makes the script of a guide: the final configuration under the objective's
// workload, and under those of the cases.
func (r *Renderer) script(f *study.Folder, report *analyze.Report) ([]byte, error) {
	b := scriptBuilder{r: r, folder: f, report: report}
	view, err := b.view()
	if err != nil {
		return nil, fmt.Errorf("%s of %s: %w", scriptFile, f.ID, err)
	}
	var out bytes.Buffer
	if err := r.scripts.Execute(&out, view); err != nil {
		return nil, fmt.Errorf("%s of %s: %w", scriptFile, f.ID, err)
	}
	return out.Bytes(), nil
}

// scriptFuncs are the functions of the script's template.
func scriptFuncs() map[string]any {
	return map[string]any{"quote": func(s string) string { return quoted(s) }, "join": strings.Join}
}

// quoted is a text as one word of the shell.
func quoted(words ...string) string { return engine.Quote(words) }

type scriptBuilder struct {
	r      *Renderer
	folder *study.Folder
	report *analyze.Report
}

func (b scriptBuilder) view() (scriptView, error) {
	s := &b.folder.Study
	final := b.report.Final
	e, ok := engine.Lookup(final.Engine)
	if !ok {
		return scriptView{}, fmt.Errorf("engine %q is not known", final.Engine)
	}
	server, err := readServing(e, final.Command)
	if err != nil {
		return scriptView{}, err
	}
	view := scriptView{
		Titles:  []string{oneLine(s.Title.EN), oneLine(s.Title.ZH)},
		Model:   bracesSafe(server.command.Model),
		Port:    server.port,
		Name:    server.name,
		Serve:   server.lines,
		Default: b.report.Objective.Workload,
	}
	var gpus []string
	for i := range max(s.Hardware.Count, 1) {
		gpus = append(gpus, strconv.Itoa(i))
	}
	view.GPUs = strings.Join(gpus, ",")
	if err := b.marks(&view); err != nil {
		return view, err
	}
	asked := map[string]bool{} // a client that comes with the engine has its version
	ask := func(name, version string, words []string) {
		if call := quoted(version) + " " + quoted(words...); version != "" && !asked[call] {
			asked[call] = true
			view.Installed = append(view.Installed, quoted(name)+" "+call)
		}
	}
	ask(e.Name, bareVersion(final.Version), e.Ask)
	view.Warm = b.warm()
	view.Programs = []string{oneLine(quoted(server.command.Program...))}
	for _, id := range b.workloads() {
		w, _ := s.Workload(id)
		c := b.client(w, server)
		view.Workloads = append(view.Workloads, scriptWorkload{ID: id, Names: oneLine(w.Name.EN + " / " + w.Name.ZH), Needs: c.needs, Warmup: b.warmup(w, view.Warm),
			Programs: once([]string{"curl", quoted(server.command.Program[0]), quoted(c.program[0])}), Client: c.lines})
		view.Programs = once(append(view.Programs, oneLine(quoted(c.program...))))
		if c.prompts || view.Warm != nil {
			run, _ := b.folder.Current()
			view.Prompts = siteRoot + rawFile(b.folder.ID, path.Join("runs", run.ID, study.PromptsFolder))
		}
		if name, words := askClient(c.words); words != nil {
			run, _ := b.folder.Current()
			ask(name, versionPattern.FindString(run.Info.Client), words)
		}
	}
	view.Measured = b.measured()
	return view, nil
}

// marks says in both languages what kind of results the guide shows.
func (b scriptBuilder) marks(view *scriptView) error {
	if b.report.Mark == "" {
		return nil
	}
	for _, lang := range []Lang{EN, ZH} {
		w := &words{catalogue: b.r.catalogue, lang: lang}
		view.Mark = append(view.Mark, w.t("mark.in-script."+b.report.Mark))
		if w.err != nil {
			return w.err
		}
	}
	return nil
}

// workloads are the objective's and those of the cases, each once.
func (b scriptBuilder) workloads() []string {
	list := []string{b.report.Objective.Workload}
	for _, c := range b.report.Cases {
		if !slices.Contains(list, c.Workload) {
			list = append(list, c.Workload)
		}
	}
	return list
}

// samplesOf are the samples that show the final configuration under a workload, the best
// one first.
func (b scriptBuilder) samplesOf(workload string) []string {
	var list []string
	for _, c := range b.report.Cases {
		if c.Workload == workload {
			list = append(list, c.Optimized)
		}
	}
	return append(list, b.report.Final.Ref+"/"+workload)
}

var versionPattern = regexp.MustCompile(`\d+(?:\.\d+)+[0-9A-Za-z.+-]*`)

// bareVersion is a version as programs print it: v0.11.0 is 0.11.0, llama.cpp's b6000 is 6000.
func bareVersion(version string) string {
	if len(version) > 1 && (version[0] == 'v' || version[0] == 'b') && version[1] >= '0' && version[1] <= '9' {
		return version[1:]
	}
	return version
}

// askClient is a client's name and a command that prints its version; none for a client
// whose version is not known how to be asked for.
func askClient(words []string) (name string, ask []string) {
	line := strings.Join(words, " ")
	for _, known := range []struct {
		start, name string
		ask         []string
	}{
		{"vllm bench", "vLLM's client", []string{"vllm", "--version"}},
		{"python3 -m sglang.bench_serving", "SGLang's client", []string{"python3", "-c", "import sglang; print(sglang.__version__)"}},
		{"python3 -m sglang.benchmark.serving", "SGLang's client", []string{"python3", "-c", "import sglang; print(sglang.__version__)"}},
		{"python -m sglang.bench_serving", "SGLang's client", []string{"python", "-c", "import sglang; print(sglang.__version__)"}},
		{"python -m sglang.benchmark.serving", "SGLang's client", []string{"python", "-c", "import sglang; print(sglang.__version__)"}},
		{"guidellm", "GuideLLM", []string{"guidellm", "--version"}},
	} {
		if strings.HasPrefix(line, known.start) {
			return known.name, known.ask
		}
	}
	return "", nil
}

// once is a list with each of its entries once.
func once(list []string) []string {
	var kept []string
	for _, s := range list {
		if !slices.Contains(kept, s) {
			kept = append(kept, s)
		}
	}
	return kept
}

// oneLine keeps a name within its comment.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// bracesSafe writes a text so that it can stand in ${NAME:-here}.
func bracesSafe(s string) string {
	if strings.ContainsAny(s, "'\"\\$`{} \t\n") {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`, "`", "\\`", `}`, `\}`).Replace(s) + `"`
	}
	return s
}
