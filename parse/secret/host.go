package secret

import (
	"bytes"
	"strings"
)

// inURL recognises the host of an address, an account and password before it, and
// the bucket of an object store.
func inURL(src []byte, at int) []Match {
	scheme := strings.ToLower(string(src[left(src, at, isAlnum):at]))
	start := at + len("://")
	end := right(src, start, func(c byte) bool { return c > ' ' && strings.IndexByte("/?#\"'`<>()],;\\|", c) < 0 || c == '[' })
	switch scheme {
	case "", "file", "ipc", "unix":
		return nil
	case "s3", "gs", "oss", "hdfs", "abfs":
		if isPlaceholder(string(src[start:end])) {
			return nil
		}
		return one(Path, start, max(end, pathEnd(src, start)))
	}
	var found []Match
	if i := bytes.LastIndexByte(src[start:end], '@'); i >= 0 {
		found = userInfo(src, start, start+i)
		start += i + 1
	}
	if byteAt(src, start) == '[' { // an IPv6 address, or a placeholder
		return found
	}
	if i := bytes.IndexByte(src[start:end], ':'); i >= 0 {
		end = start + i
	}
	if end > start && src[end-1] == '.' {
		end--
	}
	if host := string(src[start:end]); isHost(host) && !isExample(host) {
		found = append(found, one(Host, start, end)...)
	}
	return found
}

// userInfo splits "alice:password" at the start of an address.
func userInfo(src []byte, start, end int) []Match {
	user, password := start, end
	if i := bytes.IndexByte(src[start:end], ':'); i >= 0 {
		password = start + i
	}
	var found []Match
	if !isPlaceholder(string(src[user:password])) && string(src[user:password]) != "git" {
		found = one(User, user, password)
	}
	if password+1 < end && !isPlaceholder(string(src[password+1:end])) {
		found = append(found, one(Key, password+1, end)...)
	}
	return found
}

// isHost reports whether a value in the place of a host names a machine that is
// not everyone's: no loopback, no wildcard, no public site, no word for nothing.
func isHost(v string) bool {
	v = strings.ToLower(strings.TrimSuffix(v, "."))
	switch {
	case isPlaceholder(v) || strings.Trim(v, "0123456789.:") == "" && !isIPv4(v):
		return false
	case strings.HasPrefix(v, "127.") || strings.HasPrefix(v, "0x") || v == "localhost" || v == "0.0.0.0" || v == "255.255.255.255":
		return false
	case strings.IndexFunc(v, func(r rune) bool { return r > 127 || !isName(byte(r)) }) >= 0 || !isAlnum(v[0]) || !isAlnum(v[len(v)-1]):
		return false
	default:
		return !isPublicSite(v)
	}
}

// isExample tells the words that manuals write in the place of a host.
func isExample(v string) bool {
	switch strings.ToLower(v) {
	case "host", "hostname", "server", "ip", "address", "addr", "url", "domain", "your", "endpoint":
		return true
	}
	return false
}

// isPublicSite tells the sites that tools and their manuals refer to.
func isPublicSite(host string) bool {
	for _, site := range []string{
		"huggingface.co", "hf.co", "github.com", "githubusercontent.com", "github.io", "gitlab.com", "vllm.ai", "sglang.ai",
		"sglang.io", "lmsys.org", "pytorch.org", "python.org", "pypi.org", "pythonhosted.org", "nvidia.com", "nvcr.io",
		"docker.com", "docker.io", "ghcr.io", "quay.io", "readthedocs.io", "arxiv.org", "modelscope.cn", "modelscope.ai",
		"gpustack.ai", "tiangolo.com", "w3.org", "json-schema.org", "apache.org", "openai.com", "anthropic.com",
		"wikipedia.org", "stackoverflow.com", "kaggle.com", "microsoft.com", "aka.ms", "intel.com", "amd.com", "ray.io",
		"opentelemetry.io", "prometheus.io", "kubernetes.io", "golang.org", "go.dev", "mlcommons.org", "pydantic.dev", "bentoml.com",
		"tensorflow.org", "numpy.org", "debian.org", "ubuntu.com", "perfetto.dev", "googleapis.com",
	} {
		if host == site || strings.HasSuffix(host, "."+site) {
			return true
		}
	}
	return false
}

// domainEnds are the ends of names that are taken for hosts where they stand by
// themselves. They leave out ends such as .io and .ai, which modules have as well.
func domainEnds() []string {
	return append(internalEnds(), ".com", ".net", ".org", ".edu", ".gov", ".cn", ".cloud", ".example")
}

// internalEnds are the ends of names that only exist inside a network.
func internalEnds() []string {
	return []string{".internal", ".local", ".lan", ".corp", ".intra", ".intranet", ".svc", ".home.arpa"}
}

// internalName recognises gpu-7.rack2.example.com where it stands by itself. Two
// words with a point between them are a module or a method more often than a host,
// so a name has three parts, or a digit or dash before an internal ending.
func internalName(src []byte, at int) []Match {
	start := left(src, at, isName)
	end := right(src, at+1, isName)
	for end > at && strings.IndexByte(".-_", src[end-1]) >= 0 {
		end--
	}
	for start < at && !isAlnum(src[start]) {
		start++
	}
	name := string(src[start:end])
	label := string(src[start:max(start, at)])
	if start >= at || !endsWith(name, domainEnds()) || strings.HasPrefix(string(src[max(0, start-3):start]), "://") {
		return nil
	}
	if next := byteAt(src, end); next == '(' || next == '=' || next == '@' || byteAt(src, start-1) == '@' || byteAt(src, start-1) == '/' {
		return nil
	}
	if strings.Count(name, ".") < 2 && !(endsWith(name, internalEnds()) && strings.ContainsAny(label, "0123456789-")) {
		return nil
	}
	if strings.Contains(name, "_") || !isHost(name) {
		return nil
	}
	return one(Host, start, end)
}

func endsWith(name string, ends []string) bool {
	for _, end := range ends {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// dashedIP recognises ip-10-0-12-34, the name that a cloud gives to a machine.
func dashedIP(src []byte, at int) []Match {
	if !startsWord(src, at) || byteAt(src, at-1) == '-' {
		return nil
	}
	end := right(src, at, isName)
	parts := strings.Split(strings.SplitN(string(src[at:end]), ".", 2)[0], "-")
	if len(parts) != 5 || !isIPv4(strings.Join(parts[1:], ".")) {
		return nil
	}
	return one(Host, at, end)
}
