package bench

import (
	"encoding/json"
	"fmt"
	"strings"
)

// done is the data of the event that ends a stream.
const done = "[DONE]"

// chunk is one event of a stream, of either API.
type chunk struct {
	Choices []struct {
		Text  string `json:"text"` // of completions
		Delta delta  `json:"delta"`
	} `json:"choices"`
	Usage *usage          `json:"usage"`
	Error json.RawMessage `json:"error"`
	Clock *float64        `json:"benchguide_clock"` // of a fake engine; only a rehearsal looks at it
}

// delta is the new part of a chat answer. Servers call the reasoning by two names.
type delta struct {
	Content          string          `json:"content"`
	ReasoningContent string          `json:"reasoning_content"`
	Reasoning        string          `json:"reasoning"`
	ToolCalls        json.RawMessage `json:"tool_calls"`
}

type usage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
}

// read decodes an event into a chunk that may have been used before: its list of choices
// is used again, emptied, since decoding would keep what the new one leaves out.
func (c *chunk) read(data []byte) error {
	list := c.Choices[:cap(c.Choices)]
	clear(list)
	*c = chunk{Choices: list[:0]}
	if err := json.Unmarshal(data, c); err != nil {
		return fmt.Errorf("a chunk of the stream is not the JSON of this API: %w: %s", err, short(string(data)))
	}
	if len(c.Error) > 0 && string(c.Error) != "null" {
		return fmt.Errorf("the server ended the stream with an error: %s", short(string(c.Error)))
	}
	return nil
}

// text returns what the chunk adds to the answer: reasoning is output like the rest.
func (c *chunk) text() string {
	if len(c.Choices) == 0 {
		return ""
	}
	d := c.Choices[0].Delta
	reasoning := d.ReasoningContent
	if reasoning == "" { // a server in transition sends the same text under both names
		reasoning = d.Reasoning
	}
	return c.Choices[0].Text + reasoning + d.Content
}

// carries reports whether the chunk has any output, a call of a tool included.
func (c *chunk) carries() bool {
	if c.text() != "" {
		return true
	}
	return len(c.Choices) > 0 && len(c.Choices[0].Delta.ToolCalls) > len("[]") && string(c.Choices[0].Delta.ToolCalls) != "null"
}

// short bounds what is quoted of a server's answer, and keeps it on one line.
func short(s string) string {
	const limit = 500
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "..."
}
