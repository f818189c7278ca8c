package document

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// box is what MkDocs writes with a first line and an indented body: an admonition
// (!!! note "Title"), one that folds (??? info "Title"), a tab (=== "Title").
type box struct {
	ast.BaseBlock
	title string
}

var kindBox = ast.NewNodeKind("Box")

// Kind is part of ast.Node.
func (*box) Kind() ast.NodeKind { return kindBox }

// Dump is part of ast.Node.
func (n *box) Dump(src []byte, level int) {
	ast.DumpHelper(n, src, level, map[string]string{"title": n.title}, nil)
}

// boxIndent is how far the body of a box is indented.
const boxIndent = 4

type boxParser struct{}

var _ parser.BlockParser = boxParser{}

// Trigger is part of parser.BlockParser.
func (boxParser) Trigger() []byte { return []byte{'!', '?', '='} }

// Open recognises the first line of a box.
func (boxParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, _ := reader.PeekLine()
	title, ok := boxTitle(string(line[min(len(line), max(0, pc.BlockOffset())):]))
	if !ok {
		return nil, parser.NoChildren
	}
	reader.AdvanceToEOL()
	return &box{title: title}, parser.HasChildren
}

// boxTitle returns the title of a box: what stands in quotes, or its type.
func boxTitle(line string) (title string, ok bool) {
	line = strings.TrimSpace(line)
	mark, rest, _ := strings.Cut(line, " ")
	switch mark {
	case "!!!", "???", "???+", "===", "===!", "===+":
	default:
		return "", false
	}
	words, quoted, hasTitle := strings.Cut(rest, `"`)
	if mark[0] == '=' && (!hasTitle || strings.TrimSpace(words) != "") || strings.TrimSpace(rest) == "" {
		return "", false
	}
	if !hasTitle {
		return strings.TrimSpace(words), true
	}
	title, _, _ = strings.Cut(quoted, `"`)
	return title, true
}

// Continue takes the lines of the body, and blank lines in it.
func (boxParser) Continue(_ ast.Node, reader text.Reader, _ parser.Context) parser.State {
	line, _ := reader.PeekLine()
	if len(bytes.TrimSpace(line)) == 0 {
		return parser.Continue | parser.HasChildren
	}
	at, padding := util.IndentPosition(line, reader.LineOffset(), boxIndent)
	if at < 0 {
		return parser.Close
	}
	reader.AdvanceAndSetPadding(at, padding)
	return parser.Continue | parser.HasChildren
}

// Close is part of parser.BlockParser.
func (boxParser) Close(ast.Node, text.Reader, parser.Context) {}

// CanInterruptParagraph is true: an engine's name stands right above its boxes.
func (boxParser) CanInterruptParagraph() bool { return true }

// CanAcceptIndentedLine is false: an indented line is code.
func (boxParser) CanAcceptIndentedLine() bool { return false }
