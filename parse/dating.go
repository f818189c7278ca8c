package parse

import (
	"strconv"
	"strings"
)

// dating infers a client's version range from the labels that a block prints and
// does not print.
type dating struct {
	first  string          // the first version that prints such a block
	since  []dated         // labels, and the version that printed them first
	until  []dated         // labels, and the last version that printed them
	always []dated         // labels that every later version prints, and the last one without
	spelt  []datedSpelling // labels whose spelling changed
	gaps   []datedGap      // labels that some versions in the middle left out
}

type dated struct{ key, version string }

type datedSpelling struct{ label, from, to string }

// versions returns "v0.11.0", "v0.6.0 to v0.10.2" or "v0.13.0 or later", and "" when
// two labels contradict each other, as in a block from which lines were taken out.
func (d dating) versions(b *block) string {
	v := versionRange{from: d.first}
	for _, s := range d.since {
		if b.has(s.key) {
			v.atLeast(s.version)
		}
	}
	if !b.closed {
		return v.from + " or later" // what is absent may have been cut off
	}
	for _, s := range d.until {
		if b.has(s.key) {
			v.atMost(s.version)
		}
	}
	for _, a := range d.always {
		if !b.has(a.key) {
			v.atMost(a.version)
		}
	}
	for _, s := range d.spelt {
		if !b.spells(s.label) {
			continue
		}
		if s.from != "" {
			v.atLeast(s.from)
		}
		if s.to != "" {
			v.atMost(s.to)
		}
	}
	for _, g := range d.gaps {
		if b.has(g.beside) && !b.has(g.key) {
			v.atLeast(g.from)
			v.atMost(g.to)
		}
		if b.has(g.key) && !older(v.from, g.from) {
			v.atLeast(g.back)
		}
	}
	return v.String()
}

// spells reports whether the block prints a label, or a section, in just this spelling.
func (b *block) spells(label string) bool {
	for _, f := range b.fields {
		if f.label == label {
			return true
		}
	}
	for _, t := range b.titles {
		if t == label {
			return true
		}
	}
	return false
}

// datedGap is a label that is missing beside another one only in versions from..to.
// Printed by a version after the gap, it is at least back.
type datedGap struct{ key, beside, from, to, back string }

type versionRange struct{ from, to string }

func (v *versionRange) atLeast(version string) {
	if older(v.from, version) {
		v.from = version
	}
}

func (v *versionRange) atMost(version string) {
	if v.to == "" || older(version, v.to) {
		v.to = version
	}
}

func (v versionRange) String() string {
	switch {
	case v.to == "":
		return v.from + " or later"
	case v.from == v.to:
		return v.from
	case older(v.to, v.from):
		return ""
	default:
		return v.from + " to " + v.to
	}
}

// older compares tags of the forms v0.N.P and v0.N.P.postM.
func older(a, b string) bool {
	x, y := tag(a), tag(b)
	for i := range x {
		if x[i] != y[i] {
			return x[i] < y[i]
		}
	}
	return false
}

func tag(v string) (parts [4]int) {
	for i, p := range strings.Split(strings.TrimPrefix(v, "v"), ".") {
		if i < len(parts) {
			parts[i], _ = strconv.Atoi(strings.TrimPrefix(p, "post"))
		}
	}
	return parts
}
