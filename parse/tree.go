package parse

// node is one value of a structured document, with its place in it. JSON and YAML
// reports become trees of nodes, so that one reader serves both.
type node struct {
	key    string
	kind   nodeKind
	text   string // of a scalar, as it stands in the document
	line   int    // where it begins
	end    int    // where it ends
	items  []*node
	closed bool // its end was read, so nothing of it is missing

	index map[string]*node // of an object with many members
}

type nodeKind int

const (
	nodeNull nodeKind = iota
	nodeBool
	nodeNumber
	nodeText
	nodeObject
	nodeList
	nodeSkipped // not needed, so passed over and not held
)

// Limits that keep a document from being held where only its shape is odd.
const (
	maxDepth   = 64   // no tool nests deeper than 16
	maxScalars = 4096 // of one list; the long lists are samples, which no reader needs
)

// get returns the member at a path of keys, the first one if a key is repeated, or nil.
func (n *node) get(path ...string) *node {
	for _, key := range path {
		n = n.member(key)
	}
	return n
}

// member returns the first member with a key. It accepts a missing node, so that paths
// through what a version does not write need no checks.
func (n *node) member(key string) *node {
	if n == nil || n.kind != nodeObject {
		return nil
	}
	if n.index != nil {
		return n.index[key]
	}
	for _, m := range n.items {
		if m.key == key {
			return m
		}
	}
	return nil
}

// has reports whether there is a member at a path, null or not.
func (n *node) has(path ...string) bool { return n.get(path...) != nil }

// members returns the members of an object, and nothing for any other node.
func (n *node) members() []*node {
	if n == nil || n.kind != nodeObject {
		return nil
	}
	return n.items
}

// elements returns the elements of a list, and nothing for any other node.
func (n *node) elements() []*node {
	if n == nil || n.kind != nodeList {
		return nil
	}
	return n.items
}

// scalar returns the text of a number, string or truth value, and "" for anything else.
func (n *node) scalar() string {
	if n == nil {
		return ""
	}
	return n.text
}

// number returns the value of a number, and false for anything else.
func (n *node) number() (float64, bool) {
	if n == nil || n.kind != nodeNumber {
		return 0, false
	}
	v, kind := readNumber(n.text)
	return v.value, kind == isNumber
}

// repeated is a key that stands twice in one object with two values.
type repeated struct{ first, second *node }

// add appends an element to a list, or a member to an object that has none of its
// key. It returns the member that stands there already with another value.
func (n *node) add(child *node) (repeated, bool) {
	switch {
	case n.kind != nodeList:
		if old := n.member(child.key); old != nil {
			return repeated{old, child}, old.kind != child.kind || old.text != child.text || old.kind >= nodeObject
		}
	case child.kind < nodeObject && len(n.items) >= maxScalars:
		return repeated{}, false
	}
	n.items = append(n.items, child)
	n.remember(child)
	return repeated{}, false
}

// remember keeps members findable: with many of them, by an index.
func (n *node) remember(child *node) {
	const few = 64
	switch {
	case n.kind == nodeList || len(n.items) < few:
	case n.index == nil:
		n.index = make(map[string]*node, 2*few)
		for _, m := range n.items {
			n.index[m.key] = m
		}
	default:
		n.index[child.key] = child
	}
}
