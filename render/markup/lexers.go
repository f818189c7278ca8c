package markup

import "bytes"

// lexBench reads what benchmark tools print: rules with a heading in them, and lines
// of a label and a value.
func lexBench(text []byte, emit func(class string, text []byte)) {
	for len(text) > 0 {
		end := bytes.IndexByte(text, '\n') + 1
		if end == 0 {
			end = len(text)
		}
		lexBenchLine(text[:end], emit)
		text = text[end:]
	}
}

// lexBenchLine reads one line. The last colon ends the label, because labels hold times
// and paths; a line of a label alone is left plain.
func lexBenchLine(line []byte, emit func(class string, text []byte)) {
	body := bytes.TrimRight(line, "\r\n")
	tail := line[len(body):]
	colon := bytes.LastIndex(body, []byte(": "))
	switch {
	case isRule(body):
		emit("h", body)
	case colon > 0 && len(bytes.TrimSpace(body[colon+1:])) > 0:
		value := bytes.TrimLeft(body[colon+1:], " ")
		emit("t", body[:colon+1])
		emit("", body[colon+1:len(body)-len(value)])
		emit("m", value)
	default:
		emit("", body)
	}
	emit("", tail)
}

// isRule reports whether a line is a rule, like "---- Time to First Token ----".
func isRule(line []byte) bool {
	line = bytes.TrimSpace(line)
	for _, c := range []string{"=", "-", "+"} {
		run := []byte(c + c + c)
		if bytes.HasPrefix(line, run) && bytes.HasSuffix(line, run) {
			return true
		}
	}
	return false
}

// shellLexer reads shell commands as they are shown in guides. It is no shell: it
// tells a command from its options, and what is quoted from what is not.
type shellLexer struct {
	text    []byte
	emit    func(class string, text []byte)
	command bool // the next word is a command
}

// lexShell splits the whole text. It cannot fail: what it does not know is plain.
func lexShell(text []byte, emit func(class string, text []byte)) {
	l := shellLexer{text: text, emit: emit, command: true}
	for len(l.text) > 0 {
		l.next()
	}
}

// next reads one piece from the start of the text. Each case takes at least one byte.
func (l *shellLexer) next() {
	switch c := l.text[0]; {
	case c == '\n':
		l.command = true
		l.take(1, "")
	case c == ' ' || c == '\t' || c == '\r':
		l.take(span(l.text, " \t\r"), "")
	case c == '#':
		l.take(until(l.text, "\n"), "c")
	case c == '\\':
		l.take(min(2, len(l.text)), "o") // with the line break that it hides
	case c == '\'' || c == '"':
		l.take(quoted(l.text), "s")
		l.command = false
	case c == '$':
		l.take(variable(l.text), "n")
		l.command = false
	case c == '|' || c == '&' || c == ';' || c == '(' || c == ')':
		l.take(span(l.text, "|&;()"), "o")
		l.command = true
	case c == '<' || c == '>':
		l.take(span(l.text, "<>&"), "o")
	default:
		l.word()
	}
}

// word reads an option, an assignment, a command or an argument.
func (l *shellLexer) word() {
	size := until(l.text, " \t\r\n'\"\\$|&;()<>")
	word := l.text[:size]
	eq := bytes.IndexByte(word, '=')
	switch {
	case word[0] == '-' && eq > 0:
		l.take(eq, "a")
	case word[0] == '-':
		l.take(size, "a")
	case eq == 0:
		l.take(1, "o")
	case eq > 0 && l.command:
		l.take(eq, "n")
		l.take(1, "o")
		l.value(size - eq - 1)
	case l.command:
		l.take(size, "k")
		l.command = false
	case isNumber(word):
		l.take(size, "m")
	default:
		l.take(size, "")
	}
}

// value reads what is assigned to a variable: the command is still to come.
func (l *shellLexer) value(size int) {
	if size == 0 && len(l.text) > 0 && (l.text[0] == '\'' || l.text[0] == '"') {
		l.take(quoted(l.text), "s")
		return
	}
	l.take(size, "")
}

// take emits the next n bytes.
func (l *shellLexer) take(n int, class string) {
	l.emit(class, l.text[:n])
	l.text = l.text[n:]
}

// span returns how many bytes at the start are among chars.
func span(text []byte, chars string) int { return len(text) - len(bytes.TrimLeft(text, chars)) }

// until returns how many bytes come before the first of chars.
func until(text []byte, chars string) int {
	if i := bytes.IndexAny(text, chars); i >= 0 {
		return i
	}
	return len(text)
}

// quoted returns the length of the quoted text at the start, to the end if it is open.
func quoted(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == text[0]:
			return i + 1
		case text[i] == '\\' && text[0] == '"':
			i++
		}
	}
	return len(text)
}

// variable returns the length of "$NAME" or "${...}" at the start.
func variable(text []byte) int {
	if len(text) > 1 && text[1] == '{' {
		if end := bytes.IndexByte(text, '}'); end > 0 {
			return end + 1
		}
	}
	n := 1
	for n < len(text) && (isAlnum(text[n]) || text[n] == '_') {
		n++
	}
	return n
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

func isNumber(word []byte) bool {
	return len(bytes.Trim(word, "0123456789.")) == 0
}
