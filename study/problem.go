package study

import (
	"errors"
	"io/fs"

	"benchguide/parse"
	"benchguide/study/strict"
)

// Problem says what is wrong in a study's files, where, and what to do about it.
type Problem = strict.Problem

func ioProblem(file string, err error, hint string) Problem {
	message := err.Error()
	if errors.Is(err, fs.ErrNotExist) {
		message = "the file does not exist"
	}
	return Problem{File: file, Message: message, Hint: hint}
}

func fromParse(p parse.Problem) Problem {
	return Problem{File: p.File, Line: p.Line, Message: p.Message, Hint: p.Hint, Code: p.Code}
}
