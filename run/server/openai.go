package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// openAI is what all engines have in common: the endpoints that OpenAI's clients use, and
// /health.
type openAI struct{}

// Live asks /health once.
func (openAI) Live(ctx context.Context, t Target) error {
	_, err := t.get(ctx, "/health", probeWait)
	return err
}

// Identify asks /v1/models.
func (openAI) Identify(ctx context.Context, t Target) ([]string, error) {
	var models struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if _, err := t.getJSON(ctx, "/v1/models", probeWait, &models); err != nil {
		return nil, err
	}
	var names []string
	for _, m := range models.Data {
		if m.ID != "" {
			names = append(names, m.ID)
		}
	}
	return names, nil
}

// completion is a request for a few tokens. At temperature 0 and past the end of the
// text, so that every model has something to say.
type completion struct {
	Model       string    `json:"model"`
	Prompt      string    `json:"prompt,omitempty"`
	Messages    []message `json:"messages,omitempty"`
	MaxTokens   int       `json:"max_tokens"`
	Temperature float64   `json:"temperature"`
	IgnoreEOS   bool      `json:"ignore_eos"`
	Stream      bool      `json:"stream"`
}

// message is one of a chat.
type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// completed is what is read of an answer. Reasoning counts: a model may think for all of
// its tokens.
type completed struct {
	Choices []struct {
		Text    string `json:"text"`
		Message struct {
			Content          string `json:"content"`
			Reasoning        string `json:"reasoning"`
			ReasoningContent string `json:"reasoning_content"`
		} `json:"message"`
	} `json:"choices"`
	Usage struct {
		CompletionTokens int `json:"completion_tokens"`
	} `json:"usage"`
}

// Generates asks for a completion of four tokens, and for a chat where there are no
// completions. /health answers 200 in engines that hang, so only tokens are proof.
func (openAI) Generates(ctx context.Context, t Target) error {
	const prompt = "Count from one to ten: one, two, three,"
	request := completion{Model: t.Name, Prompt: prompt, MaxTokens: 4, IgnoreEOS: true}
	err := t.generate(ctx, "/v1/completions", request)
	var status *StatusError
	if errors.As(err, &status) && (absent(err) || status.Code == http.StatusBadRequest) {
		request.Prompt, request.Messages = "", []message{{Role: "user", Content: prompt}}
		return t.generate(ctx, "/v1/chat/completions", request)
	}
	return err
}

// generate sends a request and wants at least one token back, by the count or as text:
// a token may be half of a character and print as nothing.
func (t Target) generate(ctx context.Context, path string, request completion) error {
	data, err := t.post(ctx, path, request, generateWait)
	if err != nil {
		return err
	}
	var got completed
	if err := json.Unmarshal(data, &got); err != nil {
		return fmt.Errorf("%s: the answer is no completion (%w): %s", path, err, shorten(oneLine(data), 80))
	}
	if len(got.Choices) > 0 {
		c := got.Choices[0]
		if got.Usage.CompletionTokens > 0 || c.Text+c.Message.Content+c.Message.Reasoning+c.Message.ReasoningContent != "" {
			return nil
		}
	}
	return fmt.Errorf("%s: the answer holds no token: %s", path, shorten(oneLine(data), 80))
}

// version asks an endpoint that answers {"version": ...}; "" where there is none.
func (t Target) version(ctx context.Context, path string) (string, error) {
	var v struct {
		Version string `json:"version"`
	}
	_, err := t.getJSON(ctx, path, probeWait, &v)
	if absent(err) {
		return "", nil
	}
	return v.Version, err
}

// prometheus returns what an endpoint counts, nil where there is none or where it speaks
// another format.
func (t Target) prometheus(ctx context.Context, path string) ([]byte, error) {
	data, err := t.get(ctx, path, probeWait)
	if absent(err) || err == nil && !isPrometheus(data) {
		return nil, nil
	}
	return data, err
}

// isPrometheus tells the text format from JSON and from web pages: its lines begin with
// a letter or a comment.
func isPrometheus(data []byte) bool {
	text := bytes.TrimSpace(data)
	return len(text) > 0 && !bytes.ContainsRune([]byte("{[<\""), rune(text[0]))
}
