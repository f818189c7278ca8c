package fake

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// reply is an answer as it will be sent.
type reply struct {
	engine    string
	chat      bool
	head      string // of each chunk: id, object, time, model
	pieces    []piece
	words     []string // the tokens
	reasoning int      // how many of them are reasoning
	field     string   // under which reasoning is sent
	roleFirst bool
	finish    string
	usage     string // of the usage, without its key; "" if it is not to be sent
	input     int
	cached    int
}

// reply computes an answer: its tokens, their times, and what faults make of them.
func (s *Server) reply(q request, a asked, chat bool) reply {
	id := hash(q.prompt + strconv.Itoa(q.output))
	y := reply{engine: s.engine.ID, chat: chat, pieces: s.simulator.pieces(q), finish: "length", input: q.input, cached: s.cachedTokens(q)}
	if max(a.MaxTokens, a.MaxCompletion) > q.output {
		y.finish = "stop"
	}
	if f, ok := s.faults.find(MergeChunks); ok {
		y.pieces = merge(y.pieces, orDefault(f.Tokens, 5))
	}
	for i := range q.output {
		y.words = append(y.words, answerWord(id, i))
	}
	if f, ok := s.faults.find(Reasoning); ok && chat {
		y.reasoning, y.field = min(orDefault(f.Tokens, 10), len(y.words)), f.Field
		if y.field == "" {
			y.field = "reasoning_content"
		}
	}
	y.roleFirst = s.faults.has(RoleFirst)
	y.head = y.heading(id, s.served)
	if (a.StreamOptions.IncludeUsage || !a.Stream) && !s.faults.has(NoUsage) {
		y.usage = s.usage(q, y.cached)
	}
	return y
}

func (y reply) heading(id uint64, model string) string {
	object, prefix := "text_completion", "cmpl-"
	if y.chat {
		object, prefix = "chat.completion.chunk", "chatcmpl-"
	}
	return fmt.Sprintf(`"id":"%s%016x","object":"%s","created":%d,"model":%s`, prefix, id, object, created, quote(model))
}

// usage tells the cached tokens where the engine does, or its options make it.
func (s *Server) usage(q request, cached int) string {
	details := fmt.Sprintf(`{"cached_tokens":%d}`, cached)
	if s.engine.ID == "vllm" && !s.has("--enable-prompt-tokens-details") || s.engine.ID == "sglang" && !s.has("--enable-cache-report") {
		details = "null"
	}
	return fmt.Sprintf(`{"prompt_tokens":%d,"total_tokens":%d,"completion_tokens":%d,"prompt_tokens_details":%s}`, q.input, q.input+q.output, q.output, details)
}

// quote writes a text as JSON.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// event is one chunk and the time that it bears.
type event struct {
	at   time.Duration
	body string
}

// data is the chunk with its time.
func (e event) data() string {
	return fmt.Sprintf("data: {%s,\"benchguide_clock\":%.6f}\n\n", e.body, e.at.Seconds())
}

// rolesOwn is when the chunk with the role comes if it does not wait for a token.
const rolesOwn = time.Millisecond

// events lists the chunks of a stream in the engine's shape.
func (y reply) events() []event {
	var list []event
	add := func(at time.Duration, choices, rest string) {
		list = append(list, event{at, fmt.Sprintf(`%s,"choices":[%s]%s`, y.head, choices, rest)})
	}
	if y.chat {
		at := y.pieces[0].at
		if y.roleFirst {
			at = rolesOwn
		}
		add(at, y.choice(y.role(), "null"), "")
	}
	apart := y.engine == "sglang" || y.engine == "llama.cpp" // the end is a chunk of its own
	sent := 0
	for i, p := range y.pieces {
		finish := "null"
		if i == len(y.pieces)-1 && !apart {
			finish = quote(y.finish)
		}
		add(p.at, y.choice(y.part(sent, p.tokens), finish), "")
		sent += p.tokens
	}
	last := y.pieces[len(y.pieces)-1].at
	usage := ""
	if y.usage != "" {
		usage = `,"usage":` + y.usage
	}
	if apart {
		with := ""
		if y.engine == "llama.cpp" && !y.chat {
			with, usage = usage, ""
		}
		add(last, y.choice(y.nothing(), quote(y.finish)), with)
	}
	if usage != "" {
		add(last, "", usage)
	}
	return list
}

// role is the delta that a chat begins with.
func (y reply) role() string {
	if y.engine == "llama.cpp" {
		return `{"role":"assistant","content":null}`
	}
	return `{"role":"assistant","content":""}`
}

// part is what a chunk adds: the text, or the delta with it.
func (y reply) part(from, n int) string {
	text := quote(strings.Join(y.words[from:from+n], ""))
	switch {
	case !y.chat:
		return text
	case from < y.reasoning:
		return fmt.Sprintf(`{%s:%s,"content":null}`, quote(y.field), text)
	default:
		return fmt.Sprintf(`{"content":%s}`, text)
	}
}

func (y reply) nothing() string {
	if y.chat {
		return "{}"
	}
	return `""`
}

// choice is the one choice of a chunk. The order of keys is that of the engine.
func (y reply) choice(part, finish string) string {
	switch {
	case y.engine == "llama.cpp" && y.chat:
		return fmt.Sprintf(`{"finish_reason":%s,"index":0,"delta":%s}`, finish, part)
	case y.engine == "llama.cpp":
		return fmt.Sprintf(`{"text":%s,"index":0,"logprobs":null,"finish_reason":%s}`, part, finish)
	}
	key, stop := "text", "stop_reason"
	if y.chat {
		key = "delta"
	}
	if y.engine == "sglang" {
		stop = "matched_stop"
	}
	return fmt.Sprintf(`{"index":0,"%s":%s,"logprobs":null,"finish_reason":%s,"%s":null}`, key, part, finish, stop)
}

// leastWait is how short a wait is left out: several chunks are then sent together, and
// bear their own times all the same.
const leastWait = 2 * time.Millisecond

// stream sends an answer chunk by chunk, each when its time has come.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, y reply, counted func()) {
	began := time.Now()
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	for _, e := range y.events() {
		due := time.Duration(float64(e.at) * s.options.TimeScale)
		if left := due - time.Since(began); left >= leastWait {
			flush(w)
			if !s.sleep(r.Context(), 0, left) {
				return
			}
		}
		if _, err := w.Write([]byte(e.data())); err != nil || s.at() == dead {
			return
		}
	}
	counted()
	w.Write([]byte("data: [DONE]\n\n")) // who has gone away does not miss it
}

// whole sends an answer at once, when its last token has come.
func (s *Server) whole(w http.ResponseWriter, r *http.Request, y reply, counted func()) {
	if !s.sleep(r.Context(), y.pieces[len(y.pieces)-1].at, 0) {
		return
	}
	usage := y.usage
	if usage == "" {
		usage = "null"
	}
	text := quote(strings.Join(y.words, ""))
	if y.chat {
		text = fmt.Sprintf(`{"role":"assistant","content":%s}`, quote(strings.Join(y.words[y.reasoning:], "")))
		if y.reasoning > 0 {
			text = fmt.Sprintf(`{"role":"assistant",%s:%s,"content":%s}`, quote(y.field), quote(strings.Join(y.words[:y.reasoning], "")), quote(strings.Join(y.words[y.reasoning:], "")))
		}
	}
	choice := strings.Replace(y.choice(text, quote(y.finish)), `"delta":`, `"message":`, 1)
	head := strings.Replace(y.head, "chat.completion.chunk", "chat.completion", 1)
	counted()
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{%s,"choices":[%s],"usage":%s,"benchguide_clock":%.6f}`, head, choice, usage, y.pieces[len(y.pieces)-1].at.Seconds())
}
