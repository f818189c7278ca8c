package study

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// attemptHint is what to do about an attempt.json that cannot be read.
const attemptHint = "see the schema of attempt.json"

// attemptMissing says what an attempt.json holds at least.
const attemptMissing = `every start has one, such as {"schema": 1, "imported": true, "engine": "vllm", "version": "v0.11.0"}`

// loadAttempt reads an attempt.json into a struct and returns its source.
func loadAttempt(fsys fs.FS, file string, into *Attempt) ([]byte, []Problem) {
	data, problem := readFile(fsys, file, "this is no attempt.json", attemptMissing)
	if problem != nil {
		return nil, []Problem{*problem}
	}
	text := bytes.TrimPrefix(data, []byte("\uFEFF")) // which editors of Windows put before it
	if offset, message := decodeAttempt(text, into); message != "" {
		line, column := placeOf(text, offset)
		return data, []Problem{{File: file, Line: line, Column: column, Message: message, Hint: attemptHint}}
	}
	at := Problem{File: file, Line: 1, Column: 1}
	switch {
	case into.Schema != RunSchema:
		at.Message, at.Hint = fmt.Sprintf("schema is %d, this program reads %d", into.Schema, RunSchema), fmt.Sprintf("set schema to %d", RunSchema)
	case into.Engine == "":
		at.Message, at.Hint = "the attempt names no engine", `add "engine" with the id that study.yaml uses`
	case into.Version == "":
		at.Message, at.Hint = "the attempt names no version", `add "version" with that of the engine`
	default:
		if client, ok := into.Environment[clientKey]; ok {
			into.Environment[clientKey] = onceNamed(client)
		}
		return data, into.absurd(at)
	}
	return data, []Problem{at}
}

// clientKey is the name of the client's version among what was in force.
const clientKey = "client"

// onceNamed takes away the id that runs once put before what a client says of itself, where
// the client says its name, too: "benchguide benchguide 1.0" is no other client than
// "benchguide 1.0", and starts of both are compared.
func onceNamed(client string) string {
	if id, rest, ok := strings.Cut(client, " "); ok && strings.HasPrefix(rest, id+" ") {
		return rest
	}
	return client
}

// absurd reports numbers that no start can have. What was not measured is left out, and
// is no number at all.
func (a *Attempt) absurd(at Problem) []Problem {
	var problems []Problem
	check := func(key string, values map[string]float64, most float64) {
		for _, workload := range slices.Sorted(maps.Keys(values)) {
			if v := values[workload]; !(v >= 0 && v <= most) {
				p := at
				p.Message = fmt.Sprintf("%v is no plausible number for %s of %s", v, key, workload)
				p.Hint = "correct it, or leave it out where it was not measured"
				problems = append(problems, p)
			}
		}
	}
	check("cache_hits", a.CacheHits, 1)
	check("throttled", a.Throttled, 1)
	check("power_cap", a.PowerCap, 1)
	check("client_cpu", a.ClientCPU, mostShare)
	check("power_watts", a.PowerWatts, mostNumber)
	if t := a.Times; t != nil {
		check("trial_seconds", t.Trials, mostNumber)
		check("measured_seconds", t.Measured, mostNumber)
		check("times", map[string]float64{"ready_seconds": t.Ready, "warmup_seconds": t.Warmup}, mostNumber)
	}
	return problems
}

// mostShare bounds what a client may take of one core: a client may use many.
const mostShare = 10000

// decodeAttempt reads one JSON object with no unknown key and nothing behind it. It
// returns what is wrong and at which byte; no message means that nothing is.
func decodeAttempt(data []byte, into *Attempt) (offset int, message string) {
	if !utf8.Valid(data) {
		return invalidAt(data), "a byte that is not UTF-8"
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return jsonFault(data, err)
	}
	rest := bytes.TrimLeft(data[dec.InputOffset():], " \t\r\n")
	if len(rest) > 0 {
		return len(data) - len(rest), "there is something after the JSON object"
	}
	return 0, ""
}

// jsonFault puts an error of encoding/json into words that name a place.
func jsonFault(data []byte, err error) (offset int, message string) {
	var syntax *json.SyntaxError
	var mistyped *json.UnmarshalTypeError
	message = strings.TrimPrefix(err.Error(), "json: ")
	switch {
	case errors.Is(err, io.EOF):
		return 0, "the file is empty"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return len(data), "the JSON ends in the middle"
	case errors.As(err, &mistyped):
		return int(mistyped.Offset), fmt.Sprintf("%q must be a %s, found %s", mistyped.Field, mistyped.Type, mistyped.Value)
	case errors.As(err, &syntax):
		return int(syntax.Offset) - 1, message
	}
	if key, ok := strings.CutPrefix(message, "unknown field "); ok {
		return max(0, bytes.Index(data, []byte(key))), "unknown key " + key
	}
	return 0, message
}

func invalidAt(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(data)
}

// placeOf returns the line and column, in characters, of a byte.
func placeOf(data []byte, offset int) (line, column int) {
	before := data[:min(max(offset, 0), len(data))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return 1 + bytes.Count(before, []byte("\n")), 1 + utf8.RuneCount(before[start:])
}
