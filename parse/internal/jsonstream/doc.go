// Package jsonstream reads the JSON that benchmark tools write, of any size, in the
// memory of one window.
//
// It is a cursor: the caller asks what comes next and takes it as a scalar, walks
// into it, or skips it. What a tool writes is not always JSON, so the reader takes
// more than the standard does: bare Infinity and NaN, a byte-order mark, several
// values one after the other, numbers of any size. It takes no less care: a value
// that the text ends inside of, a bracket that does not match and a raw line end
// inside a string are errors with a line, and nothing of such a value is returned.
//
// Two readers were measured against each other on a 50 MB file of vLLM's: the
// module go-json-experiment/json (jsontext) validates what it skips and copies what
// it reads. Values here are skipped by their brackets and quotes alone, eight bytes
// at a time, which is several times faster; the benchmark stands beside the tests.
//
// The package knows no key and no tool.
package jsonstream
