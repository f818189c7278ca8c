package chart

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// luminance is the relative luminance of WCAG 2.
func luminance(hex uint32) float64 {
	c := rgb(hex)
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

func contrast(a, b uint32) float64 {
	x, y := luminance(a), luminance(b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

func TestContrastIsMeasuredAsWCAGDoes(t *testing.T) {
	t.Parallel()
	require.InDelta(t, 21, contrast(0x000000, 0xffffff), 1e-9)
	require.InDelta(t, 4.54, contrast(0x767676, 0xffffff), 0.01)
}

// TestPaletteCanBeRead holds text to 4.5 and marks to 3 against the page and, because names of
// adopted candidates and markers may stand on it, against the noise band.
func TestPaletteCanBeRead(t *testing.T) {
	t.Parallel()
	all := shades()
	for _, c := range []struct {
		least float64
		roles []role
	}{
		{4.5, []role{ink, muted, accent, third, fourth}},
		{3, []role{base, bad, whole}},
	} {
		for _, r := range c.roles {
			for _, ground := range []role{paper, band} {
				light, dark := contrast(all[r].light, all[ground].light), contrast(all[r].dark, all[ground].dark)
				require.GreaterOrEqual(t, light, c.least, "light: %s on %s", all[r].name, all[ground].name)
				require.GreaterOrEqual(t, dark, c.least, "dark: %s on %s", all[r].name, all[ground].name)
			}
		}
	}
	require.GreaterOrEqual(t, contrast(all[faint].light, all[paper].light), 3.0)
	require.GreaterOrEqual(t, contrast(all[faint].dark, all[paper].dark), 3.0)
}

func TestSeriesDifferByMoreThanColour(t *testing.T) {
	t.Parallel()
	plain := map[look]bool{}
	for _, l := range barLooks(3) {
		// Without its colours a look is its filling, dashes and hatching; a filling in the colour of
		// the outline is full, another one is pale.
		full := l.fill == l.outline
		l.fill, l.outline = 0, 0
		if full {
			l.width = 0
		}
		require.False(t, plain[l], "two bars look the same in grey: %+v", l)
		plain[l] = true
	}
	type bare struct {
		dash   string
		shape  shape
		filled bool
	}
	seen := map[bare]bool{}
	for _, tr := range traces(4) {
		b := bare{shape: tr.glyph.shape, filled: tr.glyph.filled}
		for _, d := range tr.dashes {
			b.dash += num(float64(d)) + " "
		}
		require.False(t, seen[b], "two lines look the same in grey: %+v", b)
		seen[b] = true
	}
}
