package document

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

func attribute(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// isSkipped reports whether an element holds no content of the page: what surrounds
// it on the site, what scripts use, and the numbers beside the lines of a listing.
func isSkipped(t html.Token) bool {
	switch t.Data {
	case "script", "style", "noscript", "template", "svg", "nav", "aside", "button", "form", "iframe", "head", "footer", "math", "select":
		return true
	}
	for class := range strings.FieldsSeq(attribute(t, "class")) {
		if slices.Contains([]string{
			"headerlink", "anchor", "linenos", "linenodiv", "lineno", "line-numbers", "line-number", "ln", "lnt", "gutter",
			"md-sidebar", "md-header", "toctree-wrapper", "breadcrumb", "sr-only", "visually-hidden", "md-content__button",
		}, class) {
			return true
		}
	}
	return attribute(t, "aria-hidden") == "true" || slices.ContainsFunc(t.Attr, func(a html.Attribute) bool { return a.Key == "hidden" })
}

// admonitionTitle marks the element that is the title of an admonition.
const admonitionTitle = "admonition-title"

// languageOf returns the language that a site's highlighter writes into a class.
func languageOf(t html.Token) string {
	for class := range strings.FieldsSeq(attribute(t, "class")) {
		if class == admonitionTitle {
			return admonitionTitle
		}
		for _, prefix := range []string{"language-", "lang-", "highlight-source-", "highlight-", "sourceCode-"} {
			if l, ok := strings.CutPrefix(class, prefix); ok && l != "text" && l != "default" && l != "none" && l != "plaintext" && l != "" {
				return l
			}
		}
	}
	return ""
}

func isVoid(name string) bool {
	switch name {
	case "img", "hr", "input", "meta", "link", "area", "base", "col", "embed", "source", "track", "wbr":
		return true
	}
	return false
}

// isBlock tells elements that begin and end a paragraph.
func isBlock(name string) bool {
	switch name {
	case "p", "div", "section", "article", "main", "header", "body", "html", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "dl", "dt", "dd",
		"blockquote", "figure", "figcaption", "details", "summary", "table", "tr", "td", "th", "hr", "center", "address", "caption":
		return true
	}
	return false
}
