package chart

import "testing"

// BenchmarkSVG draws the figure with the most labels.
func BenchmarkSVG(b *testing.B) {
	fonts := loadFonts(b)
	c := candidates("en", Meta{ID: "c", Title: "t", Desc: "d"})
	for b.Loop() {
		if _, err := c.SVG(fonts); err != nil {
			b.Fatal(err)
		}
	}
}
