package render

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"benchguide/engine"
	"benchguide/study"
)

// The variables of the script, as they stand in its commands.
const (
	varModel = `"$MODEL"`
	varName  = `"$NAME"`
	varPort  = `"$PORT"`
	varOut   = `"$OUT"`
)

// serving is a serving command with the script's variables in it.
type serving struct {
	command engine.Command
	port    string
	name    string // word of the shell
	lines   []string
}

// readServing takes the command of the report apart. Model and port become variables; all
// else stays as it was.
func readServing(e engine.Engine, text string) (serving, error) {
	words, err := engine.Words(text)
	if err != nil {
		return serving{}, err
	}
	var s serving
	set := assignments(words)
	if s.command, err = e.Parse(quoted(words[set:]...)); err != nil {
		return serving{}, err
	}
	s.port, s.name = e.Port, varModel
	if set > 0 {
		s.lines = append(s.lines, "env "+quoted(words[:set]...))
	}
	program := quoted(s.command.Program...)
	switch {
	case s.command.Model == "":
	case e.ModelFlag != "":
		program += " " + e.ModelFlag + " " + varModel
	default:
		program += " " + varModel
	}
	s.lines = append(s.lines, program)
	ported := false
	for _, f := range s.command.Flags {
		switch f.Name {
		case "--port":
			s.port, ported = f.Value, true
			s.lines = append(s.lines, "--port "+varPort)
			continue
		case "--served-model-name", "--served_model_name", "--alias":
			s.name = quoted(f.Value)
		}
		s.lines = append(s.lines, f.String())
	}
	if !ported {
		s.lines = append(s.lines, "--port "+varPort)
	}
	return s, nil
}

// assignments counts the words before a command that set its environment.
func assignments(words []string) int {
	n := slices.IndexFunc(words, func(w string) bool {
		name, _, ok := strings.Cut(w, "=")
		return !ok || strings.HasPrefix(name, "-") || strings.ContainsAny(name, "/.")
	})
	return max(n, 0)
}

// scriptClient is a client's command with the script's variables in it.
type scriptClient struct {
	words   []string // as they stand in the report
	program []string // those of them before the options
	lines   []string
	needs   *scriptNeed
	prompts bool // it reads the guide's prompt file
}

// client is the command that measures a workload: as it was run, where the run kept it
// and its prompts, and as the study prints it otherwise.
func (b scriptBuilder) client(w study.Workload, server serving) scriptClient {
	_, kept := b.promptFile(w.ID)
	command := w.Command
	if made := b.report.Made; made != nil && kept {
		for _, side := range made.Sides {
			if side.Ref == b.report.Final.Ref && side.Clients[w.ID] != "" {
				command = side.Clients[w.ID]
			}
		}
	}
	words, err := engine.Words(command)
	if err != nil { // a whole shell line, which is run as it is
		return scriptClient{program: []string{"bash"}, lines: []string{"bash -c " + quoted(strings.TrimSpace(command))}}
	}
	own, _ := engine.Words(w.Command) // none of a whole shell line
	words = withoutGone(words, own)
	c := scriptClient{}
	if set := assignments(words); set > 0 {
		c.lines = append(c.lines, "env "+quoted(words[:set]...))
		words = words[set:]
	}
	if path.IsAbs(words[0]) {
		words[0] = path.Base(words[0]) // where it lay on one machine says nothing of others
	}
	c.words = words
	c.fill(server, b.promptFiles(), own)
	if c.needs == nil {
		c.needs = b.dataset(w, words)
	}
	return c
}

// dataset is the file of a workload's data set, if the command names one.
func (b scriptBuilder) dataset(w study.Workload, words []string) *scriptNeed {
	for i, word := range words[:len(words)-1] {
		if !isDataset(word) || !slices.Contains([]string{".json", ".jsonl", ".csv", ".txt", ".parquet"}, path.Ext(words[i+1])) {
			continue // a name on a hub, or what a client makes prompts by
		}
		hint := "get it first"
		for _, d := range b.folder.Study.Datasets {
			if d.ID == w.Dataset && d.Prepare != "" {
				hint = "get it with: " + oneLine(d.Prepare)
			}
		}
		return &scriptNeed{quoted(words[i+1]), quoted(hint)}
	}
	return nil
}

func isDataset(option string) bool { return option == "--dataset-path" || option == "--data" }

// programEnd is where the words of a program end and its options begin.
func programEnd(words []string) int {
	at := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "-") && w != "-m" && w != "-c" })
	if at < 0 {
		return len(words)
	}
	return at
}

// fill writes the command's lines: what depends on the machine becomes a variable, and a
// value that was replaced is that of the study's own command. Prompts are the files of prompts
// that are published: clients read them in forms of their own.
func (c *scriptClient) fill(server serving, prompts []study.Side, own []string) {
	at := max(programEnd(c.words), 1)
	c.program = c.words[:at]
	c.lines = append(c.lines, quoted(c.program...))
	served := slices.ContainsFunc(c.words, func(w string) bool { return optionName(w) == "--served-model-name" })
	addressed, tokenizer := false, false
	for _, pair := range pairs(c.words[at:]) {
		name := pair[0]
		if len(pair) == 1 {
			c.lines = append(c.lines, quoted(name))
			continue
		}
		value := pair[1]
		word := quoted(value)
		switch name {
		case "--port":
			word, addressed = varPort, true
		case "--host":
			word = "127.0.0.1"
		case "--base-url", "--target", "--url":
			word, addressed = baseURL(value), true
		case "--served-model-name":
			word = varName
		case "--model":
			if word = varModel; !served {
				word = server.name
			}
		case "--tokenizer", "--processor":
			if tokenizer = true; path.IsAbs(value) || gone(value) || value == server.command.Model {
				word = varModel
			}
		case "--dataset-path", "--data":
			if file := path.Base(value); slices.ContainsFunc(prompts, func(p study.Side) bool { return path.Base(p.File) == file }) {
				word, c.prompts = `"$PROMPTS"/`+quoted(file), true
				c.needs = &scriptNeed{word, quoted(promptsHint)}
			}
		case "--result-dir", "--output-dir":
			word = varOut
		case "--output-file", "--output-path":
			word = varOut + "/" + quoted(path.Base(value))
		}
		if gone(word) && !isDataset(name) { // the study's data set is not what a run's client read
			word = quoted(optionOf(own, name, value))
		}
		between := " "
		if strings.HasPrefix(value, "-") {
			between = "=" // a word of its own would be taken for an option
		}
		c.lines = append(c.lines, name+between+word)
	}
	if !served && !tokenizer && server.name != varModel && takesPort(c.words) {
		c.lines = append(c.lines, "--tokenizer "+varModel)
	}
	if !addressed && takesPort(c.words) {
		c.lines = append(c.lines, "--port "+varPort)
	}
}

// takesPort reports whether a client is one that is known to have --port.
func takesPort(words []string) bool {
	line := strings.Join(words, " ")
	return strings.HasPrefix(line, "vllm bench serve") || strings.Contains(line, "sglang.bench") || strings.HasPrefix(line, "benchguide bench")
}

// optionName is an option without the value that is written with it.
func optionName(word string) string {
	name, _, _ := strings.Cut(word, "=")
	return name
}

// pairs joins each option with its value. What is no option and follows none stands alone.
func pairs(words []string) [][]string {
	var list [][]string
	for i := 0; i < len(words); i++ {
		w := words[i]
		name, value, joined := strings.Cut(w, "=")
		switch {
		case strings.HasPrefix(w, "--") && joined:
			list = append(list, []string{name, value})
		case strings.HasPrefix(w, "-") && i+1 < len(words) && !strings.HasPrefix(words[i+1], "-"):
			list = append(list, []string{w, words[i+1]})
			i++
		default:
			list = append(list, []string{w})
		}
	}
	return list
}

// baseURL is the address of the script's server, with the path of another one.
func baseURL(old string) string {
	u, err := url.Parse(old)
	if err != nil || u.Path == "" || u.Path == "/" {
		return `"$BASE"`
	}
	return `"$BASE"` + quoted(u.Path)
}
