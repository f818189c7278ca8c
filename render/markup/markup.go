package markup

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Labels are the words of one language that the program itself puts on a page.
type Labels struct {
	CopyRaw string            // on the button that copies raw output; that of Copy if empty
	Copy    string            // on the button that copies code; no button if empty
	Titles  map[string]string // titles of admonitions that have none, by kind: "note", "info"
}

// Markup reads page source in one language. It is built once and may be used by
// several goroutines.
type Markup struct {
	labels   Labels
	parser   parser.Parser
	renderer renderer.Renderer
}

// Input is what goes with the source of one page.
type Input struct {
	File     string            // named in errors
	Resolver Resolver          // may be nil if the source has no markers
	Literals []string          // strings with numbers that are no measurements
	Charts   map[string][]byte // drawings to put into the page, by the image's destination
}

// Page is a page as HTML, without what surrounds it.
type Page struct {
	HTML     []byte
	Headings []Heading
	Dropped  []Dropped
}

// New assembles a reader.
func New(labels Labels) *Markup {
	table := extension.NewTableHTMLRenderer(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))
	return &Markup{
		labels: labels,
		parser: newParser(),
		renderer: renderer.NewRenderer(renderer.WithNodeRenderers(
			util.Prioritized(nodeRenderer{}, 100), // before goldmark's own
			util.Prioritized(table, 500),
			util.Prioritized(extension.NewTaskCheckBoxHTMLRenderer(), 500),
			util.Prioritized(html.NewRenderer(), 1000),
		)),
	}
}

// newParser returns goldmark's parser with tables, task lists and our own extensions.
// Headings get their ids later, from text without markers.
func newParser() parser.Parser {
	blocks := append(parser.DefaultBlockParsers(), util.Prioritized(admonitionParser{}, 750))
	inlines := append(parser.DefaultInlineParsers(),
		util.Prioritized(emphasisParser{}, emphasisPriority),
		util.Prioritized(newTaskParser(), 0))
	paragraphs := append(parser.DefaultParagraphTransformers(),
		util.Prioritized(extension.NewTableParagraphTransformer(), 200))
	p := parser.NewParser(
		parser.WithBlockParsers(blocks...),
		parser.WithInlineParsers(inlines...),
		parser.WithParagraphTransformers(paragraphs...),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
		parser.WithAttribute(),
	)
	p.AddOptions(guarded()...)
	return p
}

// HTML turns page source into HTML. Its error joins an *Error for everything that is
// wrong with the source; there is no page then.
func (m *Markup) HTML(src []byte, in Input) (Page, error) {
	b, doc, err := m.read(src, in)
	if err != nil {
		return Page{}, err
	}
	page := Page{Dropped: b.dropped}
	// Ids come after binding: a heading's text has its facts apart only then.
	headings := b.headingIDs(doc)
	if err := joined(b.problems); err != nil {
		return Page{}, err
	}
	if page.HTML, err = m.print(b.source, doc); err != nil {
		return Page{}, err
	}
	for _, h := range headings {
		entry := Heading{Level: h.Level, ID: attribute(h, "id"), Text: plainText(h, true)}
		for _, c := range children(h) {
			html, err := m.print(b.source, c)
			if err != nil {
				return Page{}, err
			}
			entry.HTML = append(entry.HTML, html...)
		}
		entry.HTML = withoutLinks(entry.HTML)
		page.Headings = append(page.Headings, entry)
	}
	return page, nil
}

// print renders a bound node and what is below it.
func (m *Markup) print(source []byte, n ast.Node) ([]byte, error) {
	var out bytes.Buffer
	err := m.renderer.Render(&out, source, n)
	return out.Bytes(), err
}

// read checks, masks, parses and binds page source. What is wrong with the text of
// the page is left in the binder; the error is for source that cannot be read at all.
func (m *Markup) read(src []byte, in Input) (*binder, ast.Node, error) {
	// Editors on Windows write a byte-order mark, and "# Title" behind one is no heading.
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	if err := readable(src, in.File); err != nil {
		return nil, nil, err
	}
	literals, err := newMatcher(in.Literals)
	if err != nil {
		return nil, nil, &Error{File: in.File, Message: err.Error()}
	}
	b := &binder{in: in, labels: m.labels, literals: literals}
	b.source, b.refs, b.problems = mask(src)
	for _, p := range b.problems {
		p.File = in.File
	}
	b.lines = indexLines(b.source)
	pc := parser.NewContext()
	doc := m.parser.Parse(text.NewReader(b.source), parser.WithContext(pc))
	if list, _ := pc.Get(refusedKey).([]refusal); len(list) > 0 {
		for _, r := range list {
			b.fault(b.lines.at(r.offset), "%s", r.message)
		}
		return nil, nil, joined(b.problems) // the tree lacks what was refused
	}
	b.bind(doc)
	return b, doc, nil
}

// readable refuses source that would take too long or is no text.
func readable(src []byte, file string) error {
	if len(src) > MaxSource {
		return &Error{File: file, Message: fmt.Sprintf("page source of %d bytes; at most %d are read", len(src), MaxSource)}
	}
	for i, line := 0, 1; i < len(src); {
		r, n := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && n == 1 {
			return &Error{File: file, Line: line, Message: fmt.Sprintf("byte %#x is not UTF-8", src[i])}
		}
		if r == '\n' {
			line++
		}
		i += n
	}
	return nil
}
