package htmlcheck

import (
	"fmt"
	"regexp"
	"strings"
)

// step is one part of a selector: all of its tests hold for one element.
type step []func(Node) bool

// piece is one test of a step.
var piece = regexp.MustCompile(`^(?:([a-z][a-z0-9]*|\*)|#([\w-]+)|\.([\w-]+)|\[([\w-]+)(?:=([^\]]*))?\])`)

func compile(selector string) []step {
	var steps []step
	for part := range strings.FieldsSeq(selector) {
		var s step
		for rest := part; rest != ""; {
			m := piece.FindStringSubmatch(rest)
			if m == nil {
				panic(fmt.Sprintf("htmlcheck: selector %q: cannot read %q", selector, rest))
			}
			s = append(s, test(m))
			rest = rest[len(m[0]):]
		}
		steps = append(steps, s)
	}
	if len(steps) == 0 {
		panic("htmlcheck: empty selector")
	}
	return steps
}

func test(m []string) func(Node) bool {
	tag, id, class, attr, value := m[1], m[2], m[3], m[4], m[5]
	switch {
	case tag != "":
		return func(n Node) bool { return tag == "*" || n.Tag() == tag }
	case id != "":
		return func(n Node) bool { return n.Attr("id") == id }
	case class != "":
		return func(n Node) bool { return n.hasClass(class) }
	default:
		any := !strings.Contains(m[0], "=")
		return func(n Node) bool {
			got, ok := n.Lookup(attr)
			return ok && (any || got == value)
		}
	}
}

// matches reports whether the last step holds for the element and the earlier ones
// for ancestors, from the nearest outwards. Taking the nearest match is enough where
// descendants are the only combinator.
func matches(n Node, steps []step) bool {
	last := len(steps) - 1
	if !steps[last].holds(n) {
		return false
	}
	want := last - 1
	for up := range n.n.Ancestors() {
		if want < 0 {
			break
		}
		if steps[want].holds(Node{up}) {
			want--
		}
	}
	return want < 0
}

func (s step) holds(n Node) bool {
	for _, test := range s {
		if !test(n) {
			return false
		}
	}
	return true
}
