package parse

// keyRange infers a tool's version range from the keys of an object. What is absent
// dates an object only when all of it is there.
func (d dating) keyRange(o *object, whole bool) versionRange {
	v := versionRange{from: d.first}
	for _, s := range d.since {
		if o.has(s.key) {
			v.atLeast(s.version)
		}
	}
	for _, u := range d.until {
		if o.has(u.key) {
			v.atMost(u.version)
		}
	}
	for _, a := range d.always {
		if whole && !o.has(a.key) {
			v.atMost(a.version)
		}
	}
	return v
}

// before reports whether the whole range lies below a version.
func (v versionRange) before(version string) bool { return v.to != "" && older(v.to, version) }

// from reports whether the whole range lies at a version or above it.
func (v versionRange) since(version string) bool { return !older(v.from, version) }
