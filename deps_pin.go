//go:build pins

// Package main keeps every pinned module in go.mod until its first real import lands.
package main

import (
	_ "github.com/alecthomas/chroma/v2"
	_ "github.com/alecthomas/kong"
	_ "github.com/chromedp/chromedp"
	_ "github.com/fsnotify/fsnotify"
	_ "github.com/goccy/go-yaml"
	_ "github.com/gomarkdown/markdown"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/google/jsonschema-go/jsonschema"
	_ "github.com/jba/templatecheck"
	_ "github.com/klauspost/compress/zstd"
	_ "github.com/mattn/go-runewidth"
	_ "github.com/nicksnyder/go-i18n/v2/i18n"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/stretchr/testify/require"
	_ "github.com/tdewolff/minify/v2"
	_ "github.com/yuin/goldmark"
	_ "golang.org/x/image/font/opentype"
	_ "golang.org/x/net/html"
	_ "golang.org/x/perf/benchmath"
	_ "golang.org/x/term"
	_ "golang.org/x/text/language"
	_ "golang.org/x/tools/txtar"
	_ "gonum.org/v1/gonum/stat"
	_ "gonum.org/v1/plot"
	_ "pgregory.net/rapid"
)
