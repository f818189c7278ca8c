package secret

import "strings"

// maxHeaders bounds the list of headers that is looked through.
const maxHeaders = 1000

func isHeaders(name string) bool {
	return name == "header" || name == "headers" || name == "extra_headers" || name == "custom_headers" || name == "default_headers"
}

// headers takes the values of HTTP headers, since nobody knows what a gateway wants
// in them: ['Authorization=Bearer x', 'X-Team: y'], {"X-Team": "y"} or one of them.
func headers(src []byte, i int) []Match {
	end := headersEnd(src, i)
	var found []Match
	for at := i; at < end; at++ {
		if src[at] != ':' && src[at] != '=' {
			continue
		}
		name, _ := nameBefore(src, at)
		if name == "" || isHarmlessHeader(name) {
			continue
		}
		start := right(src, at+1, func(c byte) bool { return c == ' ' || c == '"' || c == '\'' })
		start = afterScheme(src, start, end)
		stop := right(src, start, func(c byte) bool {
			return c != '"' && c != '\'' && c != '\n' && c != '}' && c != ']' && c != ',' && c != '\\'
		})
		stop = min(stop, end)
		if start < stop && !isPlaceholder(string(src[start:stop])) && !isMetavariable(string(src[start:stop]), name) {
			found = append(found, one(Key, start, stop)...)
		}
		at = max(at, stop)
	}
	return found
}

// headersEnd returns where a list, a dictionary, a quoted or a bare header ends.
func headersEnd(src []byte, i int) int {
	limit := min(len(src), i+maxHeaders)
	var closing byte
	switch byteAt(src, i) {
	case '[':
		closing = ']'
	case '{':
		closing = '}'
	case '"', '\'':
		closing = src[i]
	default:
		return min(limit, right(src, i, func(c byte) bool { return c > ' ' && c != ',' && c != ')' }))
	}
	for end := i + 1; end < limit; end++ {
		if src[end] == closing || src[end] == '\n' {
			return end
		}
	}
	return limit
}

func isHarmlessHeader(name string) bool {
	switch name {
	case "content_type", "accept", "accept_encoding", "accept_language", "user_agent", "connection", "content_length", "cache_control", "transfer_encoding":
		return true
	}
	return false
}

// curlHeader takes the header that a curl command sends.
func curlHeader(src []byte, at int) []Match {
	start := at + len("-H ")
	if q := byteAt(src, start); q != '"' && q != '\'' || strings.IndexByte(" \t\n\\", byteAt(src, at-1)) < 0 {
		return nil
	}
	return headers(src, start)
}
