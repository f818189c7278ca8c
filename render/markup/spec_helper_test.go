package markup

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// textOnly prints the inline nodes that bind makes, and leaves the rest to goldmark.
type textOnly struct{}

func (textOnly) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(kindCode, leaf(renderCode))
	reg.Register(ast.KindRawHTML, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			_, _ = w.Write(n.(*ast.RawHTML).Segments.Value(source))
		}
		return ast.WalkSkipChildren, nil
	})
}

// rewriteText applies bind's reading of text and code spans to every block, and
// nothing of what bind refuses or takes out.
func rewriteText(b *binder, n ast.Node) {
	for _, c := range children(n) {
		switch c := c.(type) {
		case *ast.CodeSpan:
			b.codeSpan(n, c)
		case *ast.Image:
			// its text stays as it is: goldmark prints it as an attribute
		default:
			rewriteText(b, c)
		}
	}
	if n.Type() == ast.TypeInline || n.Kind() == ast.KindParagraph || n.Kind() == ast.KindTextBlock || n.Kind() == ast.KindHeading {
		rewriteRuns(b, n)
	}
}

// rewriteRuns is inlines without its descent.
func rewriteRuns(b *binder, parent ast.Node) {
	for c := parent.FirstChild(); c != nil; {
		t, ok := c.(*ast.Text)
		if !ok {
			c = c.NextSibling()
			continue
		}
		d, run := textRun(t, b.source, b.last)
		end := run[len(run)-1]
		c = end.NextSibling()
		holder := ast.NewTextBlock()
		b.pieces(holder, d, place{})
		if end.HardLineBreak() {
			holder.AppendChild(holder, newMarkup("<br>\n"))
		}
		b.replace(parent, run, holder)
	}
}
