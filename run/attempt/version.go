package attempt

import "strings"

// sameVersion reports whether two spellings name one version: a leading v, llama.cpp's b
// before the number of a build and the commit behind it, and what a builder added behind a
// plus sign ("0.20.2+cu130") name none.
func sameVersion(a, b string) bool { return plainVersion(a) == plainVersion(b) }

func plainVersion(v string) string {
	v, _, _ = strings.Cut(strings.TrimSpace(v), " ")
	v, _, _ = strings.Cut(v, "+")
	if len(v) > 1 && (v[0] == 'v' || v[0] == 'b') && v[1] >= '0' && v[1] <= '9' {
		v = v[1:]
	}
	return v
}
