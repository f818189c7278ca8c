// Package strict decodes one YAML document into Go structs and refuses
// everything that the author of a study could have meant differently.
//
// It reads in three steps, each of which collects its problems and goes on:
//
//  1. clean: bytes become text of UTF-8, LF and printable characters;
//  2. parse: goccy/go-yaml reads the syntax; its tree becomes one of [Node]s
//     that keep the source text and the place of every key and value;
//  3. decode: reflection fills the struct from that tree.
//
// Only broken syntax stops it early: nothing can be said about what follows.
//
// What a field accepts is decided by its Go type alone, never by how a YAML
// reader would have typed the scalar. A string field takes 1.10, yes and 0x10 as
// the texts that they are; an int field takes decimal digits; a bool takes true
// and false; a [time.Duration] takes 30m. Names are those of the json tags. A
// field must be given unless its tag says omitempty or omitzero or it is a
// pointer; a field that must be given must not be blank either. No field accepts
// null: what is not known is left out.
//
// Refused on purpose, since a study is read by people and by other tools: tabs
// outside of escapes, anchors, aliases, merge keys, tags, directives, explicit
// keys ("? key"), keys that are not text, a second document. Accepted silently: a
// byte-order mark, CRLF line ends, comments, a last line without an end.
//
// The library's reading was compared with a second reader's on generated documents.
// Where it accepts what the YAML specification refuses, the text is refused here
// and has to be quoted. Two differences that were seen remain, in white
// space that nobody sees: an empty block with "|+" reads as one line end, and a
// block with "-" loses the spaces at the end of its last line.
//
// The package is no general YAML decoder: it has no interface{} targets, writes
// no YAML, and knows nothing of what a study means. Rules that need more than
// one value are for the caller, which finds the place of each in [Positions].
package strict
