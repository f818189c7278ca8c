package engine

import (
	"fmt"
	"slices"
	"strings"
)

// Flag is one option of a serving command. A switch has no value; an option that takes a
// list, such as --cuda-graph-bs 1 2 4, has those after the first in More.
type Flag struct {
	Name     string
	Value    string
	HasValue bool
	More     []string
}

// Values returns all values of the option; none of a switch.
func (f Flag) Values() []string {
	if !f.HasValue {
		return nil
	}
	return append([]string{f.Value}, f.More...)
}

// Command is a serving command taken apart: program, model, options in the order written.
type Command struct {
	Program []string
	Model   string
	Flags   []Flag
}

// Parse takes a serving command of this engine apart. Line continuations and
// quotes are understood; pipes, redirections and a second command are not part of
// a serving command and are refused.
func (e Engine) Parse(command string) (Command, error) {
	words, err := Words(command)
	if err != nil {
		return Command{}, err
	}
	program, rest, ok := e.cutProgram(words)
	if !ok {
		hint := ""
		if strings.Contains(words[0], "=") {
			hint = "; environment variables stand under env"
		}
		return Command{}, fmt.Errorf("%q does not start %s; its serving command begins with %q%s",
			firstWords(words, len(e.Program)), e.Name, strings.Join(e.Program, " "), hint)
	}
	c := Command{Program: program}
	if e.ModelFlag == "" && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
		c.Model, rest = rest[0], rest[1:]
	}
	flags, err := ParseFlags(rest)
	if err != nil {
		return Command{}, err
	}
	for _, f := range flags {
		switch {
		case !e.IsModel(f.Name):
			c.Flags = append(c.Flags, f)
		case !f.HasValue:
			return Command{}, fmt.Errorf("%s has no value; name the model behind it", f.Name)
		case c.Model != "":
			return Command{}, fmt.Errorf("the model is named twice: %q and %q", c.Model, f.Value)
		case len(f.More) > 0:
			return Command{}, fmt.Errorf("%s names one model; %q is a word too many", f.Name, f.More[0])
		default:
			c.Model = f.Value
		}
	}
	return c, nil
}

// New returns the plain serving command of a model: the program and the model, no options.
func (e Engine) New(model string) Command {
	return Command{Program: slices.Clone(e.Program), Model: model}
}

// ParseFlags reads words as options: `--a b`, `--a=b`, `-tp 4`, `--a 1 2`, and switches.
// A word that belongs to no option is an error: nothing is dropped in silence.
func ParseFlags(words []string) ([]Flag, error) {
	var flags []Flag
	for i := 0; i < len(words); i++ {
		w := words[i]
		if !isFlag(w) {
			return nil, fmt.Errorf("%q is neither an option nor the value of one; options start with a dash", w)
		}
		name, value, joined := strings.Cut(w, "=")
		if strings.Trim(name, "-") == "" {
			return nil, fmt.Errorf("%q is no option", w)
		}
		if joined {
			flags = append(flags, Flag{Name: name, Value: value, HasValue: true})
			continue
		}
		flag := Flag{Name: w}
		values := valuesAt(words[i+1:])
		if len(values) > 0 {
			flag.Value, flag.HasValue = values[0], true
		}
		if len(values) > 1 {
			flag.More = slices.Clone(values[1:])
		}
		flags = append(flags, flag)
		i += len(values)
	}
	return flags, nil
}

// valuesAt returns the words up to the next option.
func valuesAt(words []string) []string {
	if end := slices.IndexFunc(words, isFlag); end >= 0 {
		return words[:end]
	}
	return words
}

// Words returns the command as an argument list.
func (e Engine) Words(c Command) []string {
	words := slices.Clone(c.Program)
	if c.Model != "" {
		if e.ModelFlag != "" {
			words = append(words, e.ModelFlag)
		}
		words = append(words, c.Model)
	}
	for _, f := range c.Flags {
		words = append(words, f.words()...)
	}
	return words
}

// lineWidth is where a printed command is broken: a code block of this width fits
// a laptop's page column without a scroll bar.
const lineWidth = 88

// Print returns the command as a person types it: one line if it is short,
// otherwise one option a line with continuations.
func (e Engine) Print(c Command) string {
	line := Quote(e.Words(c))
	if len(line) <= lineWidth || len(c.Flags) == 0 {
		return line
	}
	head := e.Words(Command{Program: c.Program, Model: c.Model})
	lines := []string{Quote(head)}
	for _, f := range c.Flags {
		lines = append(lines, "    "+Quote(f.words()))
	}
	return strings.Join(lines, " \\\n")
}

// Canonical returns the options in canonical spelling and order. Repeated options
// keep their relative order, since the last one usually wins.
func (e Engine) Canonical(c Command) []Flag {
	flags := make([]Flag, 0, len(c.Flags))
	for _, f := range c.Flags {
		f.Name = e.canonicalName(f.Name)
		flags = append(flags, f)
	}
	slices.SortStableFunc(flags, func(a, b Flag) int { return strings.Compare(a.Name, b.Name) })
	return flags
}

// Find returns the position of an option in any of its spellings, or -1.
func (e Engine) Find(c Command, name string) int {
	want := e.canonicalName(name)
	return slices.IndexFunc(c.Flags, func(f Flag) bool { return e.canonicalName(f.Name) == want })
}

// String returns the option as one shell word or two.
func (f Flag) String() string { return Quote(f.words()) }

// words writes a value behind its option, and joins the two where the value looks
// like an option itself.
func (f Flag) words() []string {
	switch {
	case !f.HasValue:
		return []string{f.Name}
	case isFlag(f.Value):
		return append([]string{f.Name + "=" + f.Value}, f.More...)
	}
	return append([]string{f.Name, f.Value}, f.More...)
}

// IsModel reports whether an option names the model, which a command keeps apart from
// its options.
func (e Engine) IsModel(name string) bool {
	canonical := e.canonicalName(name)
	return canonical == e.ModelFlag || (canonical == "" && e.ModelFlag == "")
}

// cutProgram removes the longest launcher that the words start with.
func (e Engine) cutProgram(words []string) (program, rest []string, ok bool) {
	for _, p := range append([][]string{e.Program}, e.Launchers...) {
		if len(p) > len(program) && len(words) >= len(p) && slices.Equal(words[:len(p)], p) {
			program = p
		}
	}
	if program == nil {
		return nil, nil, false
	}
	return slices.Clone(program), words[len(program):], true
}

// isFlag tells options from values: a negative number is a value.
func isFlag(w string) bool {
	return len(w) > 1 && w[0] == '-' && !(w[1] >= '0' && w[1] <= '9') && w[1] != '.'
}

func firstWords(words []string, n int) string {
	return strings.Join(words[:min(n, len(words))], " ")
}
