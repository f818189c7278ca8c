package prompts

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"benchguide/bench"
)

// source is a dataset's file.
type source struct {
	path   string
	bytes  []byte
	sha256 string
}

// find reads the file of a dataset; nil where it has none and need not have one. The
// machine's own path goes before the study's.
func (r Request) find(id string) (*source, error) {
	path, prepare := r.Files[id], ""
	for _, d := range r.Study.Datasets {
		if d.ID != id {
			continue
		}
		prepare = d.Prepare
		if path == "" && d.File != "" {
			path = filepath.Join(r.Dir, filepath.FromSlash(d.File))
		}
	}
	if path == "" {
		if r.Rehearse {
			return nil, nil
		}
		return nil, fmt.Errorf("dataset %q has no file; name one under datasets in machine.yaml, or as its file in study.yaml%s", id, hint(prepare))
	}
	src, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && r.Rehearse {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("dataset %q: %w%s", id, err, hint(prepare))
	}
	sum := sha256.Sum256(src)
	return &source{path, src, hex.EncodeToString(sum[:])}, nil
}

func hint(prepare string) string {
	if prepare == "" {
		return ""
	}
	return fmt.Sprintf("; the study prepares it by %q", prepare)
}

// read returns prompts of a file in a drawn order: at least n if the file has so many.
// Whether it is ShareGPT's JSON or a prompt file is told by its first character.
func (s *source) read(ctx context.Context, n int, seed uint64, output int, count bench.Counter) ([]bench.Prompt, error) {
	if begins(s.bytes, '[') {
		return bench.ShareGPT(ctx, s.path, bytes.NewReader(s.bytes), n, 0, seed, count)
	}
	all, err := bench.Custom(s.path, bytes.NewReader(s.bytes), output)
	if err != nil {
		return nil, err
	}
	rand.New(rand.NewPCG(seed, 1)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(n, len(all))], nil
}

func begins(src []byte, c byte) bool {
	text := bytes.TrimLeft(bytes.TrimPrefix(src, []byte("\ufeff")), " \t\r\n")
	return len(text) > 0 && text[0] == c
}

// fallback is an answer's length for a prompt file without lengths: it is replaced by
// each workload's own, so it is given only if every workload has one.
func fallback(dataset string, jobs []job) int {
	without := slices.ContainsFunc(jobs, func(j job) bool { return j.dataset == dataset && j.output == 0 })
	if without {
		return 0
	}
	return 1
}
