package chart

import "math"

// spot is a marker whose label, if it has one, looks for a place near it.
type spot struct {
	x, y float64 // the marker
	b    block
	up   bool // tries above first
	// below is how far the marker itself reaches down, more than a dot does
	below float64
}

// segment is a stretch of a line that labels should not cover.
type segment struct{ x0, y0, x1, y1 float64 }

// place finds a box for every label: inside of bounds, off all markers and other labels, and off the
// lines where possible. ok is false when a label finds none; the caller then tries a taller plot.
func place(spots []spot, lines []segment, bounds box) (boxes []box, ok bool) {
	const markerRoom = 7.0
	var taken []box
	for _, s := range spots {
		taken = append(taken, box{s.x - markerRoom, s.y - markerRoom, s.x + markerRoom, s.y + markerRoom + s.below})
	}
	for _, s := range spots {
		if s.b.h == 0 {
			boxes = append(boxes, box{})
			continue
		}
		b, found := s.find(taken, lines, bounds)
		if !found {
			return nil, false
		}
		taken = append(taken, b)
		boxes = append(boxes, b)
	}
	return boxes, true
}

// find tries the places around a marker from the nearest on. A place on a line is second choice.
func (s spot) find(taken []box, lines []segment, bounds box) (box, bool) {
	var second box
	found := false
	for _, b := range s.candidates(bounds) {
		if !b.inside(bounds) || overlapsAny(b, taken) {
			continue
		}
		if !crossesAny(b, lines) {
			return b, true
		}
		if !found {
			second, found = b, true
		}
	}
	return second, found
}

// candidates lists the places: on the side of the label at growing distance, centred or shifted
// sideways, and then on the other side.
func (s spot) candidates(bounds box) []box {
	const near, step, tries = 7.0, 4.0, 14
	var out []box
	for _, up := range []bool{s.up, !s.up} {
		for i := range tries {
			off := near + float64(i)*step
			y := s.y + off + s.below
			if up {
				y = s.y - off - s.b.h
			}
			// Sideways by at most about half, or the label would seem to belong to a neighbour.
			for _, shift := range []float64{0, 0.3, -0.3, 0.55, -0.55} {
				x := s.x - s.b.w/2 + shift*s.b.w
				x = math.Max(bounds.x0, math.Min(x, bounds.x1-s.b.w))
				out = append(out, box{x, y, x + s.b.w, y + s.b.h})
			}
		}
	}
	return out
}

func overlapsAny(b box, others []box) bool {
	for _, o := range others {
		if b.overlaps(o) {
			return true
		}
	}
	return false
}

func crossesAny(b box, lines []segment) bool {
	for _, l := range lines {
		if l.crosses(b) {
			return true
		}
	}
	return false
}

// crosses reports whether a part of the segment lies inside of the box.
func (l segment) crosses(b box) bool {
	// Cut the segment at each side of the box in turn (Liang and Barsky); what is left lies inside.
	t0, t1 := 0.0, 1.0
	for _, side := range [][3]float64{{l.x0, l.x1 - l.x0, b.x0}, {-l.x0, l.x0 - l.x1, -b.x1}, {l.y0, l.y1 - l.y0, b.y0}, {-l.y0, l.y0 - l.y1, -b.y1}} {
		from, delta, least := side[0], side[1], side[2]
		switch { // keep the part where from + t*delta >= least
		case delta == 0 && from < least:
			return false
		case delta > 0:
			t0 = math.Max(t0, (least-from)/delta)
		case delta < 0:
			t1 = math.Min(t1, (least-from)/delta)
		}
	}
	return t0 < t1
}
