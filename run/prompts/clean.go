package prompts

import (
	"bytes"
	"encoding/json"
	"strings"

	"benchguide/bench"
	"benchguide/parse/secret"
)

// clean replaces what must not be published, and counts it. It returns false for a
// text that cannot be published even so: one that is nothing else, or whose line in a
// file would read as a secret where the text does not.
func clean(text string) (string, int, bool) {
	cleaned, done := secret.Clean([]byte(text))
	n := 0
	for _, r := range done {
		n += r.Count
	}
	out := string(cleaned)
	if strings.TrimSpace(out) == "" {
		return "", 0, false
	}
	return out, n, len(secret.Find(line(bench.Prompt{Text: out, Output: 1}))) == 0
}

// line is a prompt as it stands in its file, without the end of the line. Letters such
// as < are left as they are, since people read these files.
func line(p bench.Prompt) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(p) // a text and a number always can be
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
