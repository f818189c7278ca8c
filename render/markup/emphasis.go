package markup

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// emphasisPriority puts our parser before goldmark's own, which has 500.
const emphasisPriority = 450

// emphasisParser reads runs of "*" like CommonMark, except beside wide characters.
// CommonMark asks for a space or punctuation outside of a run that has punctuation
// inside, so that "**吞吐量（token/s）**提升" stays literal: Chinese has no spaces to
// offer. Here a wide character outside is as good as a space, and wide punctuation
// inside is as good as a letter. Text without wide characters reads as before.
type emphasisParser struct{}

func (emphasisParser) Trigger() []byte { return []byte{'*'} }

// Parse lets goldmark scan the run, and decides anew only beside a wide character: the
// examples of the specification hold because nothing else is touched.
func (emphasisParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	node := parser.ScanDelimiter(line, before, 1, starProcessor{})
	if node == nil {
		return nil
	}
	after := ' '
	if node.OriginalLength < len(line) {
		after = util.ToRune(line, node.OriginalLength)
	}
	if isWide(before) || isWide(after) {
		node.CanOpen = flanks(before, after)
		node.CanClose = flanks(after, before)
	}
	node.Segment = segment.WithStop(segment.Start + node.OriginalLength)
	block.Advance(node.OriginalLength)
	pc.PushDelimiter(node)
	return node
}

// flanks reports whether a run of delimiters touches what is inside of it, given the
// characters outside and inside.
func flanks(outside, inside rune) bool {
	if util.IsSpaceRune(inside) {
		return false
	}
	if !util.IsPunctRune(inside) || isWide(inside) {
		return true
	}
	return util.IsSpaceRune(outside) || util.IsPunctRune(outside) || isWide(outside)
}

// starProcessor pairs runs of "*". goldmark's own processor is not exported.
type starProcessor struct{}

func (starProcessor) IsDelimiter(b byte) bool { return b == '*' }

func (starProcessor) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

func (starProcessor) OnMatch(consumes int) ast.Node { return ast.NewEmphasis(consumes) }
