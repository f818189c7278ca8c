package parse

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// maxLabels bounds how many label lines a record carries.
const maxLabels = 8

// preface is what the lines above a block say about it.
type preface struct {
	labels   []string // nearest first
	settings []Setting
	tags     int // so many labels at the front are comment lines, for this block alone
}

// inherit completes the labels of a block by those that it shares with the block
// before: where only comments such as "# BS=2" stand between two blocks, the
// command and the headings above the first are about both. It leaves in the input
// what the next block may inherit.
func (c preface) inherit(in *Input) []string {
	if c.tags < len(c.labels) {
		in.outer = c.labels[c.tags:]
		return c.labels
	}
	return append(slices.Clip(c.labels), in.outer...)
}

// The kinds of lines above a block.
const (
	noLabel = iota
	tagLabel
	nameLabel
	commandLabel
	headingLabel
)

// readPreface finds the label lines in the text above a block. It goes down the
// text, because a command continues downwards and a client's own output, once it
// has begun, holds no names; then it takes the labels from the nearest upwards,
// to the first heading.
func readPreface(text string, line int, pre prefix) preface {
	var c preface
	type found struct {
		kind int
		text string
	}
	var all []found
	inOutput, inTrace := false, false
	lines := splitLines(text, line)
	if pre == "" {
		// Most of what stands above a block in a log, and slow to look at closely.
		lines = slices.DeleteFunc(lines, func(l Line) bool { return isServerLog(l.Text) })
	}
	for _, l := range joinContinued(lines) {
		s := unprefixed(pre.strip(cleanLine(l.Text)))
		inTrace = s != "" && (inTrace || strings.Contains(s, "Traceback (most recent call last)"))
		if args, ok := argumentsOf(s); ok {
			inOutput = true
			c.arguments(args, l.No)
			continue
		}
		if setting, ok := loadSetting(s); ok {
			setting.Line = l.No
			c.state(setting)
			continue
		}
		kind, label := labelOf(s)
		if kind == noLabel || inTrace || inOutput && kind == nameLabel {
			continue
		}
		if kind == commandLabel && isClient(s) {
			c.flags(s, l.No)
		}
		all = append(all, found{kind, label})
	}
	onlyTags := true
	for _, f := range slices.Backward(all) {
		if len(c.labels) == maxLabels {
			break
		}
		c.labels = append(c.labels, f.text)
		if onlyTags = onlyTags && f.kind == tagLabel; onlyTags {
			c.tags++
		}
		if f.kind == headingLabel {
			break
		}
	}
	return c
}

// joinContinued joins lines that end in a backslash with the lines after them; a
// joined line has the number of its first.
func joinContinued(lines []Line) []Line {
	var joined []Line
	open := false
	for _, l := range lines {
		trimmed := strings.TrimRight(l.Text, " \t\r")
		body := strings.TrimSuffix(trimmed, `\`)
		if open {
			last := &joined[len(joined)-1]
			last.Text = strings.TrimSpace(last.Text) + " " + strings.TrimSpace(body)
		} else {
			joined = append(joined, Line{Text: body, No: l.No, Ended: true})
		}
		open = body != trimmed
	}
	return joined
}

// unprefixed removes a line number of a copied code listing, and code marks.
func unprefixed(s string) string {
	if number, rest, ok := strings.Cut(s, "\t"); ok && number != "" && digitsEnd(number, 0) == len(number) {
		s = strings.TrimSpace(rest)
	}
	if inner, ok := strings.CutPrefix(s, "`"); ok && strings.HasSuffix(inner, "`") && !strings.HasPrefix(inner, "`") {
		s = strings.TrimSuffix(inner, "`")
	}
	return s
}

// labelOf says whether a cleaned line names what follows it, and how.
func labelOf(s string) (kind int, text string) {
	if kind, title := rule(s); kind == sectionRule && strings.HasPrefix(title, "Run ") {
		return tagLabel, title // a sweep announces its runs in rules
	}
	switch {
	case s == "" || digitsEnd(s, 0) == len(s) || isNoise(s):
		return noLabel, ""
	case strings.HasPrefix(s, "# "):
		return tagLabel, s
	case strings.HasPrefix(s, "##"), isNumbered(s):
		return headingLabel, s
	case strings.HasPrefix(s, "??? "), strings.HasPrefix(s, "???+ "), strings.HasPrefix(s, "!!! "):
		return nameLabel, admonitionTitle(s)
	case isCommand(s):
		return commandLabel, s
	case isName(s) && !isIntroduction(s):
		return nameLabel, unlisted(s)
	default:
		return noLabel, ""
	}
}

// isNumbered recognises "2. Quantization".
func isNumbered(s string) bool {
	n := digitsEnd(s, 0)
	return n > 0 && n <= 2 && strings.HasPrefix(s[n:], ". ") && utf8.RuneCountInString(s) <= 80
}

func admonitionTitle(s string) string {
	if _, rest, ok := strings.Cut(s, `"`); ok {
		title, _, _ := strings.Cut(rest, `"`)
		return title
	}
	return s
}

// isCommand recognises the commands that start a server or a client.
func isCommand(s string) bool {
	s = strings.TrimPrefix(s, "$ ")
	for _, start := range []string{
		"vllm ", "python ", "python3 ", "sglang ", "trtllm-serve ", "trtllm-bench ", "docker ", "lmdeploy ",
		"mpirun ", "torchrun ", "llama-server ", "numactl ", "srun ", "uv run ", "vllm-bench ", "max benchmark", "genai-",
	} {
		if strings.HasPrefix(s, start) {
			return true
		}
	}
	// An environment assignment before a program: CUDA_VISIBLE_DEVICES=0 vllm serve ...
	name, rest, ok := strings.Cut(s, "=")
	_, program, spaced := strings.Cut(rest, " ")
	return ok && spaced && name != "" && strings.ToUpper(name) == name && !strings.ContainsAny(name, " -.") && isCommand(program)
}

// isName recognises a short line without a sentence, a value or a comparison in
// it: an engine, a configuration, a caption.
func isName(s string) bool {
	return utf8.RuneCountInString(s) <= 40 &&
		!strings.ContainsAny(s, "<>'\"|{}%\t") &&
		!strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "。") && !strings.HasSuffix(s, "；") && !strings.HasSuffix(s, " -") &&
		!strings.Contains(s, "tok/s") && strings.ContainsFunc(s, isLetter)
}

// isIntroduction recognises what a page says before every result alike, "- Test
// Results:", and a piece of code in a warning.
func isIntroduction(s string) bool {
	s, listed := strings.CutPrefix(s, "- ")
	if strings.HasSuffix(s, "(") || strings.HasSuffix(s, "):") {
		return true
	}
	return (listed || strings.HasPrefix(s, "**")) && strings.HasSuffix(strings.Trim(s, "*"), ":")
}

// unlisted removes the mark of a list item and the stars of bold type.
func unlisted(s string) string {
	for _, mark := range []string{"- ", "* "} {
		s = strings.TrimPrefix(s, mark)
	}
	if inner, ok := strings.CutPrefix(s, "**"); ok {
		s = strings.TrimSuffix(inner, "**")
	}
	return s
}

func isLetter(r rune) bool { return r >= utf8.RuneSelf || r|0x20 >= 'a' && r|0x20 <= 'z' }
