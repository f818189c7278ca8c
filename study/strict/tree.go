package strict

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// maxDepth is how many levels of lists and mappings a document may have.
const maxDepth = 32

// builder turns the library's tree into nodes.
type builder struct {
	doc      *document
	source   source
	problems []Problem
	misread  bool // the library's tree is not the one that the text shows
}

// report takes the place apart from the node: what is wrong with a key, a tag or a
// dash stands elsewhere than the value.
func (b *builder) report(at place, owner *Node, message, hint string) {
	b.problems = append(b.problems, owner.problemAt(at, message, hint))
}

// build returns the root of the first document, or nil where there is none.
func (b *builder) build(file *ast.File) *Node {
	root := &Node{doc: b.doc, index: -1, place: place{1, 1}}
	var bodies []*ast.DocumentNode
	for i, d := range file.Docs {
		if i > 0 || d.Body != nil {
			bodies = append(bodies, d)
		}
	}
	if len(bodies) == 0 || bodies[0].Body == nil {
		b.report(root.place, root, "the document is empty", "")
		return nil
	}
	if len(bodies) > 1 {
		at := root.place
		if start := bodies[1].Start; start != nil {
			at = tokenPlace(start)
		}
		b.report(at, root, "a second document", `a file holds one; delete the "---" line or move the rest to its own file`)
	}
	b.fill(root, bodies[0].Body, 0)
	return root
}

// tokenPlace guards against column 0, which the library gives to texts of blocks.
func tokenPlace(t *token.Token) place { return place{t.Position.Line, max(1, t.Position.Column)} }

// fill sets the kind, place and content of a node from the library's node.
func (b *builder) fill(n *Node, from ast.Node, depth int) {
	if depth > maxDepth {
		b.report(n.place, n, tooDeepMessage, "flatten it, or check the indentation")
		return
	}
	switch from := from.(type) {
	case *ast.MappingNode:
		b.fillMapping(n, from, depth)
	case *ast.SequenceNode:
		b.fillList(n, from, depth)
	case *ast.AnchorNode:
		b.report(tokenPlace(from.Start), n, "an anchor", `write the value out in each place, or put a text that starts with "&" in quotes`)
		b.fillOrLeave(n, from.Value, depth)
	case *ast.TagNode:
		b.report(tokenPlace(from.Start), n, "the tag "+from.Start.Value, `delete it, or put a text that starts with "!" in quotes`)
		b.fillOrLeave(n, from.Value, depth)
	case *ast.AliasNode:
		b.report(tokenPlace(from.Start), n, "an alias", `write the value out, or put a text that starts with "*" in quotes`)
	default:
		b.fillScalar(n, from)
	}
}

// fillOrLeave goes on below an anchor or tag, whose value may be absent.
func (b *builder) fillOrLeave(n *Node, from ast.Node, depth int) {
	if from != nil {
		b.fill(n, from, depth+1)
	}
}

// fillMapping keeps the first of two equal keys and drops entries whose key cannot
// be named; both are reported here, so that the decoder need not know of them. The
// library places a mapping at its first colon, which is no place to look at.
func (b *builder) fillMapping(n *Node, from *ast.MappingNode, depth int) {
	n.kind = Mapping
	switch {
	case from.IsFlowStyle:
		n.place = tokenPlace(from.Start)
	case n.keyAt.line == 0 && len(from.Values) > 0:
		n.place = tokenPlace(from.Values[0].Key.GetToken())
	}
	seen := map[string]place{}
	for _, entry := range from.Values {
		at := tokenPlace(entry.Key.GetToken())
		key, ok := b.key(n, entry, at)
		if !ok {
			continue
		}
		if first, twice := seen[key]; twice {
			b.report(at, n, fmt.Sprintf("the key %q again", key), fmt.Sprintf("it is already on line %d; keep one", first.line))
			continue
		}
		seen[key] = at
		child := &Node{doc: b.doc, parent: n, index: -1, key: key, keyAt: at, place: at}
		b.fill(child, entry.Value, depth+1)
		n.entries = append(n.entries, child)
		b.checkIndent(child, at, from.IsFlowStyle)
	}
}

// key returns the text of a key, and reports a key that is not plainly a text:
// another YAML reader may take 8, on or null for something else.
func (b *builder) key(n *Node, entry *ast.MappingValueNode, at place) (string, bool) {
	from := entry.Key
	text, isText := from.(*ast.StringNode)
	switch {
	case entry.Start.Type == token.MappingValueType && entry.Start.Position.Line != at.line:
		b.report(at, n, "a key whose colon is on another line", `write "key: value"`)
	case isText && strings.TrimSpace(text.Value) != "":
		b.checkPlain(n, text.Token, at)
		return text.Value, true
	case isText:
		b.report(at, n, "a blank key", "name it")
	case from.IsMergeKey():
		b.report(at, n, "a merge key", "write the values out in each place")
	default:
		value := from.GetToken().Value
		b.report(at, n, fmt.Sprintf("the key %s is not a text", value), `write "key: value", and put a key that is a number or a word such as true in quotes`)
	}
	return "", false
}

// fillList places items at their dash until they turn out to have a place of their
// own, so that an empty item is found as well.
func (b *builder) fillList(n *Node, from *ast.SequenceNode, depth int) {
	n.kind = List
	if n.keyAt.line == 0 || from.IsFlowStyle {
		n.place = tokenPlace(from.Start)
	}
	for i, value := range from.Values {
		at := tokenPlace(value.GetToken())
		if i < len(from.Entries) && from.Entries[i].Start != nil {
			at = tokenPlace(from.Entries[i].Start)
		}
		child := &Node{doc: b.doc, parent: n, index: i, place: at}
		b.fill(child, value, depth+1)
		n.items = append(n.items, child)
		b.checkIndent(child, at, from.IsFlowStyle)
	}
}

// checkIndent reports a value on a line of its own that is not indented below the
// key or dash that it belongs to. The library takes the key after an empty list
// item for that item's content.
func (b *builder) checkIndent(n *Node, owner place, flow bool) {
	if !flow && n.place.line > owner.line && n.place.column <= owner.column {
		b.misread = true
		b.report(n.place, n, "a value that is not indented below its key or dash", "indent it, or give the line above a value")
	}
}

// fillScalar keeps the source text: the library's idea of a number is not asked for.
func (b *builder) fillScalar(n *Node, from ast.Node) {
	n.kind = Scalar
	switch from := from.(type) {
	case *ast.NullNode:
		n.kind = Null
		if from.Token.Type != token.ImplicitNullType {
			n.place = tokenPlace(from.Token)
		}
	case *ast.LiteralNode:
		n.text, n.quoted, n.place = from.Value.Value, true, tokenPlace(from.Start)
	case *ast.StringNode:
		n.text, n.quoted = from.Value, from.Token.Type != token.StringType
		n.place = b.source.locate(from.Token)
		if !b.checkPlain(n, from.Token, n.place) {
			n.kind = Invalid
		}
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode, *ast.MergeKeyNode:
		n.text, n.place = from.GetToken().Value, b.source.locate(from.GetToken())
	default:
		n.kind = Invalid
		b.report(n.place, n, fmt.Sprintf("a YAML construct that is not read here (%s)", from.Type()), "write a text, a list or a mapping")
	}
}

// checkPlain refuses plain texts that the library lets pass and that other YAML
// readers refuse, or that are most likely meant as something else.
func (b *builder) checkPlain(n *Node, t *token.Token, at place) bool {
	first, _ := utf8.DecodeRuneInString(t.Value)
	switch {
	case t.Type != token.StringType || t.Value == "":
		return true
	case strings.ContainsRune("[]{},#&*!|>'\"%@`", first), t.Value == "?", strings.HasPrefix(t.Value, "? "), strings.HasPrefix(t.Value, "- "):
		b.report(at, n, fmt.Sprintf("a text that starts with %c", first), "put it in quotes")
	case dashedLine.MatchString(t.Origin):
		b.report(at, n, `a text whose next line starts with "- "`, "a key has a text or a list: remove the text, or put it in quotes")
	case strings.Contains(t.Value, " #"), strings.Contains(t.Value, ": "), strings.HasSuffix(t.Value, ":"):
		b.report(at, n, "a text with a colon or a comment in a later line", "put it in quotes, or write it as a block below |")
	default:
		return true
	}
	return false
}

// dashedLine finds a list that was written below a text.
var dashedLine = regexp.MustCompile(`\S\s*\n\s*- `)
