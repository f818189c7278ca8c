package markup

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// nodeRenderer prints the nodes of this package, and those of goldmark's that this
// package prints otherwise. Write errors stay in the writer and come out of Flush.
type nodeRenderer struct{}

// RegisterFuncs names the nodes that this package prints. Links, lists, images and the
// rest are goldmark's, which by then hold nothing that a page may not have.
func (nodeRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(kindFact, leaf(renderFact))
	reg.Register(kindLiteral, leaf(renderLiteral))
	reg.Register(kindCode, leaf(renderCode))
	reg.Register(kindLabel, wrap("<label>", "</label>"))
	reg.Register(kindFigure, renderFigure)
	reg.Register(kindChart, renderChart)
	reg.Register(kindAdmonition, renderAdmonition)
	reg.Register(kindTitle, renderTitle)
	reg.Register(ast.KindHeading, renderHeading)
	reg.Register(east.KindTable, renderTable)
}

// leaf adapts a function that prints a node without children.
func leaf(print func(w util.BufWriter, n ast.Node)) renderer.NodeRendererFunc {
	return func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			print(w, n)
		}
		return ast.WalkSkipChildren, nil
	}
}

// wrap prints a node as something before its children and something after.
func wrap(before, after string) renderer.NodeRendererFunc {
	return func(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			_, _ = w.WriteString(before)
		} else {
			_, _ = w.WriteString(after)
		}
		return ast.WalkContinue, nil
	}
}

// escape makes text safe in an element and in a quoted attribute.
func escape(text string) string { return string(util.EscapeHTML([]byte(text))) }

// renderFact prints a fact or a citation. The link goes inside, so that the element can
// be found by its id whether it has one or not.
func renderFact(w util.BufWriter, node ast.Node) {
	n := node.(*factNode)
	text := escape(n.bound.Text)
	if n.bound.Href != "" && !n.inLink {
		text = fmt.Sprintf(`<a href="%s">%s</a>`, escape(n.bound.Href), text)
	}
	if n.bound.Kind == KindCite {
		fmt.Fprintf(w, `<span class="cite" data-cite="%s">%s</span>`, escape(n.bound.ID), text)
		return
	}
	formula := ""
	if n.bound.Formula != "" {
		formula = fmt.Sprintf(` data-formula="%s"`, escape(n.bound.Formula))
	}
	fmt.Fprintf(w, `<data class="fact" value="%s" data-fact="%s"%s>%s</data>`,
		escape(n.bound.Value), escape(n.bound.ID), formula, text)
}

// renderLiteral prints the literal as it was declared, whatever line break or escape it
// was written with.
func renderLiteral(w util.BufWriter, node ast.Node) {
	fmt.Fprintf(w, `<span data-literal>%s</span>`, escape(node.(*literalNode).text))
}

// renderCode prints a code span. goldmark would print the attribute with a value.
func renderCode(w util.BufWriter, node ast.Node) {
	n := node.(*codeNode)
	if n.literal {
		_, _ = w.WriteString("<code data-literal>")
	} else {
		_, _ = w.WriteString("<code>")
	}
	_, _ = w.Write(util.EscapeHTML(n.text))
	_, _ = w.WriteString("</code>")
}

// renderFigure prints a block of code after its caption, which is its children. The
// block takes the focus, so that the keyboard can scroll it.
func renderFigure(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*figureNode)
	if entering {
		_, _ = w.WriteString(`<figure class="code">` + "\n")
		if n.HasChildren() {
			_, _ = w.WriteString("<figcaption>")
		}
		return ast.WalkContinue, nil
	}
	if n.HasChildren() {
		_, _ = w.WriteString("</figcaption>\n")
	}
	if n.copy != "" {
		fmt.Fprintf(w, `<button type="button" class="copy" data-copy>%s</button>`+"\n", escape(n.copy))
	}
	_, _ = w.WriteString(`<pre tabindex="0"><code`)
	if n.fence.lang != "" {
		fmt.Fprintf(w, ` class="language-%s"`, escape(n.fence.lang))
	}
	_ = w.WriteByte('>')
	_, _ = w.Write(highlight(n.fence.lang, n.fence.id, n.text))
	_, _ = w.WriteString("</code></pre>\n</figure>\n")
	return ast.WalkContinue, nil
}

// renderChart prints a drawing before its caption, which is its children.
func renderChart(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*chartNode)
	tag := "figure"
	if n.inline {
		tag = "span"
	}
	captioned := n.HasChildren() && !n.inline
	if !entering {
		if captioned {
			_, _ = w.WriteString("</figcaption>\n")
		}
		_, _ = w.WriteString("</" + tag + ">")
		if !n.inline {
			_ = w.WriteByte('\n')
		}
		return ast.WalkContinue, nil
	}
	fmt.Fprintf(w, `<%s class="chart">`, tag)
	_, _ = w.Write(n.svg)
	if n.inline {
		return ast.WalkSkipChildren, nil
	}
	_ = w.WriteByte('\n')
	if captioned {
		_, _ = w.WriteString("<figcaption>")
	}
	return ast.WalkContinue, nil
}

// renderAdmonition prints an aside, or details if the block folds. role=note keeps
// asides from becoming landmarks, of which a page should have few.
func renderAdmonition(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*admonition)
	class := escape("admonition " + strings.Join(n.kinds, " "))
	switch {
	case n.folds && entering && n.open:
		fmt.Fprintf(w, `<details class="%s" open>`+"\n", class)
	case n.folds && entering:
		fmt.Fprintf(w, `<details class="%s">`+"\n", class)
	case n.folds:
		_, _ = w.WriteString("</details>\n")
	case entering:
		fmt.Fprintf(w, `<aside class="%s" role="note">`+"\n", class)
	default:
		_, _ = w.WriteString("</aside>\n")
	}
	return ast.WalkContinue, nil
}

// renderTitle prints what a folded block is opened by, or the first line of an aside. An
// aside's title is no heading: it would enter the outline of the page.
func renderTitle(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if parent, ok := node.Parent().(*admonition); ok && parent.folds {
		return wrap("<summary>", "</summary>\n")(w, source, node, entering)
	}
	return wrap(`<p class="admonition-title">`, "</p>\n")(w, source, node, entering)
}

// renderHeading prints the id and no other attribute that the source may ask for.
func renderHeading(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*ast.Heading)
	if !entering {
		fmt.Fprintf(w, "</h%d>\n", n.Level)
		return ast.WalkContinue, nil
	}
	fmt.Fprintf(w, "<h%d", n.Level)
	if id := attribute(n, "id"); id != "" {
		fmt.Fprintf(w, ` id="%s"`, escape(id))
	}
	_ = w.WriteByte('>')
	return ast.WalkContinue, nil
}

// renderTable puts a table into an element that can scroll on a narrow screen.
func renderTable(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	return wrap("<div class=\"table\">\n<table>\n", "</table>\n</div>\n")(w, source, n, entering)
}

// withoutLinks takes the tags of links out of HTML that this package printed, where
// ">" in an attribute is always escaped.
func withoutLinks(html []byte) []byte {
	var out []byte
	for {
		at := bytes.Index(html, []byte("<a "))
		if at < 0 {
			break
		}
		out = append(out, html[:at]...)
		html = html[at+bytes.IndexByte(html[at:], '>')+1:]
	}
	return bytes.ReplaceAll(append(out, html...), []byte("</a>"), nil)
}
