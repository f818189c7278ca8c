package markup

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// taskParser reads the check box of a task. goldmark's own also takes the text of a
// link for one: "- [x](page.md)".
type taskParser struct{ parser.InlineParser }

// newTaskParser wraps goldmark's parser.
func newTaskParser() parser.InlineParser {
	return taskParser{extension.NewTaskCheckBoxParser()}
}

// Parse wants a space after the box, as GitHub does.
func (p taskParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	const box = len("[x]")
	if line, _ := block.PeekLine(); len(line) <= box || !util.IsSpace(line[box]) {
		return nil
	}
	return p.InlineParser.Parse(parent, block, pc)
}
