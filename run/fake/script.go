package fake

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"benchguide/engine"
)

// Script is the faults that a fake engine shows, and when. The package's doc lists them.
type Script struct {
	Rules []Rule `json:"rules"`
}

// Rule is one fault, and the starts at which it is shown.
type Rule struct {
	When  When  `json:"when"`
	Skip  int   `json:"skip,omitempty"`  // matching starts that are passed over
	First int   `json:"first,omitempty"` // matching starts behind them that show it; 0: all
	Fault Fault `json:"fault"`

	After   int     `json:"after,omitempty"`
	Seconds float64 `json:"seconds,omitempty"`
	Code    int     `json:"code,omitempty"`
	Log     string  `json:"log,omitempty"`
	Text    string  `json:"text,omitempty"`
	Name    string  `json:"name,omitempty"`
	Status  int     `json:"status,omitempty"`
	Tokens  int     `json:"tokens,omitempty"`
	Field   string  `json:"field,omitempty"`
	MiB     float64 `json:"mib,omitempty"`
	Factor  float64 `json:"factor,omitempty"`
	Stay    bool    `json:"stay,omitempty"`
}

// When says which serving commands a rule is for.
type When struct {
	Engine  string   `json:"engine,omitempty"`
	Model   string   `json:"model,omitempty"`
	Name    string   `json:"name,omitempty"`
	Flags   []string `json:"flags,omitempty"`
	Without []string `json:"without,omitempty"`
}

// Fault is something that goes wrong.
type Fault string

// The faults.
const (
	SlowStart     Fault = "slow-start"
	SilentStart   Fault = "silent-start"
	Exit          Fault = "exit"
	PortTaken     Fault = "port-taken"
	Twin          Fault = "twin"
	Orphan        Fault = "orphan"
	IgnoreTerm    Fault = "ignore-term"
	Zombie        Fault = "zombie"
	NoTokens      Fault = "no-tokens"
	Hang          Fault = "hang"
	Errors        Fault = "errors"
	Die           Fault = "die"
	MergeChunks   Fault = "merge-chunks"
	RoleFirst     Fault = "role-first"
	Reasoning     Fault = "reasoning"
	NoUsage       Fault = "no-usage"
	CachedPrompts Fault = "cached-prompts"
	WrongName     Fault = "wrong-name"
	ShortOutputs  Fault = "short-outputs"
	MemoryStays   Fault = "memory-stays"
	Speed         Fault = "speed"
)

// faultFields lists, for each fault, what its rule may say beside it.
func faultFields() map[Fault][]string {
	return map[Fault][]string{
		SlowStart: {"seconds"}, SilentStart: {}, Exit: {"seconds", "code", "log", "text"}, PortTaken: {},
		Twin: {"name"}, Orphan: {"seconds"}, IgnoreTerm: {}, Zombie: {},
		NoTokens: {}, Hang: {"after"}, Errors: {"after", "status"}, Die: {"after", "code", "stay"},
		MergeChunks: {"tokens"}, RoleFirst: {}, Reasoning: {"tokens", "field"}, NoUsage: {},
		CachedPrompts: {}, WrongName: {"name"}, ShortOutputs: {"tokens"}, MemoryStays: {"mib", "seconds"}, Speed: {"factor"},
	}
}

// Faults returns the faults that a script may name, sorted.
func Faults() []Fault {
	var list []Fault
	for f := range faultFields() {
		list = append(list, f)
	}
	slices.Sort(list)
	return list
}

// ReadScript decodes a script. It reports everything that is wrong with its rules at once.
func ReadScript(file string, r io.Reader) (*Script, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", file, err)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var s Script
	if err := dec.Decode(&s); err != nil {
		return nil, fmt.Errorf(`%s is no script of faults such as {"rules": [{"when": {"engine": "vllm"}, "fault": "hang", "after": 3}]}: %w`, file, err)
	}
	if len(bytes.TrimSpace(data[dec.InputOffset():])) > 0 {
		return nil, fmt.Errorf("%s: there is something behind the JSON object", file)
	}
	var wrong []error
	for i, rule := range s.Rules {
		for _, err := range rule.check() {
			wrong = append(wrong, fmt.Errorf("%s: rule %d: %w", file, i+1, err))
		}
	}
	if len(wrong) > 0 {
		return nil, errors.Join(wrong...)
	}
	return &s, nil
}

// check says what is wrong with a rule. A field that its fault does not take is an error: it
// was meant for something.
func (r Rule) check() []error {
	fields, ok := faultFields()[r.Fault]
	if !ok {
		return []error{fmt.Errorf("the fault %q is none of %v", r.Fault, Faults())}
	}
	var wrong []error
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"after", r.After != 0}, {"seconds", r.Seconds != 0}, {"code", r.Code != 0}, {"log", r.Log != ""}, {"text", r.Text != ""},
		{"name", r.Name != ""}, {"status", r.Status != 0}, {"tokens", r.Tokens != 0}, {"field", r.Field != ""},
		{"mib", r.MiB != 0}, {"factor", r.Factor != 0}, {"stay", r.Stay},
	} {
		if f.set && !slices.Contains(fields, f.name) {
			wrong = append(wrong, fmt.Errorf("%q is nothing that %s takes", f.name, r.Fault))
		}
	}
	return append(wrong, r.values()...)
}

// values says which numbers and names are not possible.
func (r Rule) values() []error {
	var wrong []error
	add := func(bad bool, format string, args ...any) {
		if bad {
			wrong = append(wrong, fmt.Errorf(format, args...))
		}
	}
	const most = 1e6
	add(r.Skip < 0 || r.First < 0 || r.After < 0 || r.Tokens < 0 || r.Seconds < 0 || r.MiB < 0 || r.Factor < 0, "a number below 0")
	add(r.Seconds > most || r.MiB > 1e9 || r.Tokens > most, "a number that is larger than anything real")
	add(r.Code < 0 || r.Code > 255, "code %d is no exit code", r.Code)
	add(r.Status != 0 && (r.Status < 400 || r.Status > 599), "status %d is no error; give 400 to 599", r.Status)
	add(r.Fault == Speed && !(r.Factor > 0 && r.Factor <= 1000), "speed needs a factor above 0, such as 1.1")
	add(r.Fault == Twin && r.Name == "" || r.Fault == WrongName && r.Name == "", "%s needs a name", r.Fault)
	add(r.Log != "" && !slices.Contains(Excerpts(), r.Log), "the log %q is none of %s", r.Log, strings.Join(Excerpts(), ", "))
	_, known := engine.Lookup(r.When.Engine)
	add(r.When.Engine != "" && !known, "the engine %q is none of %s", r.When.Engine, strings.Join(engine.IDs(), ", "))
	for _, pattern := range []string{r.When.Name, r.When.Model} {
		_, err := path.Match(flat(pattern), "")
		add(err != nil, "the pattern %q cannot be read", pattern)
	}
	for _, text := range slices.Concat(r.When.Flags, r.When.Without) {
		_, err := flagOf(text)
		add(err != nil, "the flag %q cannot be read: %v", text, err)
	}
	return wrong
}

// flat makes a pattern match across slashes, as the ids of models have them.
func flat(s string) string { return strings.ReplaceAll(s, "/", "\x00") }

// flagOf reads a flag as a rule states it: "--a" or "--a b" or "--a=b".
func flagOf(text string) (engine.Flag, error) {
	words, err := engine.Words(text)
	if err != nil {
		return engine.Flag{}, err
	}
	flags, err := engine.ParseFlags(words)
	if err != nil {
		return engine.Flag{}, err
	}
	if len(flags) != 1 {
		return engine.Flag{}, errors.New("state one option, with its value")
	}
	return flags[0], nil
}

// matches reports whether a rule is for a serving command.
func (w When) matches(k config) bool {
	like := func(pattern, s string) bool {
		ok, err := path.Match(flat(pattern), flat(s))
		return pattern == "" || ok && err == nil
	}
	in := func(text string) bool { return k.states(text) }
	return (w.Engine == "" || w.Engine == k.engine.ID) && like(w.Model, k.model) && like(w.Name, k.served) &&
		!slices.ContainsFunc(w.Flags, func(f string) bool { return !in(f) }) && !slices.ContainsFunc(w.Without, in)
}

// states reports whether a command has a flag, with its value where one is asked for.
func (k config) states(text string) bool {
	want, err := flagOf(text)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(k.command.Flags, func(f engine.Flag) bool {
		same := k.engine.Find(engine.Command{Flags: []engine.Flag{f}}, want.Name) == 0
		return same && (!want.HasValue || f.Value == want.Value)
	})
}

// faults are the rules in force at one start.
type faults []Rule

// faultsOf returns what a script shows at this start. starts says how many starts
// before it matched each rule.
func faultsOf(s *Script, k config, starts []int) faults {
	if s == nil {
		return nil
	}
	var list faults
	for i, r := range s.Rules {
		before := 0
		if i < len(starts) {
			before = starts[i]
		}
		shown := before >= r.Skip && (r.First == 0 || before < r.Skip+r.First)
		if r.When.matches(k) && shown {
			list = append(list, r)
		}
	}
	return list
}

// find returns the rule with a fault.
func (f faults) find(want Fault) (Rule, bool) {
	i := slices.IndexFunc(f, func(r Rule) bool { return r.Fault == want })
	if i < 0 {
		return Rule{}, false
	}
	return f[i], true
}

func (f faults) has(want Fault) bool {
	_, ok := f.find(want)
	return ok
}
