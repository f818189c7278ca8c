package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"time"
)

// The paths of the two APIs.
const (
	Completions = "/v1/completions"
	Chat        = "/v1/chat/completions"
)

// Client sends prompts to one server. Its fields are set before its first use and not
// changed; HTTP comes from [NewHTTP].
type Client struct {
	HTTP        *http.Client
	Base        string // "http://127.0.0.1:8000"
	Endpoint    string // [Chat] or another path that ends alike; otherwise the API is that of [Completions]
	Model       string
	Temperature *float64 // nil: the server's own
	IgnoreEOS   bool
	Extra       map[string]any    // more fields of the body; they win
	Headers     map[string]string // more headers
	Timeout     time.Duration     // of one request, to its end; 0: none
	Rehearsal   bool              // times are those that a fake engine stamps; see [Client.Rehearse]
}

// NewHTTP returns a client that opens a connection for each request. A server may close
// an idle connection at the moment that it is used again, and net/http does not repeat a
// POST: with reuse, one request in five failed against a server that closes at once.
// Proxies of the environment are not used, because they would be measured as well.
func NewHTTP() *http.Client {
	return &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DisableCompression: true}}
}

// Do sends one prompt and records what came. Whatever goes wrong is in the outcome.
func (c *Client) Do(ctx context.Context, p Prompt) Outcome {
	o := Outcome{Prompt: p}
	body, err := json.Marshal(c.body(p))
	if err != nil {
		o.Err = fmt.Sprintf("the request cannot be written as JSON: %v", err)
		return o
	}
	if c.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.Timeout, fmt.Errorf("no end of the answer within %s", c.Timeout))
		defer cancel()
	}
	start := time.Now()
	if err := c.stream(ctx, body, &o, func() time.Duration { return time.Since(start) }); err != nil {
		o.Err = explain(ctx, err)
		if o.End == 0 && !c.Rehearsal { // a rehearsal knows no time but the stamps
			o.End = time.Since(start)
		}
	}
	return o
}

func (c *Client) chat() bool { return strings.HasSuffix(c.Endpoint, "/chat/completions") }

func (c *Client) body(p Prompt) map[string]any {
	b := map[string]any{
		"model":          c.Model,
		"max_tokens":     p.Output,
		"stream":         true,
		"stream_options": map[string]any{"include_usage": true},
	}
	if c.chat() {
		b["messages"] = []map[string]string{{"role": "user", "content": p.Text}}
		b["max_completion_tokens"] = p.Output // the newer name; some servers know only the other
	} else {
		b["prompt"] = p.Text
	}
	if c.Temperature != nil {
		b["temperature"] = *c.Temperature
	}
	if c.IgnoreEOS {
		b["ignore_eos"] = true
	}
	maps.Copy(b, c.Extra)
	return b
}

// stream sends a request and reads its answer. The clock tells the time since it was sent.
func (c *Client) stream(ctx context.Context, body []byte, o *Outcome, clock func() time.Duration) error {
	resp, err := c.post(ctx, c.Endpoint, body)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return record(newEvents(resp.Body), o, clock, c.Rehearsal)
}

// post sends a request and returns its answer if that has status 200.
func (c *Client) post(ctx context.Context, path string, body []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(c.Base, "/")+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	return c.send(req)
}

func (c *Client) send(req *http.Request) (*http.Response, error) {
	for name, value := range c.Headers {
		req.Header.Set(name, value)
	}
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		defer resp.Body.Close()
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 4096)) // the status says enough where the text is lost
		return nil, fmt.Errorf("the server answered %s: %s", resp.Status, short(string(text)))
	}
	return resp, nil
}

// record takes the time of each chunk, before anything is done with it, and the counts.
// In a rehearsal the time is what the chunk says.
func record(e *events, o *Outcome, clock func() time.Duration, rehearsal bool) error {
	var text strings.Builder
	defer func() { o.Text = text.String() }()
	counted := false
	var c chunk
	for {
		data, err := e.next()
		now := clock()
		switch {
		case errors.Is(err, io.EOF):
			return fmt.Errorf("the stream ended before %s, after %d chunks: the server or a proxy cut it", done, len(o.Chunks))
		case err != nil:
			return fmt.Errorf("the stream broke after %d chunks: %w", len(o.Chunks), err)
		case string(data) == done:
			return complete(o, counted)
		}
		if err := c.read(data); err != nil {
			return err
		}
		if rehearsal {
			if now, err = c.stamp(); err != nil {
				return err
			}
		}
		o.End = now
		if len(c.Choices) > 0 {
			o.Chunks = append(o.Chunks, now)
		}
		if o.FirstText == 0 && c.carries() {
			o.FirstText = now
		}
		text.WriteString(c.text())
		if c.Usage != nil { // some servers send it with every chunk: the last one counts
			o.Input, o.Output, counted = c.Usage.Prompt, c.Usage.Completion, true
		}
	}
}

// complete says what a stream that ended as it should lacks.
func complete(o *Outcome, counted bool) error {
	switch {
	case !counted:
		return errors.New("the stream has no usage, so its tokens are not known; use a server that honours stream_options.include_usage")
	case len(o.Chunks) == 0:
		return errors.New("the stream has no chunk with choices: nothing was generated")
	case o.Output < 1:
		return errors.New("the server counts no output token")
	default:
		return nil
	}
}

// explain puts an error of a request into a line. Where the context ended it, what the
// reader of the stream saw of that says less than the context does.
func explain(ctx context.Context, err error) string {
	if cause := context.Cause(ctx); cause != nil {
		return cause.Error()
	}
	return err.Error()
}

// FirstModel returns the name of the first model that the server offers.
func (c *Client) FirstModel(ctx context.Context) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(c.Base, "/")+"/v1/models", nil)
	if err != nil {
		return "", err
	}
	resp, err := c.send(req)
	if err != nil {
		return "", fmt.Errorf("asking the server for its models: %w; is it running at %s? name the model with --model otherwise", err, c.Base)
	}
	defer resp.Body.Close()
	var models struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&models); err != nil || len(models.Data) == 0 {
		return "", fmt.Errorf("%s/v1/models names no model; name one with --model", c.Base)
	}
	return models.Data[0].ID, nil
}
