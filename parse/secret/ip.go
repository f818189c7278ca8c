package secret

import (
	"net/netip"
	"strings"
)

// ipv4 recognises an address at its first point. A version can look the same, so
// what stands before it decides, unless a port follows.
func ipv4(src []byte, at int) []Match {
	second := right(src, at+1, isDigit)
	start := left(src, at, isDigit)
	if second == at+1 || byteAt(src, second) != '.' || start == at || at-start > 3 {
		return nil
	}
	end := right(src[:min(len(src), at+16)], at, func(c byte) bool { return isDigit(c) || c == '.' })
	for end > at && src[end-1] == '.' {
		end--
	}
	before := byteAt(src, start-1)
	if isAlnum(before) && !isEscape(src, start) || before == '.' || before == '_' || before == '-' || isWord(byteAt(src, end)) {
		return nil
	}
	address := string(src[start:end])
	if !isIPv4(address) || !isHost(address) {
		return nil
	}
	if byteAt(src, end) != ':' && isVersion(src, start) {
		return nil
	}
	return one(Host, start, end)
}

// isIPv4 reports whether v is an address in the usual form.
func isIPv4(v string) bool {
	a, err := netip.ParseAddr(v)
	return err == nil && a.Is4()
}

// isVersion reports whether the number at i is said to be a version.
func isVersion(src []byte, i int) bool {
	word := left(src, i, func(c byte) bool { return strings.IndexByte(" =<>~!\"':", c) >= 0 })
	gap := string(src[word:i])
	if strings.Contains(gap, "==") || strings.ContainsAny(gap, "<>~!") {
		return true
	}
	name := strings.ToLower(string(src[left(src, word, isWord):word]))
	for _, part := range []string{"version", "cuda", "cudnn", "cublas", "nccl", "driver", "release", "nvidia", "cufft", "cusparse", "nvtx", "torch"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return name == "v" || name == "ver"
}

const longestIPv6 = 48 // characters, and some more

// ipv6 recognises the addresses of networks. Only those ranges are taken, since
// "a::b" is a name in C++ as well.
func ipv6(src []byte, at int) []Match {
	isPart := func(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' || c == ':' }
	src = src[:min(len(src), at+longestIPv6)]
	start, end := left(src, at, isPart), right(src, at, isPart)
	if isAlnum(byteAt(src, start-1)) || isAlnum(byteAt(src, end)) {
		return nil
	}
	a, err := netip.ParseAddr(string(src[start:end]))
	if err != nil || !a.IsPrivate() && !a.IsLinkLocalUnicast() && !netip.MustParsePrefix("2000::/3").Contains(a) {
		return nil
	}
	return one(Host, start, end)
}
