package parse

import (
	"strings"

	"benchguide/metric"
)

// rustRuleWidth is the width of the header of vLLM's Rust client; all others of the
// family print 50.
const rustRuleWidth = 60

// vllmRust is vLLM's client in Rust, which prints the labels of the Python one and
// may add a steady-state block with other values under the same labels.
func vllmRust() producer {
	p := vllm()
	p.name = "vllm-bench (Rust)"
	p.owns = func(b *block) bool {
		return b.titleWidth == rustRuleWidth && !b.has("task") || strings.HasPrefix(b.title, "Embedding/Pooling") || b.steady != nil
	}
	p.versions = func(*block) string { return "main of 2026-07-17 or later" }
	p.means = func(r *Record, b *block) []Definition {
		return append(vllmMeans(r, b), InputByServer, OutputByServer)
	}
	p.finish = func(r *Record, b *block) {
		if b.steady != nil {
			r.Settings = append(r.Settings, p.steady(b.steady)...)
			r.EndLine = b.steady.last
		}
	}
	return p
}

// steady reads the steady-state block into settings, since it is about a part of
// the run and must never stand for the whole of it.
func (p producer) steady(b *block) []Setting {
	var all []Setting
	for _, f := range b.fields {
		if f.cut {
			continue
		}
		name := strings.ReplaceAll(strings.TrimSuffix(f.key, ":"), " ", "_")
		if l, ok := p.find(f); ok && l.id != "" {
			name = string(l.id)
		}
		all = append(all, Setting{Name: "steady." + name, Text: f.rest, Line: f.line})
	}
	return all
}

const (
	multiTurnTitle = "Multi-Turn Benchmark Result"
	steadyTitle    = "Steady-State Metrics"
)

// vllmMultiTurn is the multi-turn mode of the Rust client. The values of a record
// are those of all turns; those of each turn are settings.
func vllmMultiTurn() producer {
	p := vllm()
	p.name = "vllm-bench (Rust) multi-turn"
	p.owns = func(b *block) bool { return b.title == multiTurnTitle }
	p.versions = func(*block) string { return "main of 2026-07-17 or later" }
	p.labels = append(vllmLabels(),
		label{key: "conversations completed/total", setting: "conversations_completed_of_total"},
		label{key: "turns per conversation (configured)", setting: "turns_per_conversation"},
		label{key: "avg turns completed", setting: "turns_completed.mean"},
		label{key: "avg conversation duration (ms)", setting: "conversation_duration_ms.mean"},
		label{key: "concurrency", id: metric.MaxConcurrency},
		label{key: "inter-turn delay (ms)", setting: "inter_turn_delay_ms"})
	p.extra = func(f blockField) (label, bool) {
		turn, _, ok := strings.Cut(strings.TrimPrefix(f.part, "turn "), " ")
		if !ok || !strings.HasPrefix(f.part, "turn ") {
			return label{}, false
		}
		f.part = ""
		l, ok := p.find(f)
		return label{key: f.key, setting: "turn." + turn + "." + string(l.id)}, ok && l.id != ""
	}
	// A turn's lines have the labels of the whole run; the turn is looked at first.
	p.extraFirst = true
	return p
}

// steadyAfter reads the steady-state block that may follow a result, with a warning
// line between them, and leaves the input where it was when there is none.
func steadyAfter(in *Input, pre prefix, known func(blockField) bool) *block {
	here := in.mark()
	in.begin()
	for range 6 {
		before := in.mark()
		l, ok := in.next()
		if !ok {
			break
		}
		s := pre.strip(cleanLine(l.Text))
		if s == "" || strings.HasPrefix(s, "Warning:") {
			continue
		}
		if kind, title := rule(s); kind == headerRule && title == steadyTitle {
			in.reset(before)
			return readBlock(in, known)
		}
		break
	}
	in.reset(here)
	return nil
}
