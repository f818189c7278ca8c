package gate

import (
	"bytes"
	"regexp"
	"sort"
	"strings"
)

// document is a Markdown page while its blocks are found. Blocks matter for two
// things only: what is code, and where a paragraph ends, beyond which no link and no
// code span reaches. So one pass over the lines will do, in which a block that is
// taken for two costs a false finding at worst.
type document struct {
	findings
	src      []byte
	index    *index
	opaque   []piece     // what the scan of a paragraph steps over, in order
	starts   []int       // offsets of the lines
	ordinals map[int]int // the last ordinal of the list at a column
	from, to int         // the open paragraph; none where from == to
}

// piece is a range of the source that is not read; mark is what stands for it in the text.
type piece struct {
	start, end int
	mark       string
}

// Markdown reads a finished Markdown page and reports every number that is not bound,
// every span that is false, and every fenced block whose content is not known.
func Markdown(file string, src []byte, spans []Span, k Known) []Finding {
	d := &document{findings: findings{file: file}, src: src, index: newIndex(k), ordinals: map[int]int{}}
	d.starts = lineStarts(src)
	d.encoding(src)
	d.opaque = d.checkSpans(spans)
	for line := 0; line < len(d.starts); {
		line = d.block(line)
	}
	d.flush()
	return d.sorted()
}

func lineStarts(src []byte) []int {
	starts := []int{0}
	for i, c := range src {
		if c == '\n' && i+1 < len(src) {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// lineAt returns the number of the line that holds an offset, counted from 1.
func (d *document) lineAt(off int) int {
	return sort.Search(len(d.starts), func(i int) bool { return d.starts[i] > off })
}

// extent returns where a line begins and where it ends, its line break excluded.
func (d *document) extent(line int) (start, end int) {
	start, end = d.starts[line], len(d.src)
	if line+1 < len(d.starts) {
		end = d.starts[line+1]
	}
	for end > start && (d.src[end-1] == '\n' || d.src[end-1] == '\r') {
		end--
	}
	return start, end
}

// headingID is the attribute block that ends a heading, when it holds nothing but an id.
var headingID = regexp.MustCompile(`^#{1,6}[ \t].*?(\{#[^\s{}]+\})[ \t]*$`)

// ownBlock matches what makes a line the first of its block.
var ownBlock = regexp.MustCompile(`^(?:#{1,6}(?:[ \t]|$)|\||!!!|\?\?\?|===|</?[a-zA-Z])`)

// block reads one line, or a whole fenced block or comment, and returns the next line to read.
func (d *document) block(line int) (next int) {
	start, end := d.extent(line)
	content, item := d.container(start, end)
	rest := d.src[content:end]
	if f, ok := openFence(rest); ok {
		d.flush()
		return d.fenced(line, content, f)
	}
	switch {
	case len(rest) == 0:
		d.flush()
		return line + 1
	case bytes.HasPrefix(rest, []byte("<!--")):
		if n := commentLength(d.src[content:], content == start); n > 0 {
			d.flush()
			return d.resume(content + n)
		}
	case content == start && d.from == d.to && !item:
		clear(d.ordinals) // a paragraph at the margin ends every list
	}
	if item || ownBlock.Match(rest) {
		d.flush()
	}
	if m := headingID.FindSubmatchIndex(rest); m != nil {
		d.skip(content+m[2], content+m[3])
	}
	d.extend(start, content, end)
	if rest[0] == '#' || rest[0] == '|' {
		d.flush()
	}
	return line + 1
}

// commentLength returns the length of the comment that a block begins with, or 0 if
// it is not closed. At the margin it may hold empty lines; in a list it may not, as
// the list might end at one, and the comment with it.
func commentLength(b []byte, margin bool) int {
	n := bytes.Index(b, []byte("-->"))
	if n < 0 || !margin && emptyLine.Match(b[:n]) {
		return 0
	}
	return n + len("-->")
}

var emptyLine = regexp.MustCompile(`\n[ \t\r>]*\n`)

// resume goes on behind a comment: the rest of its last line is a paragraph.
func (d *document) resume(off int) (next int) {
	line := d.lineAt(off) - 1
	if off >= len(d.src) {
		return len(d.starts)
	}
	_, end := d.extent(line)
	if off < end {
		d.extend(off, off, end)
	}
	return line + 1
}

// extend adds a line to the open paragraph, without the marks of its containers.
func (d *document) extend(start, content, end int) {
	if d.from == d.to {
		d.from = content
	} else {
		d.skip(start, content)
	}
	d.to = end
}

// flush reads the open paragraph.
func (d *document) flush() {
	if d.from < d.to {
		d.paragraph(d.from, d.to)
	}
	d.from, d.to = 0, 0
}

// skip makes a range opaque. Ranges come in the order of the source, but spans are
// there first, so that each finds its place from the end. A range that meets a span
// is not skipped: what is bound was checked, and what lies around it is read.
func (d *document) skip(start, end int) {
	if start >= end {
		return
	}
	i := sort.Search(len(d.opaque), func(i int) bool { return d.opaque[i].end > start })
	if i < len(d.opaque) && d.opaque[i].start < end {
		return
	}
	d.opaque = append(d.opaque, piece{})
	copy(d.opaque[i+1:], d.opaque[i:])
	d.opaque[i] = piece{start, end, ""}
}

// container returns where the content of a line begins, behind indentation, quote
// marks, bullets and ordinals; item says that a list item begins on it.
func (d *document) container(start, end int) (content int, item bool) {
	i := start
	for i < end {
		switch n := d.marker(start, i, end); {
		case d.src[i] == ' ' || d.src[i] == '\t' || d.src[i] == '>':
			i++
		case n > 0:
			i, item = i+n, true
		default:
			return i, item
		}
	}
	return i, item
}

var listMarker = regexp.MustCompile(`^(?:[-*+]|([0-9]{1,9})[.)])(?:[ \t]|$)`)

// marker returns the length of the list marker at i. An ordinal that does not count
// up from 1 in its list is none: such a line may be a sentence that was wrapped before its number.
func (d *document) marker(start, i, end int) int {
	m := listMarker.FindSubmatchIndex(d.src[i:end])
	if m == nil {
		return 0
	}
	if m[2] >= 0 {
		text := strings.TrimLeft(string(d.src[i+m[2]:i+m[3]]), "0")
		if !d.counts(i-start, text) {
			return 0
		}
	}
	return m[1]
}
