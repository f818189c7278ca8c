package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
)

// Counter counts the tokens of a text.
type Counter interface {
	Count(ctx context.Context, text string) (int, error)
	// Exact reports whether it counts as the server does.
	Exact() bool
}

var (
	_ Counter = (*serverCounter)(nil)
	_ Counter = approximate{}
)

// CounterOf returns the server's own tokenizer if it offers one, else an estimate.
func CounterOf(ctx context.Context, c *Client) Counter {
	s := &serverCounter{c}
	if n, err := s.Count(ctx, "one two three"); err == nil && n > 0 {
		return s
	}
	return approximate{}
}

// Approximate returns the counter that takes four bytes for a token.
func Approximate() Counter { return approximate{} }

// serverCounter asks /tokenize, which vLLM, SGLang and llama.cpp's server have.
type serverCounter struct{ client *Client }

func (s *serverCounter) Exact() bool { return true }

// Count names the text as each of the servers does: what one does not know it ignores.
func (s *serverCounter) Count(ctx context.Context, text string) (int, error) {
	body, err := json.Marshal(map[string]any{
		"model": s.client.Model, "prompt": text, "add_special_tokens": false,
		"content": text, "add_special": false,
	})
	if err != nil {
		return 0, err
	}
	resp, err := s.client.post(ctx, "/tokenize", body)
	if err != nil {
		return 0, fmt.Errorf("asking the server to count tokens: %w", err)
	}
	defer resp.Body.Close()
	var answer struct {
		Tokens []json.RawMessage `json:"tokens"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return 0, fmt.Errorf("the server's /tokenize answered with no list of tokens: %w", err)
	}
	return len(answer.Tokens), nil
}

// approximate takes four bytes for a token, which English text in today's
// vocabularies comes near.
type approximate struct{}

func (approximate) Exact() bool { return false }

func (approximate) Count(_ context.Context, text string) (int, error) {
	return int(math.Ceil(float64(len(text)) / 4)), nil
}
