package parse

import (
	"slices"
	"time"
)

// benchguideJSON is the result file of this program's own client: vLLM's keys, and an
// object about the client itself.
func benchguideJSON() dialect {
	d := vllmJSON()
	d.owns = func(o *object) bool {
		m, ok := o.get("client")
		return ok && m.object != nil && m.object.text("name") == benchguideName && ownsVLLM(o)
	}
	d.producer = func(*object) string { return benchguideName }
	d.dating = dating{}
	d.fields = append(vllmFields(), benchguideFields()...)
	d.finish = func(o *object, r *Record) {
		finishVLLM(o, r)
		r.Definitions = slices.DeleteFunc(r.Definitions, func(d Definition) bool { return d == ITLEmptyChunks || d == InputByClient })
		r.Definitions = append(r.Definitions, benchguideMeans(r)...)
	}
	return d
}

// benchguideBegan is when the client began; zero if it was another one, or a rehearsal,
// which has no time of its own.
func benchguideBegan(o *object) time.Time {
	if !benchguideJSON().owns(o) {
		return time.Time{}
	}
	began, err := time.Parse("20060102-150405", o.text("date"))
	if err != nil {
		return time.Time{}
	}
	return began
}

// benchguideFields are what the client says of itself; all of it is stated, and none
// measures the server.
func benchguideFields() []jsonField {
	fields := []jsonField{{key: "client.name"}, {key: "queue_times"}}
	for _, name := range []string{
		"bounded", "bounded_why", "cpu_share", "lag_p99_ms", "lag_max_ms", "dataset", "prompt_lengths", "prompts_sha256",
		"seed", "num_warmups", "temperature", "ignore_eos",
	} {
		fields = append(fields, jsonField{key: "client." + name, setting: "client." + name})
	}
	return fields
}
