package secret

import "strings"

// account recognises alice@example.com, and alice@gpu01 where a shell or a copying
// command writes it. A name@version or a decorator is neither.
func account(src []byte, at int) []Match {
	start, end := left(src, at, isAccountName), right(src, at+1, isName)
	for end > at && strings.IndexByte(".-_", src[end-1]) >= 0 {
		end--
	}
	name, domain := string(src[start:at]), string(src[at+1:max(at+1, end)])
	if name == "" || domain == "" || !isAlnum(domain[0]) || strings.HasSuffix(string(src[max(0, start-3):start]), "://") {
		return nil
	}
	if dot := strings.LastIndexByte(domain, '.'); dot > 0 && isDomainEnd(domain[dot+1:]) {
		if name == "git" && isPublicSite(strings.ToLower(domain)) {
			return nil
		}
		return one(Email, start, end)
	}
	if !isLogin(src, start, end) || domain == "sha256" {
		return nil
	}
	var found []Match
	if name != "root" {
		found = one(User, start, at)
	}
	if isHost(domain) {
		found = append(found, one(Host, at+1, end)...)
	}
	return found
}

func isAccountName(c byte) bool { return isName(c) || c == '+' }

// isDomainEnd knows the countries by their two letters and the ends that mail has.
func isDomainEnd(s string) bool {
	if right([]byte(s), 0, isAlpha) < len(s) {
		return false
	}
	switch strings.ToLower(s) {
	case "com", "net", "org", "edu", "gov", "mil", "info", "biz", "dev", "app", "cloud", "tech", "site", "xyz", "online",
		"internal", "local", "lan", "corp", "intra", "example", "test", "invalid":
		return true
	}
	return len(s) == 2
}

// isLogin reports whether name@host stands in a prompt or after a command that takes one.
func isLogin(src []byte, start, end int) bool {
	after := string(src[end:min(len(src), end+3)])
	for _, mark := range []string{":~", ":/", "$ ", "# ", " ~", ":$"} {
		if strings.HasPrefix(after, mark) {
			return true
		}
	}
	lineStart := left(src, start, func(c byte) bool { return c != '\n' })
	words := " " + string(src[max(lineStart, start-200):start])
	for _, command := range []string{" ssh ", " scp ", " rsync ", " sftp "} {
		if strings.Contains(words, command) {
			return true
		}
	}
	return false
}

// podName recognises the names that Kubernetes makes: a deployment's, eight to ten
// characters of its replica set, five of the pod. The letters in the made parts
// leave out vowels, so that no word is taken for one.
func podName(src []byte, at int) []Match {
	end := right(src, at+1, isPodLetter)
	if end-at != 6 || isWord(byteAt(src, end)) {
		return nil
	}
	set := left(src, at, isPodLetter)
	start := left(src, set, func(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'z' || c == '-' })
	if n := at - set; n < 8 || n > 10 || set-start < 2 || byteAt(src, set-1) != '-' || isWord(byteAt(src, start-1)) {
		return nil
	}
	if !strings.ContainsAny(string(src[set:end]), "0123456789") {
		return nil
	}
	return one(Pod, start, end)
}

func isPodLetter(c byte) bool { return strings.IndexByte("bcdfghjklmnpqrstvwxz2456789", c) >= 0 }
