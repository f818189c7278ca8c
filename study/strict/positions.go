package strict

// Positions remembers where everything in a document stands, for checks that
// come after decoding. Paths are keys and indexes: At("stages", 0, "title", "zh").
// Where a path does not exist, the nearest value above it answers.
type Positions struct{ root *Node }

// At returns the line and column of the value at path. A block of several lines
// is shown at the key that opens it.
func (p *Positions) At(path ...any) (line, column int) {
	n, _ := p.root.find(path)
	return n.Position()
}

// Has reports whether there is a value at path, whatever it is.
func (p *Positions) Has(path ...any) bool {
	_, exact := p.root.find(path)
	return exact
}

// KeyAt returns the line and column of the key at path, for faults of the key
// itself. For an item of a list it is the same as At.
func (p *Positions) KeyAt(path ...any) (line, column int) {
	n, _ := p.root.find(path)
	at := n.keyPlace()
	return at.line, at.column
}

// Keys returns the keys of the mapping at path in file order, and nil where there is none.
func (p *Positions) Keys(path ...any) []string {
	n, exact := p.root.find(path)
	if !exact {
		return nil
	}
	var keys []string
	for _, e := range n.entries {
		keys = append(keys, e.key)
	}
	return keys
}

// Problem returns a problem at the value at path.
func (p *Positions) Problem(message, hint string, path ...any) Problem {
	return p.root.Problem(message, hint, path...)
}

// KeyProblem returns a problem at the key at path.
func (p *Positions) KeyProblem(message, hint string, path ...any) Problem {
	return p.root.KeyProblem(message, hint, path...)
}
