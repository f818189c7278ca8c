package markup

import (
	"github.com/yuin/goldmark/ast"
)

// The nodes that bind puts into the tree. They carry all that a renderer needs.
var (
	kindFact    = ast.NewNodeKind("Fact")
	kindLiteral = ast.NewNodeKind("Literal")
	kindCode    = ast.NewNodeKind("BoundCode")
	kindFigure  = ast.NewNodeKind("CodeFigure")
	kindChart   = ast.NewNodeKind("Chart")
	kindLabel   = ast.NewNodeKind("TaskLabel")
)

// factNode is a resolved marker: a fact or a citation.
type factNode struct {
	ast.BaseInline
	bound  Bound
	inLink bool // it stands inside a link and cannot be one
}

func (*factNode) Kind() ast.NodeKind              { return kindFact }
func (n *factNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// literalNode is a declared literal in text.
type literalNode struct {
	ast.BaseInline
	text string
}

func (*literalNode) Kind() ast.NodeKind              { return kindLiteral }
func (n *literalNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// codeNode is a code span.
type codeNode struct {
	ast.BaseInline
	text    []byte
	literal bool
}

func (*codeNode) Kind() ast.NodeKind              { return kindCode }
func (n *codeNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// figureNode is a block of code. Its children are its caption.
type figureNode struct {
	ast.BaseBlock
	fence fence
	text  []byte
	copy  string // label of the copy button; no button if empty
}

func (*figureNode) Kind() ast.NodeKind              { return kindFigure }
func (n *figureNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// chartNode is an image whose drawing is put into the page. Its children are its
// caption. Inside a line of text it is no figure.
type chartNode struct {
	ast.BaseBlock
	svg    []byte
	inline bool
}

func (*chartNode) Kind() ast.NodeKind              { return kindChart }
func (n *chartNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// labelNode ties a task's check box to its text.
type labelNode struct {
	ast.BaseInline
}

func (*labelNode) Kind() ast.NodeKind              { return kindLabel }
func (n *labelNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// newText returns a node of text that is already decoded.
func newText(text []byte) ast.Node {
	n := ast.NewString(text)
	n.SetRaw(true)
	return n
}

// newMarkup returns a node of HTML that is printed as it is.
func newMarkup(html string) ast.Node {
	n := ast.NewString([]byte(html))
	n.SetCode(true)
	return n
}
