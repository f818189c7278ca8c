package attempt

import "strings"

// sameVersion reports whether two spellings name one version: a leading v and what a
// builder added behind a plus sign ("0.20.2+cu130") name none.
func sameVersion(a, b string) bool { return plainVersion(a) == plainVersion(b) }

func plainVersion(v string) string {
	v, _, _ = strings.Cut(strings.TrimSpace(v), "+")
	return strings.TrimPrefix(v, "v")
}
