package study

import (
	"bytes"
	"path"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"benchguide/study/strict"
)

// PlacedText is a text of the study in one language, with its place.
type PlacedText struct {
	File string // as problems print it
	Path string // keys only, without indexes: stages.candidates.note
	Lang string // zh or en
	Text string

	line, column int
	source       []byte
}

// Texts lists every text that the study's author wrote, in both languages and in the
// order of the file: those of study.yaml, and those of the run that the guide shows.
func (f *Folder) Texts() []PlacedText {
	w := textWalk{file: f.File(), source: f.Source, positions: f.positions}
	w.walk(reflect.ValueOf(f.Study), nil)
	if run, ok := f.Current(); ok {
		w.file, w.source, w.positions = path.Join(f.Dir, "runs", run.ID, "run.yaml"), run.Source, run.positions
		w.walk(reflect.ValueOf(run.Info), nil)
	}
	return w.texts
}

// Find returns where a part of the text stands, or where the text begins if the part
// is not written like that in the file: a text in quotes may have escapes in it.
func (p PlacedText) Find(part string) (line, column int) {
	rest := p.source
	for range p.line - 1 {
		_, rest, _ = bytes.Cut(rest, []byte("\n"))
	}
	at := bytes.Index(rest, []byte(part))
	if at < 0 || !strings.Contains(p.Text, part) {
		return p.line, p.column
	}
	start := bytes.LastIndexByte(rest[:at], '\n') + 1
	return p.line + bytes.Count(rest[:at], []byte("\n")), 1 + utf8.RuneCount(rest[start:at])
}

// textWalk collects the texts beneath a value. It goes by the types, so that a text
// which is added to a study is found without being named here.
type textWalk struct {
	file      string
	source    []byte
	positions *strict.Positions
	texts     []PlacedText
}

func (w *textWalk) walk(v reflect.Value, at []any) {
	if t, ok := v.Interface().(Text); ok {
		w.add(t, at)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			w.walk(v.Elem(), at)
		}
	case reflect.Slice:
		for i := range v.Len() {
			w.walk(v.Index(i), append(slices.Clip(at), i))
		}
	case reflect.Map:
		for _, key := range w.positions.Keys(at...) {
			if value := v.MapIndex(reflect.ValueOf(key)); value.IsValid() {
				w.walk(value, append(slices.Clip(at), key))
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			if name != "" && name != "-" {
				w.walk(v.Field(i), append(slices.Clip(at), name))
			}
		}
	}
}

func (w *textWalk) add(t Text, at []any) {
	var keys []string
	for _, step := range at {
		if key, ok := step.(string); ok {
			keys = append(keys, key)
		}
	}
	for _, lang := range []string{"zh", "en"} {
		line, column := w.positions.At(append(slices.Clip(at), lang)...)
		w.texts = append(w.texts, PlacedText{File: w.file, Path: strings.Join(keys, "."), Lang: lang, Text: t.In(lang),
			line: line, column: column, source: w.source})
	}
}
