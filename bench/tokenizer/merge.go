package tokenizer

import "container/heap"

type pair struct{ left, right int32 }

// merged is what a pair becomes, and how early: a lower rank goes first.
type merged struct{ rank, token int32 }

// byteAlphabet returns the letter that stands for each byte in vocabularies: the byte
// itself where it can be printed, else one of the letters from 256 on.
func byteAlphabet() [256]rune {
	var letters [256]rune
	next := rune(256)
	for b := range letters {
		if b >= '!' && b <= '~' || b >= 0xA1 && b <= 0xAC || b >= 0xAE {
			letters[b] = rune(b)
			continue
		}
		letters[b] = next
		next++
	}
	return letters
}

// node is a token of a piece under way, linked to its neighbours; -1 is none.
type node struct {
	token      int32
	prev, next int
	gone       bool
}

// offer is a merge that was possible when it was made: it is dropped if one of
// its sides has changed since.
type offer struct {
	rank        int32
	at          int
	left, right int32
	becomes     int32
}

type offers []offer

func (o offers) Len() int { return len(o) }
func (o offers) Less(i, j int) bool {
	if o[i].rank != o[j].rank {
		return o[i].rank < o[j].rank
	}
	return o[i].at < o[j].at
}
func (o offers) Swap(i, j int) { o[i], o[j] = o[j], o[i] }
func (o *offers) Push(x any)   { *o = append(*o, x.(offer)) }
func (o *offers) Pop() any {
	last := (*o)[len(*o)-1]
	*o = (*o)[:len(*o)-1]
	return last
}

// merge returns how many tokens a piece becomes. A queue of offers keeps this from
// growing with the square of the length, since a line of Chinese is one piece.
func (t *Tokenizer) merge(piece string) int {
	if len(piece) < 2 {
		return len(piece)
	}
	nodes := make([]node, len(piece))
	for i := range len(piece) {
		nodes[i] = node{token: t.bytes[piece[i]], prev: i - 1, next: i + 1}
	}
	nodes[len(nodes)-1].next = -1
	var queue offers
	for i := range nodes {
		if o, ok := t.offer(nodes, i); ok {
			queue = append(queue, o)
		}
	}
	heap.Init(&queue)
	left := len(nodes)
	for len(queue) > 0 {
		o := heap.Pop(&queue).(offer)
		n := &nodes[o.at]
		if n.gone || n.token != o.left || n.next < 0 || nodes[n.next].token != o.right {
			continue
		}
		join(nodes, o)
		left--
		for _, i := range []int{n.prev, o.at} {
			if again, ok := t.offer(nodes, i); ok {
				heap.Push(&queue, again)
			}
		}
	}
	return left
}

func join(nodes []node, o offer) {
	n := &nodes[o.at]
	eaten := &nodes[n.next]
	eaten.gone = true
	n.token, n.next = o.becomes, eaten.next
	if n.next >= 0 {
		nodes[n.next].prev = o.at
	}
}

// offer returns the merge of a node with the one behind it, if there is such a merge.
func (t *Tokenizer) offer(nodes []node, at int) (offer, bool) {
	if at < 0 || nodes[at].next < 0 {
		return offer{}, false
	}
	p := pair{nodes[at].token, nodes[nodes[at].next].token}
	m, ok := t.merges[p]
	return offer{m.rank, at, p.left, p.right, m.token}, ok
}
