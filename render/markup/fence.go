package markup

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/yuin/goldmark/util"
)

// fence is what the line above a block of code says:
//
//	```bash title="Start the server" nocopy
//	```bench {title="Baseline" #baseline}
//
// The form without braces is the one that MkDocs Material reads, and that GitHub and
// Hugo ignore; braces around everything after the language are allowed.
type fence struct {
	lang   string
	id     string // every line gets an anchor: id-L1, id-L2, ...
	noCopy bool

	titleStart, titleEnd int // offsets of the title, still encoded, in the info string
}

// readFence reads an info string. What it does not know is an error: a misspelt
// title would otherwise be lost without a word.
func readFence(info []byte) (fence, error) {
	var f fence
	rest := bytes.TrimLeft(info, " \t")
	lang, _, _ := bytes.Cut(rest, []byte(" "))
	if !bytes.HasPrefix(rest, []byte("{")) {
		f.lang = string(lang)
		rest = rest[len(lang):]
	}
	// Offsets are kept into the info string as written, braces and all: spans of the
	// caption's literals are counted from them.
	if inner := bytes.TrimSpace(rest); len(inner) > 1 && inner[0] == '{' && inner[len(inner)-1] == '}' {
		at := bytes.IndexByte(rest, '{')
		rest = rest[at+1 : bytes.LastIndexByte(rest, '}')]
	}
	base := offsetIn(info, rest)
	for at := 0; ; {
		at += len(rest[at:]) - len(bytes.TrimLeft(rest[at:], " \t"))
		if at == len(rest) {
			return f, nil
		}
		size, err := f.readWord(rest[at:], base+at)
		if err != nil {
			return f, err
		}
		at += size
	}
}

// offsetIn returns where part, a slice of whole, begins in it.
func offsetIn(whole, part []byte) int { return cap(whole) - cap(part) }

// readWord reads one flag, id or title at the start of text, which is at offset at of
// the info string, and returns its length.
func (f *fence) readWord(text []byte, at int) (int, error) {
	if value, start, size, ok := quotedValue(text, "title="); ok {
		f.titleStart, f.titleEnd = at+start, at+start+len(value)
		return size, nil
	}
	word, _, _ := bytes.Cut(text, []byte(" "))
	switch s := string(word); {
	case s == "nocopy":
		f.noCopy = true
	case len(s) > 1 && s[0] == '#' && !strings.ContainsAny(s, "\"'"):
		f.id = s[1:]
	default:
		return 0, fmt.Errorf("%q after the language of a code block: want title=\"...\", #id or nocopy", shorten(s))
	}
	return len(word), nil
}

// quotedValue reads key"value" or key'value' at the start of text.
func quotedValue(text []byte, key string) (value []byte, start, size int, ok bool) {
	start = len(key) + 1
	if len(text) <= start || string(text[:len(key)]) != key {
		return nil, 0, 0, false
	}
	quote := text[len(key)]
	end := bytes.IndexByte(text[start:], quote)
	if quote != '"' && quote != '\'' || end < 0 {
		return nil, 0, 0, false
	}
	return text[start : start+end], start, start + end + 1, true
}

// fenceInfo is the inverse of readFence for a language and a title. A title with both
// kinds of quotes has its double ones written as entities.
func fenceInfo(lang, title string) string {
	title = strings.Join(strings.Fields(title), " ")
	if title == "" {
		return lang
	}
	title = escapeInfo(title)
	quote := `"`
	if strings.Contains(title, `"`) {
		if strings.Contains(title, "'") {
			title = strings.ReplaceAll(title, `"`, "&quot;")
		} else {
			quote = "'"
		}
	}
	if lang == "" {
		lang = "text" // without a language the title would be read as one
	}
	return lang + " title=" + quote + title + quote
}

// escapeInfo protects what CommonMark decodes in info strings: entities, and backslashes
// before punctuation.
func escapeInfo(text string) string {
	var b strings.Builder
	for i := range len(text) {
		switch {
		case text[i] == '\\' && i+1 < len(text) && util.IsPunct(text[i+1]):
			b.WriteByte('\\')
			b.WriteByte('\\')
		case text[i] == '&' && isEntity(text[i:]):
			b.WriteString("&amp;")
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

// isEntity reports whether text, which begins with "&", would be decoded.
func isEntity(text string) bool {
	_, size := readEntity([]byte(text))
	return size > 1
}
