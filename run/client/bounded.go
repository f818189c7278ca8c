package client

import (
	"bytes"
	"encoding/json"
)

// ours is what our own client says of itself in its result file.
type ours struct {
	Client struct {
		Bounded bool   `json:"bounded"`
		Why     string `json:"bounded_why"`
	} `json:"client"`
}

// warnings are what clients print when they, and not the server, set the pace.
func warnings() []string {
	return []string{
		"may have been bounded by the client", // benchguide bench
		"likely bottlenecked by",              // guidellm: by the data, by its workers
	}
}

// bounded says why the client may have set the pace; "" where nothing tells so.
func bounded(txt, result []byte) string {
	var o ours
	if json.Unmarshal(result, &o) == nil && o.Client.Bounded {
		return "the client may have bounded the run: " + o.Client.Why
	}
	for line := range bytes.Lines(txt) {
		for _, w := range warnings() {
			if bytes.Contains(line, []byte(w)) {
				return "the client may have bounded the run: " + string(bytes.TrimSpace(line))
			}
		}
	}
	return ""
}
