package secret

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// absolutePath recognises /data/team/models. A path whose end names a model keeps
// it, since results without their model's name are worth nothing: what is replaced
// of /data/team/Qwen3-8B ends before "/Qwen3-8B".
func absolutePath(src []byte, at int) []Match {
	if !startsPath(src, at) {
		return nil
	}
	end := pathEnd(src, at)
	if end <= at+1 {
		return nil
	}
	segments := strings.Split(string(src[at+1:end]), "/")
	if len(segments) < 2 && !isRoot(segments[0]) || !strings.ContainsFunc(segments[0], isLetter) {
		return nil
	}
	if isRoute(src, at, segments[0]) || segments[0] == "dev" {
		return nil
	}
	return one(Path, at, at+beforeModel(segments, end-at))
}

func isLetter(r rune) bool { return r >= utf8.RuneSelf || r < utf8.RuneSelf && isAlpha(byte(r)) }

// startsPath reports whether the slash at i begins a path and does not divide
// words, as in tok/s, or close a tag, or continue a placeholder.
func startsPath(src []byte, i int) bool {
	next := byteAt(src, i+1)
	if !isAlnum(next) && next != '.' && next != '_' && next != '$' && next < utf8.RuneSelf {
		return false
	}
	if isEscape(src, i) || strings.HasSuffix(string(src[max(0, i-7):i]), "file://") {
		return true
	}
	if strings.HasSuffix(string(src[max(0, i-6):i]), "<path>") {
		return false
	}
	if before := byteAt(src, i-1); before < utf8.RuneSelf {
		return strings.IndexByte(" \t\r\n\"'`=:([{,;>|&@!", before) >= 0
	}
	r, _ := utf8.DecodeLastRune(src[:i])
	return unicode.IsPunct(r) || unicode.IsSpace(r)
}

// pathEnd returns where the path that begins at i ends.
func pathEnd(src []byte, i int) int {
	for i < len(src) {
		c := src[i]
		switch {
		case isWord(c) || strings.IndexByte("/.+~@=$%#", c) >= 0:
			i++
		case c >= utf8.RuneSelf:
			size, ok := startsText(src[i:])
			if !ok {
				return trimPath(src, i)
			}
			i += size
		default:
			return trimPath(src, i)
		}
	}
	return trimPath(src, i)
}

// trimPath leaves out the full stop or slash that ends a path in a sentence.
func trimPath(src []byte, end int) int {
	for end > 0 && strings.IndexByte("./=#$%", src[end-1]) >= 0 {
		end--
	}
	return end
}

// isRoot tells names that are folders even when nothing follows them.
func isRoot(name string) bool {
	return slices.Contains([]string{
		"home", "root", "Users", "data", "mnt", "media", "opt", "usr", "var", "tmp", "etc", "srv", "scratch",
		"workspace", "models", "nfs", "lustre", "gpfs", "shared", "storage", "raid",
	}, name)
}

// isRoute reports whether what looks like a path is a route of a server: tools log
// them, and they are the same everywhere.
func isRoute(src []byte, at int, first string) bool {
	if len(first) >= 2 && first[0] == 'v' && right([]byte(first), 1, isDigit) == len(first) {
		return true
	}
	switch first {
	case "metrics", "health", "healthz", "health_generate", "generate", "docs", "redoc", "openapi.json", "api", "inference",
		"chat", "completions", "embeddings", "audio", "rerank", "score", "tokenize", "detokenize", "invocations", "ping":
		return true
	}
	before := string(src[max(0, at-20):at])
	for _, verb := range []string{"GET ", "POST ", "PUT ", "DELETE ", "HEAD ", "Route: ", "endpoint='", "--endpoint ", `endpoint": "`, "endpoint="} {
		if strings.HasSuffix(before, verb) {
			return true
		}
	}
	return false
}

// beforeModel returns how much of a path goes before the first folder that names a
// model or a public data set, or all of it. Folders of homes are names of people.
func beforeModel(segments []string, whole int) int {
	n := 0
	for i, s := range segments {
		if i >= 1 && isPublicName(s) && (i >= 2 || !isHome(segments[0])) {
			return n
		}
		n += 1 + len(s)
	}
	return whole
}

func isHome(root string) bool { return root == "home" || root == "Users" }

// isPublicName recognises the name of a published model by its family and its size,
// and the data set that everyone uses.
func isPublicName(s string) bool {
	lower := strings.ToLower(s)
	if strings.HasPrefix(lower, "sharegpt") || strings.HasPrefix(lower, "models--") {
		return true
	}
	for _, family := range []string{
		"qwen", "llama", "meta-llama", "deepseek", "mistral", "mixtral", "gemma", "phi-", "glm", "gpt-oss", "internlm",
		"kimi", "minimax", "nemotron", "ernie", "baichuan", "falcon", "yi-", "wan2", "mimo",
	} {
		if strings.HasPrefix(lower, family) && strings.ContainsAny(lower, "0123456789") {
			return true
		}
	}
	return hasSize(lower)
}

// hasSize finds the number of parameters in a model's name: "-8b", "_0.6b", "-a3b".
func hasSize(lower string) bool {
	for part := range strings.FieldsFuncSeq(lower, func(r rune) bool { return r == '-' || r == '_' }) {
		digits := strings.TrimSuffix(strings.TrimPrefix(part, "a"), "b")
		if len(digits) < len(part) && strings.HasSuffix(part, "b") && digits != "" && strings.Trim(digits, "0123456789.") == "" {
			return true
		}
	}
	return false
}

// homePath recognises ~/work/x and ~alice/x.
func homePath(src []byte, at int) []Match {
	if at > 0 && strings.IndexByte(" \t\r\n\"'`=:([{,;>", src[at-1]) < 0 && !isEscape(src, at) {
		return nil
	}
	slash := right(src, at+1, isName)
	if byteAt(src, slash) != '/' || !isName(byteAt(src, slash+1)) || !isAlnum(byteAt(src, slash+1)) && !isAlnum(byteAt(src, slash+2)) || at+1 < slash && !isAlpha(src[at+1]) {
		return nil
	}
	return one(Path, at, pathEnd(src, slash))
}

// windowsPath recognises C:\Users\alice, with single or doubled backslashes.
func windowsPath(src []byte, at int) []Match {
	if at == 0 || !isAlpha(src[at-1]) || !startsWord(src, at-1) {
		return nil
	}
	end := right(src, at+1, func(c byte) bool { return isName(c) || c == '\\' || c >= utf8.RuneSelf })
	for end > at && (src[end-1] == '\\' || src[end-1] == '.') {
		end--
	}
	if end-at < 5 || !isName(byteAt(src, right(src, at+1, func(c byte) bool { return c == '\\' }))) {
		return nil
	}
	return one(Path, at-1, end)
}
