package chart

import (
	"bytes"
	"fmt"
	"image/color"
)

// role is what a colour is for. It is the only kind of colour that figures use: the SVG canvas
// writes it as a class with a light and a dark value, other canvases see the light one.
type role uint8

const (
	ink      role = iota // text that carries the message
	muted                // text beside it
	faint                // axis lines, connectors
	grid                 // grid lines
	band                 // the noise band
	paper                // inside of hollow markers
	accent               // the optimized, the adopted
	base                 // the baseline, outlines and markers
	baseSoft             // inside of baseline bars
	third                // a third series
	fourth               // a fourth series
	bad                  // worse than the incumbent
	whole                // the product of all gains
)

// shade is a role's name and its colours as 0xRRGGBB.
type shade struct {
	name        string
	light, dark uint32
}

// shades returns the palette in the order of the roles. Text keeps a contrast of 4.5 and marks one of
// 3 against the page, in both themes; a test computes it.
func shades() [whole + 1]shade {
	return [...]shade{
		ink:      {"ink", 0x1b2028, 0xe8ebef},
		muted:    {"muted", 0x59626e, 0xa3acb8},
		faint:    {"faint", 0x8b94a0, 0x6f7985},
		grid:     {"grid", 0xe4e7eb, 0x2c323a},
		band:     {"band", 0xeceff3, 0x262c35},
		paper:    {"paper", 0xffffff, 0x14171c},
		accent:   {"accent", 0x0a66c2, 0x5aa9f8},
		base:     {"base", 0x737d8a, 0x8f99a6},
		baseSoft: {"base-soft", 0xe6e9ee, 0x2a3039},
		third:    {"third", 0xa14e08, 0xeba05b},
		fourth:   {"fourth", 0x7a4fb5, 0xbd9cf0},
		bad:      {"bad", 0xb3362b, 0xf08a7e},
		whole:    {"whole", 0x3a4656, 0xb9c3cf},
	}
}

// class returns the class that stands for the role in an SVG.
func (r role) class() string { return prefix + shades()[r].name }

// RGBA returns the light colour, for canvases that know no themes.
func (r role) RGBA() (red, green, blue, alpha uint32) { return rgb(shades()[r].light).RGBA() }

func rgb(hex uint32) color.RGBA {
	return color.RGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xff}
}

const (
	root   = "bg-chart" // class of every figure; scopes all selectors
	prefix = "bg-"
	// fontStack starts with the names under which our own face is installed or served; the rest are
	// what systems bring for Chinese. Layout does not depend on which one is found.
	fontStack = `"Noto Sans SC","Noto Sans CJK SC","Source Han Sans SC","PingFang SC","Microsoft YaHei",system-ui,sans-serif`
)

// Stylesheet returns the rules that figures need. A figure carries them itself unless its Meta says
// Bare; a page with many figures, or with a content policy that forbids style elements, puts
// them in its own style sheet instead.
//
// Light colours are literal, and dark ones override them: by the reader's system, and by the page's
// data-theme attribute where it has one. Custom properties would be shorter, but librsvg draws them black.
func Stylesheet() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, ".%s{max-width:100%%;height:auto}", root)
	fmt.Fprintf(&b, ".%s text{font-family:%s;font-variant-numeric:tabular-nums;fill:currentColor}", root, fontStack)
	fmt.Fprintf(&b, ".%s .%sf{fill:currentColor}.%[1]s .%[2]sk{fill:none;stroke:currentColor}", root, prefix)
	writeTheme(&b, "", false)
	b.WriteString("@media (prefers-color-scheme:dark){")
	writeTheme(&b, "", true)
	b.WriteString("}")
	writeTheme(&b, ":root[data-theme=light] ", false)
	writeTheme(&b, ":root[data-theme=dark] ", true)
	return b.Bytes()
}

func writeTheme(b *bytes.Buffer, under string, dark bool) {
	for _, s := range shades() {
		hex := s.light
		if dark {
			hex = s.dark
		}
		fmt.Fprintf(b, "%s.%s .%s%s{color:#%06x}", under, root, prefix, s.name, hex)
	}
}
