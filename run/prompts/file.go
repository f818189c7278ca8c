package prompts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"benchguide/bench"
	"benchguide/run/disk"
	"benchguide/study"
)

// index is the content of prompts.json.
type index struct {
	Schema int     `json:"schema"`
	Seed   int     `json:"seed"`
	Lists  []entry `json:"lists"`
}

type entry struct {
	Name      string `json:"name"`
	File      string `json:"file"`
	Count     int    `json:"count"`
	SHA256    string `json:"sha256"` // bench.Digest of the prompts
	Output    int    `json:"output_tokens"`
	Input     int    `json:"input_tokens,omitempty"`
	Counted   string `json:"counted,omitempty"`
	Dataset   string `json:"dataset"`
	Source    string `json:"source_sha256,omitempty"`
	Synthetic string `json:"synthetic,omitempty"`
	Replaced  int    `json:"replaced,omitempty"`
}

// index describes the lists as they are.
func (s Set) index() index {
	x := index{Schema: Schema, Seed: s.Seed}
	for _, l := range s.Lists {
		x.Lists = append(x.Lists, entry{
			l.Name, FileName(l.Name), len(l.Prompts), bench.Digest(l.Prompts), l.Output(), l.Input, l.Counted,
			l.Dataset, l.Source, l.Synthetic, l.Replaced,
		})
	}
	return x
}

// Write puts the lists and, last, prompts.json into a folder. Each file is whole or not
// there.
func (s Set) Write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, l := range s.Lists {
		var b bytes.Buffer
		for _, p := range l.Prompts {
			b.Write(line(p))
			b.WriteByte('\n')
		}
		if err := disk.Write(filepath.Join(dir, FileName(l.Name)), b.Bytes()); err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(s.index(), "", "  ")
	if err != nil {
		return err
	}
	return disk.Write(filepath.Join(dir, IndexFile), append(text, '\n'))
}

// Load reads what Write left, and refuses it if a prompt has changed. A folder without
// prompts.json gives fs.ErrNotExist: the prompts were not prepared to the end.
func Load(dir string) (Set, error) {
	name := filepath.Join(dir, IndexFile)
	src, err := os.ReadFile(name)
	if err != nil {
		return Set{}, err
	}
	var x index
	if err := json.Unmarshal(src, &x); err != nil {
		return Set{}, fmt.Errorf("%s: %w; restore it, or begin a new run", name, err)
	}
	if x.Schema != Schema {
		return Set{}, fmt.Errorf("%s has schema %d, and this program reads %d", name, x.Schema, Schema)
	}
	set := Set{Seed: x.Seed}
	for _, e := range x.Lists {
		l, err := e.load(dir)
		if err != nil {
			return Set{}, err
		}
		set.Lists = append(set.Lists, l)
	}
	return set, nil
}

// load reads one list. The name decides the file, so that no entry leads out of the folder.
func (e entry) load(dir string) (List, error) {
	const advice = "restore it, or begin a new run: results before and after the change would not be comparable"
	name := filepath.Join(dir, FileName(e.Name))
	if e.File != FileName(e.Name) || filepath.Base(e.File) != e.File {
		return List{}, fmt.Errorf("%s names the file %q for the list %q, which is not its file", filepath.Join(dir, IndexFile), e.File, e.Name)
	}
	if err := unpack(name); err != nil {
		return List{}, fmt.Errorf("%w; %s", err, advice)
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return List{}, fmt.Errorf("the prompts of %s are gone, there is no %s; %s", e.Name, name, advice)
	}
	if err != nil {
		return List{}, err
	}
	defer f.Close()
	prompts, err := bench.Custom(name, f, 0)
	if err != nil {
		return List{}, fmt.Errorf("%w; %s", err, advice)
	}
	if digest := bench.Digest(prompts); digest != e.SHA256 || len(prompts) != e.Count {
		return List{}, fmt.Errorf("%s has changed since the run began: %d prompts with digest %.12s, and there were %d with %.12s; %s",
			name, len(prompts), digest, e.Count, e.SHA256, advice)
	}
	return List{
		Name: e.Name, Prompts: prompts, Input: e.Input, Counted: e.Counted,
		Dataset: e.Dataset, Source: e.Source, Synthetic: e.Synthetic, Replaced: e.Replaced,
	}, nil
}

// unpack puts a file in place of the packed one beside it, as gunzip does: a run that was
// published is gone on with, and clients read its prompts from the disk.
func unpack(name string) error {
	_, err := os.Stat(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	dir, file := filepath.Split(name)
	text, err := fs.ReadFile(study.Unpacked(os.DirFS(dir)), file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // said by who opens the file
	}
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	if err := disk.Write(name, text); err != nil {
		return err
	}
	return os.Remove(name + study.PackedExt)
}
