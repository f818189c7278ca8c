package document_test

import (
	"fmt"
	"strings"

	"benchguide/parse/document"
)

// dump writes a document as one line a part: what the tests compare.
func dump(d document.Document) string {
	var b strings.Builder
	for _, p := range d.Parts {
		first, last := p.Place()
		fmt.Fprintf(&b, "%d-%d ", first, last)
		switch p := p.(type) {
		case document.Heading:
			fmt.Fprintf(&b, "h%d %s\n", p.Level, p.Text)
		case document.Paragraph:
			mark := "p"
			if p.Bullet {
				mark = "li"
			}
			fmt.Fprintf(&b, "%s %q\n", mark, p.Text)
		case document.Command:
			fmt.Fprintf(&b, "command [%s] (%s) %q\n", p.Title, p.Language, p.Text)
		case document.Code:
			fmt.Fprintf(&b, "code [%s] (%s) %q\n", p.Title, p.Language, p.Text)
		case document.Block:
			fmt.Fprintf(&b, "block [%s] %d values, labels %q\n", p.Title, len(p.Record.Values), p.Record.Labels)
		case document.Table:
			b.WriteString("table\n")
			for _, r := range p.Rows {
				fmt.Fprintf(&b, "  %d %q\n", r.Line, r.Cells)
			}
		}
	}
	for _, p := range d.Problems {
		fmt.Fprintf(&b, "problem %s\n", p.Error())
	}
	return b.String()
}
