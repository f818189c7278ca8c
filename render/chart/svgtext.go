package chart

import (
	"fmt"
	"strings"
)

// placed is a fragment with its final position.
type placed struct {
	frag
	x, y float64 // left end of the base line, y down
}

// text writes a block. A text of one piece is one element that carries the binding; a text of several
// has a tspan for each. The words stay in reading order and keep the spaces at which lines were
// broken, so that the content of the element reads like the source.
func (c *svgCanvas) text(b block, frags []placed) {
	if len(frags) == 0 {
		return
	}
	class := b.color.class()
	attrs := fmt.Sprintf(` font-size="%s"`, num(b.size))
	if b.bold {
		attrs += ` font-weight="700"`
	}
	// One piece is the common case, and then the contract is that the text element itself is the fact.
	if len(b.text) == 1 {
		open, binding := b.text[0].binding()
		if len(frags) == 1 {
			fmt.Fprintf(&c.buf, "<text class=\"%s%s\"%s%s%s>%s</text>\n", open, class, binding, attrs, position(frags[0]), escape(frags[0].text))
			return
		}
		fmt.Fprintf(&c.buf, "<text class=\"%s%s\"%s%s>%s</text>\n", open, class, binding, attrs, spans(frags))
		return
	}
	fmt.Fprintf(&c.buf, "<text class=\"%s\"%s>", class, attrs)
	for i := 0; i < len(frags); {
		j := i
		for j < len(frags) && frags[j].piece == frags[i].piece {
			j++
		}
		c.piece(b.text[frags[i].piece], frags[i:j])
		i = j
	}
	c.buf.WriteString("</text>\n")
}

// piece writes one of several pieces of a text.
func (c *svgCanvas) piece(l Label, frags []placed) {
	open, binding := l.binding()
	if open = strings.TrimSpace(open); open != "" {
		binding = fmt.Sprintf(` class="%s"%s`, open, binding)
	}
	if binding == "" {
		c.buf.WriteString(spans(frags))
		return
	}
	if len(frags) == 1 {
		fmt.Fprintf(&c.buf, "<tspan%s%s>%s</tspan>", binding, position(frags[0]), escape(frags[0].text))
	} else {
		fmt.Fprintf(&c.buf, "<tspan%s>%s</tspan>", binding, strings.TrimRight(spans(frags), " "))
	}
	if frags[len(frags)-1].space {
		c.buf.WriteByte(' ')
	}
}

// binding returns the class, with a space behind it, and the attributes that tell what a piece is.
func (l Label) binding() (class, attrs string) {
	switch {
	case l.Fact != "":
		return "fact ", fmt.Sprintf(` data-fact="%s" data-value="%s"`, escape(l.Fact), escape(l.Value))
	case l.Literal:
		return "", ` data-literal=""` // with a value, since a standalone SVG is XML
	}
	return "", ""
}

func spans(frags []placed) string {
	var b strings.Builder
	for _, f := range frags {
		fmt.Fprintf(&b, "<tspan%s>%s</tspan>", position(f), escape(f.text))
		if f.space {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// position gives place and length. With lengthAdjust a wider or narrower face is stretched as a
// whole instead of having its letters pushed apart.
func position(f placed) string {
	return fmt.Sprintf(` x="%s" y="%s" textLength="%s" lengthAdjust="spacingAndGlyphs"`, num(f.x), num(f.y), num(f.w))
}
