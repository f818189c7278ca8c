package tokenizer

import (
	"strings"
	"sync"
)

// memory keeps the counts of short pieces: texts repeat their words, and to merge one
// costs more than all else. It stops growing when it is full.
type memory struct {
	mu     sync.RWMutex
	counts map[string]int
}

const (
	longestKept = 32      // bytes of a piece
	mostKept    = 1 << 17 // pieces
)

func (m *memory) get(piece string) (int, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	n, ok := m.counts[piece]
	return n, ok
}

func (m *memory) put(piece string, n int) {
	if len(piece) > longestKept {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.counts == nil {
		m.counts = map[string]int{}
	}
	if len(m.counts) < mostKept {
		m.counts[strings.Clone(piece)] = n // the text it is cut from is not kept
	}
}
