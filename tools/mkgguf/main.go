// Command mkgguf writes a small language model with random weights as a GGUF file, so that
// a real inference server can be run in tests without any download.
//
// It is a plain llama architecture in F32. Its text makes no sense, but everything that a
// server does with it is real: tokenizing, prefill, batching, the KV cache, sampling,
// streaming. The same flags always write the same bytes.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is the program.
func run(args []string, stdout, stderr io.Writer) int {
	m := shape{}
	flags := flag.NewFlagSet("mkgguf", flag.ContinueOnError)
	flags.SetOutput(stderr)
	out := flags.String("o", "tiny.gguf", "file to write")
	flags.IntVar(&m.embedding, "embd", 256, "embedding length, a multiple of -heads")
	flags.IntVar(&m.layers, "layers", 4, "number of layers")
	flags.IntVar(&m.feedForward, "ff", 704, "feed-forward length")
	flags.IntVar(&m.heads, "heads", 8, "attention heads, a multiple of -kv-heads")
	flags.IntVar(&m.kvHeads, "kv-heads", 4, "key and value heads")
	flags.IntVar(&m.context, "ctx", 8192, "context length that the model says it was trained for")
	flags.IntVar(&m.words, "words", 1741, "made-up words in the vocabulary")
	flags.Int64Var(&m.seed, "seed", 1, "seed of words and weights")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if err := m.check(); err != nil {
		fmt.Fprintln(stderr, "mkgguf:", err)
		return 2
	}
	parameters, err := save(*out, m)
	if err != nil {
		fmt.Fprintln(stderr, "mkgguf:", err)
		return 1
	}
	fmt.Fprintf(stdout, "%s: %d parameters\n", *out, parameters)
	return 0
}

// save writes the model to a file, whole or not at all.
func save(path string, m shape) (parameters uint64, err error) {
	part := path + ".part"
	f, err := os.Create(part)
	if err != nil {
		return 0, err
	}
	parameters, err = write(f, m)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		_ = os.Remove(part)
		return 0, err
	}
	return parameters, os.Rename(part, path)
}
