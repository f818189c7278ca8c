package parse

import (
	"bytes"

	"benchguide/parse/internal/jsonstream"
)

// embeddedKey stands in every result of vLLM's and SGLang's clients.
const embeddedKey = `"total_output_tokens"`

// jsonInText reads results as JSON that were pasted into a text: a terminal's
// output, a log, a page. The object begins in the key's line or above it.
func jsonInText() Format {
	return Format{
		Name:    "json-in-text",
		Anchors: []string{embeddedKey},
		Sniff:   func([]byte) bool { return true },
		Read:    func(in *Input, out *Output) { readEmbedded(dialects(), in, out) },
	}
}

// readEmbedded reads one object around the key in the current line. What is no
// result (a program that names the key, say) is passed over.
func readEmbedded(all []dialect, in *Input, out *Output) {
	here := in.mark()
	if n, ok := objectBefore(in); ok {
		stepBack(in, max(n, 0))
		above, line := in.above()
		stepBack(in, min(n, 0)) // what stands before the object on its line names nothing
		r := jsonstream.NewReader(windowSource{in})
		o := (&objectReader{r: r, file: in.File, want: in.want, left: maxMembers}).object()
		r.Sync()
		if _, ok := dialectOf(all, o); ok {
			head := readPreface(above, line, "")
			j := jsonFile{in: in, out: out, dialects: all}
			j.finish(o, head, head.inherit(in), r.Err())
		}
	}
	if in.mark().offset < here.offset {
		in.reset(here)
	}
	in.next() // the rest of the line
}

// stepBack moves n bytes up, or down when n is negative. What stands above is still
// in the window.
func stepBack(in *Input, n int) {
	if n < 0 {
		in.advance(in.pos - n)
		return
	}
	in.pos -= n
	in.line -= bytes.Count(in.buf[in.pos:in.pos+n], []byte{'\n'})
}

// objectBefore returns how far above the current line, or within it, the object
// with the key begins: the nearest line above that opens one.
func objectBefore(in *Input) (back int, ok bool) {
	line := in.peek()
	key := bytes.Index(line, []byte(embeddedKey))
	if key < 0 {
		return 0, false
	}
	if open := bytes.IndexByte(line[:key], '{'); open >= 0 {
		return -open, true
	}
	text, _ := in.above()
	above := []byte(text)
	for end := len(above); end > 0; {
		begin := bytes.LastIndexByte(above[:end-1], '\n') + 1
		switch l := bytes.TrimSpace(above[begin:end]); {
		case len(l) == 0, l[0] == '}': // what is closed before the key is not around it
			return 0, false
		case l[0] == '{':
			return len(above) - begin - bytes.IndexByte(above[begin:end], '{'), true
		}
		end = begin
	}
	return 0, false
}
