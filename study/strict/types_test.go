package strict_test

import (
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"benchguide/study/strict"
)

// guide has one field for each thing that the decoder knows, except hooks.
type guide struct {
	Common
	Title    text                         `json:"title"`
	Goal     goal                         `json:"goal,omitempty"`
	GPUs     int                          `json:"gpus,omitempty"`
	Small    int8                         `json:"small,omitempty"`
	Port     uint16                       `json:"port,omitempty"`
	Floor    float64                      `json:"floor,omitempty"`
	Fast     bool                         `json:"fast,omitempty"`
	Timeout  time.Duration                `json:"timeout,omitzero"`
	Seed     *int                         `json:"seed"`
	Flags    []string                     `json:"flags,omitempty"`
	Env      map[string]string            `json:"env,omitempty"`
	Versions strict.Map[string]           `json:"versions,omitempty"`
	Stages   []stage                      `json:"stages,omitempty"`
	Note     *text                        `json:"note,omitempty"`
	Tree     map[string]strict.Map[[]int] `json:"tree,omitempty"`
}

// Common is embedded: its keys stand among those of the outer struct.
type Common struct {
	ID name `json:"id" jsonschema:"the folder's name"`
}

type name string

type text struct {
	ZH string `json:"zh"`
	EN string `json:"en"`
}

type goal string

func (goal) StrictValues() []string { return []string{"latency", "throughput"} }

type stage struct {
	ID  string       `json:"id"`
	Add strict.Words `json:"add,omitempty"`
	One oneOrMany    `json:"one,omitempty"`
	Gap span         `json:"gap,omitzero"`
}

// oneOrMany is a text or a list, by a hook of its own.
type oneOrMany []string

func (o *oneOrMany) UnmarshalStrict(n *strict.Node) []strict.Problem {
	if n.Kind() == strict.Scalar {
		*o = oneOrMany{n.Text()}
		return nil
	}
	return n.Decode((*[]string)(o))
}

func (oneOrMany) StrictSchema() (*jsonschema.Schema, error) {
	return &jsonschema.Schema{Types: []string{"string", "array"}, Items: &jsonschema.Schema{Type: "string"}}, nil
}

// span has a rule that its shape cannot tell.
type span struct {
	Low  int `json:"low"`
	High int `json:"high"`
}

func (s span) ValidateStrict(n *strict.Node) []strict.Problem {
	if s.Low <= s.High {
		return nil
	}
	return []strict.Problem{n.Problem("low is above high", "swap them", "low")}
}

var (
	_ strict.Enum        = goal("")
	_ strict.Unmarshaler = (*oneOrMany)(nil)
	_ strict.Schemer     = oneOrMany(nil)
	_ strict.Validator   = span{}
)
