package chart

import (
	"fmt"
	"unicode/utf8"

	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// typeface names our two faces inside gonum's font cache. Readers never see it.
const typeface = "benchguide"

// Fonts holds the two faces that figures are measured and drawn with. Make it with LoadFonts; it is
// safe for concurrent use.
type Fonts struct {
	cache   *font.Cache
	handler text.Plain
}

// LoadFonts reads the regular and the bold face from single-face OpenType files. It fills a cache of
// its own, because gonum's default font has no Chinese characters and its default cache is global.
func LoadFonts(regular, bold []byte) (*Fonts, error) {
	var faces font.Collection
	for _, in := range []struct {
		name   string
		weight xfont.Weight
		data   []byte
	}{{"regular", xfont.WeightNormal, regular}, {"bold", xfont.WeightBold, bold}} {
		face, err := opentype.Parse(in.data)
		if err != nil {
			return nil, fmt.Errorf("read the %s chart font: %w", in.name, err)
		}
		faces = append(faces, font.Face{Font: font.Font{Typeface: typeface, Weight: in.weight}, Face: face})
	}
	cache := font.NewCache(faces)
	return &Fonts{cache: cache, handler: text.Plain{Fonts: cache}}, nil
}

// descriptor names a face of ours the way gonum's styles want it. A descriptor that the cache does not
// know would silently get another face, so all of them come from here.
func descriptor(size float64, bold bool) font.Font {
	weight := xfont.WeightNormal
	if bold {
		weight = xfont.WeightBold
	}
	return font.Font{Typeface: typeface, Weight: weight, Size: vg.Length(size)}
}

// face returns one of the two faces at a size.
func (f *Fonts) face(size float64, bold bool) font.Face {
	d := descriptor(size, bold)
	return f.cache.Lookup(d, d.Size)
}

// missing returns an error that names the first character of s without a glyph. Go draws nothing for
// such a character and says nothing, so every string has to pass here first.
func missing(face font.Face, s string) error {
	var buf sfnt.Buffer
	for i, r := range s {
		if r == utf8.RuneError {
			return fmt.Errorf("text %q is not valid UTF-8 at byte %d", s, i)
		}
		glyph, err := face.Face.GlyphIndex(&buf, r)
		if err != nil {
			return fmt.Errorf("look up %q (U+%04X) in the chart font: %w", r, r, err)
		}
		if glyph == 0 {
			return fmt.Errorf("the chart font has no glyph for %q (U+%04X) in %q; add it to the subset (tools/font/subset.sh)", r, r, s)
		}
	}
	return nil
}
