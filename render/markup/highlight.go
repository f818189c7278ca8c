package markup

import (
	"bytes"
	"fmt"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/yuin/goldmark/util"
)

// mostHighlighted is the size from which code in other languages stays plain: a
// general lexer takes a hundred times longer than ours.
const mostHighlighted = 64 << 10

// codeWriter writes tokens of code as HTML. With an id it wraps each line in an
// element that a link can name.
type codeWriter struct {
	out  bytes.Buffer
	id   string
	line int
	open bool // a line's element is open
}

// resultLanguage is the fence language of raw benchmark output.
const resultLanguage = "bench"

// emit writes text, in a span if class is not empty.
func (w *codeWriter) emit(class string, text []byte) {
	if w.id == "" {
		w.span(class, text)
		return
	}
	// A token may go over several lines, as strings and comments do: it is cut at each
	// break, so that elements nest.
	for len(text) > 0 {
		if !w.open {
			w.line++
			fmt.Fprintf(&w.out, `<span class="line" id="%s-L%d">`, w.id, w.line)
			w.open = true
		}
		line, rest, broken := bytes.Cut(text, []byte("\n"))
		w.span(class, line)
		if broken {
			w.closeLine()
			w.out.WriteByte('\n')
		}
		text = rest
	}
}

// closeLine ends the element of the current line, if there is one.
func (w *codeWriter) closeLine() {
	if w.open {
		w.out.WriteString("</span>")
		w.open = false
	}
}

// span writes text of one class. Empty text leaves no empty element behind.
func (w *codeWriter) span(class string, text []byte) {
	if len(text) == 0 {
		return
	}
	if class == "" {
		w.out.Write(util.EscapeHTML(text))
		return
	}
	w.out.WriteString(`<span class="` + class + `">`)
	w.out.Write(util.EscapeHTML(text))
	w.out.WriteString("</span>")
}

// highlight returns code as HTML, with an anchor on each line if id is not empty.
func highlight(lang, id string, text []byte) []byte {
	w := &codeWriter{id: string(util.EscapeHTML([]byte(id)))}
	switch lang {
	case resultLanguage:
		lexBench(text, w.emit)
	case "bash", "sh", "shell", "zsh":
		lexShell(text, w.emit)
	default:
		lexOther(lang, text, w.emit)
	}
	w.closeLine()
	return w.out.Bytes()
}

// lexOther leaves code plain if its language is unknown, if it is too long, or if
// the lexer lost or changed a byte of it: code is there to be copied.
func lexOther(lang string, text []byte, emit func(string, []byte)) {
	var lexer chroma.Lexer
	if lang != "" && len(text) <= mostHighlighted {
		lexer = lexers.Get(lang)
	}
	if lexer == nil {
		emit("", text)
		return
	}
	// Without options chroma would turn "\r\n" into "\n" and add a line break at the end.
	tokens, err := chroma.Tokenise(chroma.Coalesce(lexer), &chroma.TokeniseOptions{State: "root"}, string(text))
	if err != nil || chroma.Stringify(tokens...) != string(text) {
		emit("", text)
		return
	}
	for _, t := range tokens {
		emit(classOf(t.Type), []byte(t.Value))
	}
}

// classOf folds chroma's many token types into this package's few classes. Names that
// every other word has, and punctuation, stay plain: colour on everything says nothing.
func classOf(t chroma.TokenType) string {
	switch {
	case t == chroma.NameAttribute:
		return "a"
	case t == chroma.NameFunction, t == chroma.NameBuiltin, t == chroma.NameClass, t == chroma.NameVariable:
		return "n"
	case t == chroma.NameTag, t.InCategory(chroma.Keyword):
		return "k"
	case t.InSubCategory(chroma.LiteralNumber):
		return "m"
	case t.InCategory(chroma.Literal):
		return "s"
	case t.InCategory(chroma.Comment):
		return "c"
	case t.InCategory(chroma.Operator):
		return "o"
	case t == chroma.GenericHeading, t == chroma.GenericSubheading:
		return "h"
	case t == chroma.GenericInserted:
		return "i"
	case t == chroma.GenericDeleted:
		return "d"
	}
	return ""
}
