package attempt

import (
	"maps"
	"strings"
)

// direct returns the variables of a process with this machine's own addresses among those
// that no proxy is asked for, where there is a proxy. Python's clients would send what they
// measure through it, and engines the question whether they are up.
func direct(env map[string]string, environ []string) map[string]string {
	value := func(names ...string) string {
		for _, name := range names {
			if v := env[name]; v != "" {
				return v
			}
			for _, pair := range environ {
				if v, ok := strings.CutPrefix(pair, name+"="); ok && v != "" {
					return v
				}
			}
		}
		return ""
	}
	except := value("no_proxy", "NO_PROXY")
	if value("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY") == "" || except == "*" {
		return env
	}
	env = maps.Clone(env)
	if env == nil {
		env = map[string]string{}
	}
	// Both spellings, since programs differ in which of two they believe.
	env["no_proxy"] = strings.TrimPrefix(except+","+host+",localhost", ",")
	env["NO_PROXY"] = env["no_proxy"]
	return env
}
