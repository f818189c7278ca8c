package secret

import (
	"bytes"
	"strings"
)

// tokenForm is a token that is known by its beginning.
type tokenForm struct {
	prefix string
	least  int // characters after the prefix
	accept func(byte) bool
}

// tokenForms lists the issuers whose tokens tell themselves.
func tokenForms() []tokenForm {
	return []tokenForm{
		{"hf_", 10, isAlnum}, {"sk-", 8, isWord}, {"nvapi-", 8, isWord},
		{"ghp_", 10, isAlnum}, {"gho_", 10, isAlnum}, {"ghs_", 10, isAlnum}, {"github_pat_", 10, isWord}, {"glpat-", 8, isWord},
		{"AKIA", 12, isAlnum}, {"ASIA", 12, isAlnum}, {"AIza", 20, isWord},
		{"xoxb-", 8, isWord}, {"xoxp-", 8, isWord}, {"ms-", 30, isWord},
		{"eyJ", 20, func(c byte) bool { return isName(c) }},
	}
}

// detect takes the token at the prefix. It holds a digit or a capital, which names
// such as hf_transfer or task-specific words do not.
func (t tokenForm) detect(src []byte, at int) []Match {
	if !startsWord(src, at) || byteAt(src, at-1) == '-' {
		return nil
	}
	body := at + len(t.prefix)
	end := right(src, body, t.accept)
	if end-body < t.least || !strings.ContainsAny(string(src[body:end]), "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		return nil
	}
	if c := byteAt(src, end); c == '_' || c == '(' { // a name of code goes on
		return nil
	}
	return one(Key, at, end)
}

// bearer recognises a token by the word before it.
func bearer(src []byte, at int) []Match {
	start := at + len("Bearer ")
	end := right(src, start, isTokenByte)
	token := string(src[start:end])
	if isPlaceholder(token) || len(token) < 16 && !strings.ContainsAny(token, "0123456789") {
		return nil
	}
	return one(Key, start, end)
}

func isTokenByte(c byte) bool { return isName(c) || strings.IndexByte("~+/=", c) >= 0 }

// privateKey takes the lines between the first and the last line of a PEM block.
func privateKey(src []byte, at int) []Match {
	line := src[left(src, at, func(c byte) bool { return c != '\n' }):at]
	if !bytes.Contains(line, []byte("-----BEGIN ")) {
		return nil
	}
	var found []Match
	for i := at + len("PRIVATE KEY-----"); i < len(src); {
		for i < len(src) && (src[i] == '\n' || src[i] == '\r' || src[i] == ' ' || src[i] == '\\' || src[i] == 'n' && src[i-1] == '\\') {
			i++
		}
		end := right(src, i, func(c byte) bool { return isAlnum(c) || c == '+' || c == '/' || c == '=' })
		if end == i {
			break
		}
		found = append(found, one(Key, i, end)...)
		i = end
	}
	return found
}
