package gate

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// verbatim reports a block of code that is none of the texts that are known. Its numbers
// are not looked at one by one: a raw output is right as a whole or not at all.
func (f *findings) verbatim(line int, content string, ix *index) {
	content = block([]byte(content))
	if strings.TrimSpace(content) == "" || ix.verbatim()[content] {
		return
	}
	f.add(CodeBlock, line, excerpt(content), fmt.Sprintf(
		"the block that begins %q is no raw output and no command of the study: print it from its source", excerpt(content)))
}

// encoding reports the first bytes that are no UTF-8; what follows is read nevertheless.
func (f *findings) encoding(src []byte) {
	for i := 0; i < len(src); {
		r, n := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && n == 1 {
			f.add(CodeEncoding, 1+bytes.Count(src[:i], []byte("\n")), "",
				fmt.Sprintf("byte 0x%02x at offset %d is no UTF-8: write the page as UTF-8", src[i], i))
			return
		}
		i += n
	}
}
