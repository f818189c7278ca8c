package markup

import (
	"fmt"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// What a page may be. goldmark's time grows with the square of the length of one
// paragraph ("[a](" many times) or of the nesting of blocks (">" many times). No guide
// comes near these bounds, and within them the worst page takes seconds.
const (
	MaxSource    = 1 << 20  // bytes of page source
	maxParagraph = 8 << 10  // bytes of a paragraph, a table row, a heading or a title
	maxTable     = 64 << 10 // bytes of a table, or of link definitions in a row
	maxDepth     = 64       // blocks around a block
)

var (
	refusedKey  = parser.NewContextKey()
	kindRefused = ast.NewNodeKind("Refused")
)

// refusal is something that the guard did not let goldmark read.
type refusal struct {
	offset  int
	message string
}

// refuse notes a refusal in the parser's context: parsers have no errors.
func refuse(pc parser.Context, offset int, format string, args ...any) {
	list, _ := pc.Get(refusedKey).([]refusal)
	pc.Set(refusedKey, append(list, refusal{offset, fmt.Sprintf(format, args...)}))
}

// refused takes the place of a line that is not read.
type refused struct{ ast.BaseBlock }

func (*refused) Kind() ast.NodeKind              { return kindRefused }
func (n *refused) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// guard is asked before all other block parsers, and opens a block of its own where
// theirs would go too far. As a paragraph transformer it empties what is too long.
type guard struct{}

func (guard) Trigger() []byte             { return []byte("#!?>-+*0123456789") }
func (guard) CanInterruptParagraph() bool { return true }
func (guard) CanAcceptIndentedLine() bool { return false }

// Close has nothing to finish.
func (guard) Close(ast.Node, text.Reader, parser.Context) {}

// Open takes over a line that would open one block too many, or that would become one
// long piece of inline text without being a paragraph. It opens nothing otherwise.
func (guard) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	first := line[max(pc.BlockOffset(), 0)] // -1 on some lines with tabs
	switch {
	case len(pc.OpenedBlocks()) > maxDepth:
		refuse(pc, segment.Start, "blocks nested more than %d deep", maxDepth)
	case (first == '#' || first == '!' || first == '?') && len(line) > maxParagraph:
		refuse(pc, segment.Start, "a heading or title of %d bytes; at most %d are read", len(line), maxParagraph)
	default:
		return nil, parser.NoChildren
	}
	reader.AdvanceToEOL()
	return &refused{}, parser.NoChildren
}

// Continue ends the block with its line.
func (guard) Continue(ast.Node, text.Reader, parser.Context) parser.State { return parser.Close }

// Transform runs before link definitions and tables are looked for, when a table is
// still a paragraph: there the single lines count.
func (guard) Transform(node *ast.Paragraph, _ text.Reader, pc parser.Context) {
	size := 0
	for _, line := range node.Lines().Sliced(0, node.Lines().Len()) {
		size += line.Len()
		if line.Len() > maxParagraph || size > maxTable {
			empty(node, pc)
			return
		}
	}
}

// longParagraph is the guard's second look, at what is left when tables are out.
type longParagraph struct{}

// Transform sees a paragraph that stayed one.
func (longParagraph) Transform(node *ast.Paragraph, _ text.Reader, pc parser.Context) {
	size := 0
	for _, line := range node.Lines().Sliced(0, node.Lines().Len()) {
		size += line.Len()
	}
	if size > maxParagraph {
		empty(node, pc)
	}
}

// empty leaves a paragraph without text. Its node stays: goldmark still holds it.
func empty(node *ast.Paragraph, pc parser.Context) {
	first := node.Lines().At(0)
	refuse(pc, first.Start, "a paragraph of more than %d bytes, or a table of more than %d", maxParagraph, maxTable)
	node.Lines().SetSliced(0, 1)
	node.Lines().Set(0, text.NewSegment(first.Start, first.Start))
}

// guarded adds the guard to a parser's options.
func guarded() []parser.Option {
	return []parser.Option{
		parser.WithBlockParsers(util.Prioritized(guard{}, 10)),
		parser.WithParagraphTransformers(
			util.Prioritized(guard{}, 50),
			util.Prioritized(longParagraph{}, 300)),
	}
}
