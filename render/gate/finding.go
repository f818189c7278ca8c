package gate

import (
	"cmp"
	"fmt"
	"slices"
)

// The severities of a finding. Only an error must stop a build.
const (
	SeverityError   = "error"
	SeverityCaution = "caution"
	SeverityNote    = "note"
)

// The codes of the findings.
const (
	CodeUnboundNumber   = "unbound-number"   // a number that is no fact, literal or citation
	CodeUnknownFact     = "unknown-fact"     // a fact id that nobody knows, or none
	CodeFactValue       = "fact-value"       // the machine-readable value is not the fact's
	CodeFactText        = "fact-text"        // the printed text is none of the fact's
	CodeUnknownLiteral  = "unknown-literal"  // marked as a literal, and not declared
	CodeUnknownCitation = "unknown-citation" // a citation that nobody knows
	CodeCitationText    = "citation-text"    // the text is not the citation's
	CodeMisplacedFact   = "misplaced-fact"   // a fact where none can stand
	CodeNestedBinding   = "nested-binding"   // a bound piece inside another
	CodeSpan            = "bad-span"         // out of bounds, overlapping, of unknown kind
	CodeBlock           = "unknown-block"    // a block that is no raw output and no command
	CodeMalformed       = "malformed"        // markup that two readers may read differently
	CodeEncoding        = "invalid-utf8"     // bytes that are no text
	CodeSectionMissing  = "section-missing"  // a section that one language lacks
	CodeFactMissing     = "fact-missing"     // a fact that one language does not state there
	CodeFactDiffers     = "fact-differs"     // one id with two values
)

// Finding is something wrong on a finished page.
type Finding struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	File     string `json:"file"`
	Line     int    `json:"line"` // counted from 1
	Message  string `json:"message"`
	Text     string `json:"text"` // the offending text, as it was read
}

// findings collects what is wrong with one file.
type findings struct {
	file string
	list []Finding
}

func (f *findings) add(code string, line int, text, message string) {
	f.list = append(f.list, Finding{
		Code: code, Severity: SeverityError, File: f.file, Line: line, Message: message, Text: text,
	})
}

// addLiteral reports a text that is marked as a literal and is none. Without a number
// in it that is a slip and no danger: a caution.
func (f *findings) addLiteral(line int, text string, ix *index) {
	if ix.literal(text) {
		return
	}
	f.add(CodeUnknownLiteral, line, text,
		fmt.Sprintf("%q is marked as a literal, and the study declares none like it: declare it, or state its number as a fact", text))
	if len(numbers(text)) == 0 {
		last := &f.list[len(f.list)-1]
		last.Severity = SeverityCaution
		last.Message = fmt.Sprintf("%q is marked as a literal, and the study declares none like it: declare it, or remove the mark", text)
	}
}

// sorted returns the findings by line; those of one line keep the order of their discovery.
func (f *findings) sorted() []Finding {
	slices.SortStableFunc(f.list, func(a, b Finding) int { return cmp.Compare(a.Line, b.Line) })
	return f.list
}
