package server

import (
	"bytes"
	"regexp"
	"strings"
)

// line is one line of a server's log.
type line struct {
	number  int    // from 1
	text    string // as it was logged, without colours, and without what a progress bar overwrote
	message string // behind the process's name, level, time and place
	level   string // ERROR, WARNING and so on; "" where none is written
}

// lineLimit is how much of a line is looked at: some hold whole configurations.
const lineLimit = 8 << 10

// lines takes a log apart. Tracebacks' frames are marked by the blanks that they begin
// with, so a message keeps them.
func lines(log []byte) []line {
	var list []line
	n := 0
	for raw := range bytes.Lines(log) {
		n++
		raw = bytes.TrimRight(raw, "\r\n")
		if at := bytes.LastIndexByte(raw, '\r'); at >= 0 {
			raw = raw[at+1:]
		}
		text := strings.ToValidUTF8(string(raw[:min(len(raw), lineLimit)]), "\uFFFD")
		if strings.Contains(text, "\x1b") {
			text = colours.ReplaceAllString(text, "")
		}
		l := line{number: n, text: text, message: text}
		if m := prefix.FindStringSubmatch(text); m != nil {
			l.message, l.level = text[len(m[0]):], first(m[1], levelOfLetter(first(m[2], m[3])))
		}
		list = append(list, l)
	}
	return list
}

// colours are what a terminal would show as such.
var colours = regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]")

// prefix is what engines write before a message:
//
//	vLLM       (EngineCore pid=4061) ERROR 11-30 21:13:43 [core.py:866] message
//	SGLang     [2026-11-30 21:25:54 TP0] message
//	uvicorn    INFO:     message
//	TRT-LLM    [11/30/2026-21:25:54] [TRT-LLM] [E] message
//	llama.cpp  0.00.032.743 E message
//
// One blank belongs to it: a traceback's frames keep theirs.
var prefix = regexp.MustCompile(`^(?:\([\w .:=-]+\) ?)?` +
	`(?:(?:\[[\w/:. -]+\] )*(DEBUG|INFO|WARNING|ERROR|CRITICAL)(?:: +| )(?:[\d-]+ [\d:.,]+ )?(?:\[[\w./-]+:\d+\] ?)?` +
	`|(?:\[[\w/:. -]+\] )*\[([A-Z])\] ` +
	`|\[\d{4}-\d\d-\d\d [^\]]*\] ?` +
	`|[\d.]{10,} ([A-Z]) )?`)

// levelOfLetter spells out what TensorRT-LLM and llama.cpp abbreviate.
func levelOfLetter(letter string) string {
	switch letter {
	case "I":
		return "INFO"
	case "W":
		return "WARNING"
	case "D", "V":
		return "DEBUG"
	case "E", "F":
		return "ERROR"
	}
	return ""
}

// frame reports whether a line is part of a traceback and not its conclusion: it quotes
// the source, which holds the messages of errors that did not happen.
func (l line) frame() bool {
	return strings.HasPrefix(l.message, "  ") || strings.HasPrefix(l.message, "\t")
}

// harmless reports whether the engine itself says that a line is no error.
func (l line) harmless() bool {
	return l.level == "INFO" || l.level == "WARNING" || l.level == "DEBUG"
}

// exception is the last line of a traceback, or what a command line parser, a shell or
// Python itself says.
var exception = regexp.MustCompile(`^(?:[\w.]*(?:Error|Exception|Interrupt|Timeout)\b(?::|$| )|(?:[\w ./-]+: )?[Ee]rror: |\S*python[\d.]*: No module|\S+: .*command not found$)`)

// concludes reports whether a line is what an error comes down to.
func (l line) concludes() bool {
	// Most lines hold none of these, and need no pattern.
	return holds(l.message, "rror", "xception", "nterrupt", "imeout", "No module", "not found") && exception.MatchString(l.message)
}

// failure reports whether a line says by its form that something failed.
func (l line) failure() bool {
	return !l.frame() && !l.harmless() && (l.level != "" || l.concludes())
}
