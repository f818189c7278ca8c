package client

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"benchguide/bench"
	"benchguide/run/disk"
)

// convert writes the prompts in another client's format, beside the prompt file: the same
// prompts with the same lengths in the same order. The file is made anew for each trial,
// from prompts whose digest was checked, so that no older one is ever sent.
func convert(prompts, name string, line func(bench.Prompt) any) (string, error) {
	f, err := os.Open(prompts)
	if err != nil {
		return "", err
	}
	defer f.Close()
	all, err := bench.Custom(prompts, f, 0)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, p := range all {
		if err := e.Encode(line(p)); err != nil {
			return "", err
		}
	}
	path := strings.TrimSuffix(prompts, filepath.Ext(prompts)) + "." + name + ".jsonl"
	return path, disk.Write(path, b.Bytes())
}
