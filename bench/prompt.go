package bench

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Prompt is one request of a workload.
type Prompt struct {
	Text   string `json:"prompt"`
	Output int    `json:"output_tokens"` // the most that may be generated
}

// Digest names a list of prompts: two runs with the same digest asked the same, in the
// same order.
func Digest(prompts []Prompt) string {
	h := sha256.New()
	for _, p := range prompts {
		fmt.Fprintf(h, "%d %d\n%s\n", p.Output, len(p.Text), p.Text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Custom reads a prompt file: an object a line, with the prompt and, unless a length for
// all is given, its output_tokens. The order is the file's.
func Custom(file string, r io.Reader, output int) ([]Prompt, error) {
	in := bufio.NewReader(r)
	var prompts []Prompt
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("reading %s: %w", file, err)
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			p, bad := promptOf(text, output)
			if bad != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, n, bad)
			}
			prompts = append(prompts, p)
		}
		if err == io.EOF {
			return prompts, nil
		}
	}
}

func promptOf(line []byte, output int) (Prompt, error) {
	var p Prompt
	if err := json.Unmarshal(line, &p); err != nil {
		return p, fmt.Errorf(`not a line such as {"prompt": "...", "output_tokens": 128}: %w`, err)
	}
	if output > 0 {
		p.Output = output
	}
	switch {
	case strings.TrimSpace(p.Text) == "":
		return p, fmt.Errorf("no prompt, or an empty one")
	case p.Output < 1:
		return p, fmt.Errorf("no output_tokens; add it, or give one length for all with --custom-output-len")
	}
	return p, nil
}

// Split takes n prompts to measure and warm-ups behind them: a prompt that has been
// sent before is answered from the server's cache, so none is used twice.
func Split(prompts []Prompt, n, warmups int) (measured, warm []Prompt, err error) {
	if len(prompts) < n+warmups {
		return nil, nil, fmt.Errorf("%d prompts are too few for %d to measure and %d to warm up; a repeated one would be answered from the server's cache: "+
			"ask for fewer, or give a larger dataset", len(prompts), n, warmups)
	}
	return prompts[:n], prompts[n : n+warmups], nil
}
