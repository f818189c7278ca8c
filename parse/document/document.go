// Package document reads published guides: Markdown of MkDocs and GitHub, HTML
// pages, and the plain text that is left when a page is copied from a browser. It
// takes a page apart into headings, commands, results, tables and prose, in reading
// order and with their lines, so that a guide's claims can be checked against the
// results that it prints, and made into a study.
//
// It judges nothing and understands no prose. What the page leaves open, as the
// level of a heading in a copied text, is inferred; what is read as a result is
// decided by package parse alone.
package document

import (
	"bytes"
	"path/filepath"
	"strings"

	"benchguide/parse"
)

// Kind is the markup of a document.
type Kind string

// The kinds of documents.
const (
	Markdown Kind = "markdown"
	HTML     Kind = "html"
	Text     Kind = "text"
)

// Document is a page in parts.
type Document struct {
	File     string
	Kind     Kind
	Parts    []Part          // in reading order
	Problems []parse.Problem // what parse found wrong outside of any result
}

// Part is a Heading, Paragraph, Command, Code, Block or Table.
type Part interface {
	// Place returns the first and the last line of the part.
	Place() (first, last int)
}

// Lines is where a part stands; lines are counted from 1.
type Lines struct{ Line, EndLine int }

// Place returns the first and the last line.
func (l Lines) Place() (first, last int) { return l.Line, l.EndLine }

// Heading is a title of a section. In a copied text, and for a bare name above a
// command or result, such as an engine's, the level is inferred.
type Heading struct {
	Lines
	Level int // from 1
	Text  string
}

// Paragraph is prose: a paragraph, or an item of a list without its mark.
type Paragraph struct {
	Lines
	Text   string // without markup
	Bullet bool   // an item of a list
}

// Command is what a reader is told to type.
type Command struct {
	Lines
	Text     string
	Language string // as the page states it: "bash"
	Title    string // the caption, or the title of the box around it
}

// Code is any other listing.
type Code struct {
	Lines
	Text     string
	Language string
	Title    string
}

// Block is a benchmark result that the page prints.
type Block struct {
	Lines
	Record parse.Record
	Title  string
}

// Table is a table of the page. Its first row is its heading.
type Table struct {
	Lines
	Rows []Row
}

// Row is one row of a table. A line break in a cell is "\n".
type Row struct {
	Cells []string
	Line  int
}

// Section returns the headings that part i stands under, the outermost first.
func (d *Document) Section(i int) []Heading {
	var path []Heading
	level := 0
	for ; i >= 0; i-- {
		h, ok := d.Parts[i].(Heading)
		if ok && (level == 0 || h.Level < level) {
			level = h.Level
			path = append([]Heading{h}, path...)
		}
	}
	return path
}

// maxSize bounds what is taken apart. A page is never as large; a log may be.
const maxSize = 16 << 20

// Read takes a page apart. The kind of its markup is that of its name or, where the
// name does not tell, of its content.
func Read(file string, src []byte) Document {
	if len(src) > maxSize {
		return onlyBlocks(file, src)
	}
	kind := kindOf(file, src)
	switch kind {
	case Markdown:
		return readMarkdown(file, src)
	case HTML:
		return readHTML(file, src)
	default:
		return readText(file, src)
	}
}

func onlyBlocks(file string, src []byte) Document {
	records, problems := parse.Bytes(file, src)
	problems = append(problems, parse.Problem{
		Code: "large-document", Severity: parse.Warning, File: file, Message: "this is too large for a page; only the results in it were read",
		Hint: "give the page itself",
	})
	return Document{File: file, Kind: Text, Parts: assemble(nil, records), Problems: problems}
}

func kindOf(file string, src []byte) Kind {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".md", ".mdx", ".markdown":
		return Markdown
	case ".html", ".htm", ".xhtml":
		return HTML
	}
	head := bytes.ToLower(bytes.TrimSpace(bytes.TrimPrefix(src[:min(len(src), 1024)], []byte("\ufeff"))))
	switch {
	case bytes.HasPrefix(head, []byte("<!doctype html")), bytes.HasPrefix(head, []byte("<html")), bytes.Contains(head, []byte("<body")):
		return HTML
	case looksLikeMarkdown(src):
		return Markdown
	default:
		return Text
	}
}

// looksLikeMarkdown finds what only Markdown has. A line that begins with one "#"
// is no sign: it is a comment in a copied command as well.
func looksLikeMarkdown(src []byte) bool {
	for line := range bytes.Lines(src) {
		s := strings.TrimSpace(string(line[:min(len(line), 200)]))
		switch {
		case strings.HasPrefix(s, "```"), strings.HasPrefix(s, "~~~"), strings.HasPrefix(s, "## "), strings.HasPrefix(s, "### "),
			strings.HasPrefix(s, `??? `), strings.HasPrefix(s, `???+ `), strings.HasPrefix(s, `!!! `),
			strings.HasPrefix(s, "|--"), strings.HasPrefix(s, "| --"), strings.HasPrefix(s, "|:-"), strings.HasPrefix(s, "| :-"):
			return true
		}
	}
	return false
}
