package secret

import "strings"

// assigned recognises secrets by the name of what they are assigned to: host='x',
// "api_key": "x", HF_TOKEN=x, password: x. This is how Namespace(...), ServerArgs(...),
// server_info, environments and headers print them.
func assigned(src []byte, at int) []Match {
	name, quoted := nameBefore(src, at)
	if name == "" {
		return nil
	}
	kind, ok := kindOf(name)
	if !ok && !isHeaders(name) {
		return nil
	}
	start := right(src, at+1, func(c byte) bool { return c == ' ' || c == '\t' })
	if src[at] == '=' && start > at+1 {
		return nil // "host = x" is code or prose; tools print none of it
	}
	if isHeaders(name) {
		return headers(src, start)
	}
	sure := quoted || src[at] == '='
	if byteAt(src, start) == '[' {
		return listAt(src, start+1, kind, name)
	}
	return valueAt(src, start, kind, name, sure)
}

// listAt takes the values of a list: 'api_key': ['a', 'b'].
func listAt(src []byte, i int, kind Kind, name string) []Match {
	var found []Match
	end := min(len(src), i+maxHeaders)
	for i < end && (src[i] == '"' || src[i] == '\'') {
		found = append(found, valueAt(src, i, kind, name, true)...)
		_, close := valueBounds(src, i)
		i = right(src, close+1, func(c byte) bool { return c == ',' || c == ' ' })
	}
	return found
}

// nameBefore returns the name that ends before the mark at i, in lower case with
// underscores, and whether it was in quotes.
func nameBefore(src []byte, i int) (name string, quoted bool) {
	end := left(src, i, func(c byte) bool { return c == ' ' })
	if end < i-1 {
		return "", false
	}
	if c := byteAt(src, end-1); c == '"' || c == '\'' {
		quoted = true
		end--
		if byteAt(src, end-1) == '\\' {
			end--
		}
	}
	start := left(src, end, isWord)
	if end-start < 2 || end-start > 40 {
		return "", false
	}
	return normalName(string(src[start:end])), quoted
}

func normalName(s string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimLeft(s, "-_")), "-", "_")
}

// kindOf says what the value of a name is, when the name alone tells.
func kindOf(name string) (Kind, bool) {
	switch {
	case isHostName(name):
		return Host, true
	case isKeyName(name):
		return Key, true
	}
	switch name {
	case "user", "username", "user_name", "logname", "login", "run_user", "slurm_job_user", "submitted_by", "owner":
		return User, true
	case "pod", "pod_name", "podname", "kubernetes_pod_name", "kubernetes_namespace", "k8s_namespace", "namespace", "pod_namespace":
		return Pod, true
	}
	return "", false
}

func isHostName(name string) bool {
	switch name {
	case "host", "hostname", "nodename", "node_name", "nodelist", "node_list", "node", "instance", "ip", "ip_address", "addr", "address",
		"host_ip", "node_ip", "head_node", "server_name", "master", "http_proxy", "https_proxy":
		return true
	}
	for _, suffix := range []string{"_host", "_hostname", "_addr", "_address", "_nodelist", "_nodename", "_host_ip", "_ip_address"} {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return false
}

func isKeyName(name string) bool {
	switch name {
	case "token", "secret", "password", "passwd", "passphrase", "authorization", "proxy_authorization", "cookie", "set_cookie",
		"credential", "credentials", "apikey", "bearer", "signature", "x_amz_signature":
		return true
	}
	for _, suffix := range []string{
		"api_key", "apikey", "access_key", "secret_key", "private_key", "access_key_id", "_secret", "_password", "_passwd",
		"access_token", "auth_token", "hf_token", "api_token", "hub_token", "bearer_token", "session_token", "security_token",
		"github_token", "gh_token", "refresh_token", "_key_password",
	} {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return false
}

// valueAt takes the value that begins at i, in quotes or bare. Without quotes around
// the name and without "=", as in prose, only a value that looks the part is taken.
func valueAt(src []byte, i int, kind Kind, name string, sure bool) []Match {
	if kind != Key {
		src = src[:min(len(src), i+maxName)] // names are short
	}
	start, end := valueBounds(src, i)
	if strings.HasSuffix(name, "authorization") {
		if start = afterScheme(src, start, end); start >= end {
			_, end = valueBounds(src, start)
		}
	}
	v := string(src[start:end])
	if isMetavariable(v, name) {
		return nil
	}
	inQuotes := start > i
	switch kind {
	case Host:
		if list := strings.IndexByte(v, '['); list > 0 { // gpu[01-04]
			v, end = v[:list], start+list
		}
		if port := strings.LastIndexByte(v, ':'); port >= 0 && strings.Trim(v[port+1:], "0123456789") == "" {
			v, end = v[:port], start+port
		}
		if !isHost(v) || !strings.ContainsFunc(v, isLetter) && !isIPv4(v) || !sure && !inQuotes && !looksLikeHost(v) {
			return nil
		}
	case Key:
		if isPlaceholder(v) || !sure && !isWholeKeyName(name) || isSmallNumber(v) || !strings.ContainsFunc(v, isText) {
			return nil
		}
		if name == "token" && !inQuotes && len(v) < 12 && !strings.ContainsAny(v, "0123456789") {
			return nil // a word of prose
		}
	default:
		if isPlaceholder(v) || !sure && kind == User && name == "user" || !isAlnum(v[0]) || isSmallNumber(v) || v == "root" {
			return nil
		}
		end = start + right([]byte(v), 0, isName)
	}
	return one(kind, start, end)
}

// isWholeKeyName tells names that are no words of prose: "token: three" is prose.
func isWholeKeyName(name string) bool {
	return name != "token" && name != "secret" && name != "signature" && name != "bearer"
}

// isMetavariable tells what a help text writes in the place of a value: --host HOST.
func isMetavariable(v, name string) bool {
	return v != "" && strings.ToUpper(v) == v && strings.HasSuffix(name, strings.ToLower(v)) ||
		strings.HasPrefix(v, "MY_") || strings.HasPrefix(strings.ToLower(v), "your")
}

func isSmallNumber(v string) bool { return len(v) < 6 && strings.Trim(v, "0123456789.") == "" }

func looksLikeHost(v string) bool {
	return strings.ContainsAny(v, "0123456789") && strings.ContainsAny(v, "-.") || isIPv4(v) || strings.Count(v, ".") > 1
}

// valueBounds returns where a value begins and ends, without its quotes.
func valueBounds(src []byte, i int) (start, end int) {
	start = i
	if byteAt(src, i) == '\\' && (byteAt(src, i+1) == '"' || byteAt(src, i+1) == '\'') {
		start++
	}
	if quote := byteAt(src, start); quote == '"' || quote == '\'' {
		start++
		end = right(src, start, func(c byte) bool { return c != quote && c != '\n' && c != '\\' })
		return start, end
	}
	return i, right(src, i, func(c byte) bool { return c > ' ' && strings.IndexByte(",;)]}&\"'`<>|\\", c) < 0 })
}

// afterScheme skips the word Bearer or Basic in the value of a header.
func afterScheme(src []byte, start, end int) int {
	word := right(src, start, isAlpha)
	switch strings.ToLower(string(src[start:word])) {
	case "bearer", "basic", "digest", "token", "apikey":
		if word < end || byteAt(src, word) == ' ' {
			return min(right(src, word, func(c byte) bool { return c == ' ' }), len(src))
		}
	}
	return start
}

// flagged recognises secrets by the flag before them: --host x, "--api-key", "x".
func flagged(src []byte, at int) []Match {
	if c := byteAt(src, at-1); c == '-' || isAlnum(c) || !isAlpha(byteAt(src, at+2)) {
		return nil
	}
	end := right(src, at, isWord)
	start := argument(src, end)
	if start == end || end-at > 40 || byteAt(src, start) == '-' || byteAt(src, start+1) == '-' {
		return nil
	}
	name := normalName(string(src[at:end]))
	if name == "header" {
		return headers(src, start)
	}
	kind, ok := kindOf(name)
	if !ok {
		return nil
	}
	return valueAt(src, start, kind, name, true)
}

// argument returns where the argument after a flag that ends at i begins, on a
// command line or in a list of strings, or i when there is none.
func argument(src []byte, i int) int {
	isBlank := func(c byte) bool { return c == ' ' || c == '=' }
	if quote := byteAt(src, i); (quote == '"' || quote == '\'') && byteAt(src, i+1) == ',' {
		start := right(src, i+2, isBlank)
		if byteAt(src, start) != quote {
			return i
		}
		return start
	}
	return right(src, i, isBlank)
}
