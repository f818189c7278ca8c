package markup

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// admonitionIndent is how far the content of an admonition is indented, as in MkDocs.
const admonitionIndent = 4

var (
	kindAdmonition = ast.NewNodeKind("Admonition")
	kindTitle      = ast.NewNodeKind("AdmonitionTitle")
)

// admonition is a block that begins with "!!! note", or "??? note" if it folds.
type admonition struct {
	ast.BaseBlock
	folds, open bool
	kinds       []string // "note", and further classes if there are any
	untitled    bool     // the author wrote "": no title is wanted
}

func (*admonition) Kind() ast.NodeKind              { return kindAdmonition }
func (a *admonition) Dump(source []byte, level int) { ast.DumpHelper(a, source, level, nil, nil) }

// admonitionTitle is the first child of a titled admonition. Its text is read like
// any other, so that a title may hold facts and code.
type admonitionTitle struct {
	ast.BaseBlock
}

func (*admonitionTitle) Kind() ast.NodeKind              { return kindTitle }
func (t *admonitionTitle) Dump(source []byte, level int) { ast.DumpHelper(t, source, level, nil, nil) }

// admonitionHead is the first line of an admonition.
type admonitionHead struct {
	folds, open          bool
	kinds                []string
	titled               bool
	titleStart, titleEnd int // offsets in the line
}

// readAdmonitionHead reads `!!! note "Title"`. The title ends at the last quote of the
// line, as MkDocs has it, so that it may hold quotes.
func readAdmonitionHead(line []byte) (admonitionHead, bool) {
	var h admonitionHead
	trimmed := bytes.TrimLeft(line, " ")
	rest := trimmed
	switch {
	case bytes.HasPrefix(rest, []byte("!!!")):
	// "???+" has to be asked for before "???", which it begins with.
	case bytes.HasPrefix(rest, []byte("???+")):
		h.folds, h.open = true, true
		rest = rest[1:]
	case bytes.HasPrefix(rest, []byte("???")):
		h.folds = true
	default:
		return h, false
	}
	rest = rest[3:]
	words, quoted := rest, []byte(nil)
	if q := bytes.IndexByte(rest, '"'); q >= 0 {
		words, quoted = rest[:q], bytes.TrimRight(rest[q:], " \t\r\n")
		if len(quoted) < 2 || quoted[len(quoted)-1] != '"' {
			return h, false
		}
		h.titled = true
		h.titleStart = len(line) - len(rest) + q + 1
		h.titleEnd = h.titleStart + len(quoted) - 2
	}
	h.kinds = strings.Fields(string(words))
	// Kinds become class names. Anything else in their place is ordinary text that happens
	// to begin with three signs: "!!! really?"
	for _, kind := range h.kinds {
		if strings.Trim(strings.ToLower(kind), "abcdefghijklmnopqrstuvwxyz0123456789_-") != "" {
			return h, false
		}
	}
	return h, len(h.kinds) > 0
}

// admonitionParser reads admonitions and what is indented below them.
type admonitionParser struct{}

func (admonitionParser) Trigger() []byte             { return []byte{'!', '?'} }
func (admonitionParser) CanInterruptParagraph() bool { return true }
func (admonitionParser) CanAcceptIndentedLine() bool { return false }

// Close has nothing to finish: the title was cut out when the block was opened.
func (admonitionParser) Close(ast.Node, text.Reader, parser.Context) {}

// Open takes the whole first line. What is left of it would otherwise be parsed as the
// first line of the content.
func (admonitionParser) Open(_ ast.Node, reader text.Reader, _ parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	head, ok := readAdmonitionHead(line)
	if !ok {
		return nil, parser.NoChildren
	}
	node := &admonition{folds: head.folds, open: head.open, kinds: head.kinds}
	node.untitled = head.titled && head.titleStart == head.titleEnd
	if head.titled && !node.untitled {
		from := segment.Start - segment.Padding
		title := &admonitionTitle{}
		title.SetPos(from + head.titleStart)
		title.Lines().Append(text.NewSegment(from+head.titleStart, from+head.titleEnd))
		node.AppendChild(node, title)
	}
	reader.AdvanceToEOL()
	return node, parser.HasChildren
}

// Continue keeps blank lines, since more content may follow them, and takes the
// indentation off the others, so that lists and fences inside see their own.
func (admonitionParser) Continue(_ ast.Node, reader text.Reader, _ parser.Context) parser.State {
	line, _ := reader.PeekLine()
	if util.IsBlank(line) {
		reader.AdvanceToEOL()
		return parser.Continue | parser.HasChildren
	}
	if indent, _ := util.IndentWidth(line, reader.LineOffset()); indent < admonitionIndent {
		return parser.Close
	}
	pos, padding := util.IndentPosition(line, reader.LineOffset(), admonitionIndent)
	reader.AdvanceAndSetPadding(pos, padding)
	return parser.Continue | parser.HasChildren
}
