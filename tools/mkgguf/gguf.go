package main

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"
	"math/rand"
)

// Types of values in GGUF, and the boundary at which tensors begin.
const (
	typeU32    uint32 = 4
	typeI32    uint32 = 5
	typeF32    uint32 = 6
	typeString uint32 = 8
	typeArray  uint32 = 9

	alignment = 32
)

// writer writes values and counts bytes. The first error stays.
type writer struct {
	*bufio.Writer
	n   uint64
	err error
}

// put writes a value of a fixed size.
func (w *writer) put(v any) {
	if w.err == nil {
		w.err = binary.Write(w.Writer, binary.LittleEndian, v)
		w.n += uint64(binary.Size(v))
	}
}

// text writes a string with its length before it.
func (w *writer) text(s string) {
	w.put(uint64(len(s)))
	w.put([]byte(s))
}

// key begins an entry of the header.
func (w *writer) key(name string, kind uint32) {
	w.text(name)
	w.put(kind)
}

// array begins an entry that holds several values.
func (w *writer) array(name string, kind uint32, count int) {
	w.key(name, typeArray)
	w.put(kind)
	w.put(uint64(count))
}

// padding is how much is missing to the next boundary.
func padding(n uint64) uint64 { return (alignment - n%alignment) % alignment }

// pad goes on to the next boundary.
func (w *writer) pad() { w.put(make([]byte, padding(w.n))) }

// write writes the whole model.
func write(out io.Writer, m shape) (parameters uint64, err error) {
	// Words and weights come from one source, in the order in which they are written.
	rng := rand.New(rand.NewSource(m.seed))
	v := m.vocabulary(rng)
	tensors := m.tensors(v, rng)
	w := &writer{Writer: bufio.NewWriterSize(out, 1<<20)}
	w.put([]byte("GGUF"))
	w.put(uint32(3))
	w.put(uint64(len(tensors)))
	m.header(w, v)

	var offset uint64
	for _, t := range tensors {
		w.text(t.name)
		w.put(uint32(len(t.dims)))
		w.put(t.dims)
		w.put(uint32(0)) // F32
		w.put(offset)
		size := t.count() * 4
		offset += size + padding(size)
	}
	w.pad()
	for _, t := range tensors {
		parameters += t.count()
		for i := range t.count() {
			w.put(math.Float32bits(t.fill(i)))
		}
		w.pad()
	}
	if w.err != nil {
		return 0, w.err
	}
	return parameters, w.Flush()
}

// header writes what a server has to know of the model and its tokenizer.
func (m shape) header(w *writer, v vocabulary) {
	texts := [][2]string{
		{"general.architecture", "llama"},
		{"general.name", "mkgguf random model"},
		{"tokenizer.ggml.model", "llama"},
		{"tokenizer.chat_template", "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant:"},
	}
	numbers := []struct {
		name  string
		value int
	}{
		{"general.file_type", 0},
		{"llama.context_length", m.context},
		{"llama.embedding_length", m.embedding},
		{"llama.block_count", m.layers},
		{"llama.feed_forward_length", m.feedForward},
		{"llama.attention.head_count", m.heads},
		{"llama.attention.head_count_kv", m.kvHeads},
		{"llama.rope.dimension_count", m.embedding / m.heads},
		{"llama.vocab_size", len(v.tokens)},
		{"tokenizer.ggml.unknown_token_id", 0},
		{"tokenizer.ggml.bos_token_id", 1},
		{"tokenizer.ggml.eos_token_id", 2},
	}
	const others = 4 // the entries written one by one below
	w.put(uint64(len(texts) + len(numbers) + others))
	for _, t := range texts {
		w.key(t[0], typeString)
		w.text(t[1])
	}
	for _, n := range numbers {
		w.key(n.name, typeU32)
		w.put(uint32(n.value))
	}
	w.key("llama.attention.layer_norm_rms_epsilon", typeF32)
	w.put(float32(1e-5))
	w.array("tokenizer.ggml.tokens", typeString, len(v.tokens))
	for _, token := range v.tokens {
		w.text(token)
	}
	w.array("tokenizer.ggml.scores", typeF32, len(v.tokens))
	w.put(v.scores)
	w.array("tokenizer.ggml.token_type", typeI32, len(v.tokens))
	w.put(v.kinds)
}
