package e2e

import (
	"fmt"
	"path"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A look is a question to the page as it is laid out; its answers are faults.
type look struct{ name, script string }

// looks are the questions that every page is asked. Each script is a function of the
// width that the page is shown in.
func looks() []look {
	return []look{
		{"the page is no wider than its window", `width => {
			const wide = document.documentElement.scrollWidth;
			if (wide <= width) return [];
			const out = [...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > width + 1);
			return [wide + " px wide: " + out.slice(0, 5).map(e => e.tagName + "." + e.className).join(", ")];
		}`},
		{"texts of a chart lie inside of it", `() => {
			const faults = [];
			for (const svg of document.querySelectorAll("figure.chart svg")) {
				const box = svg.getBoundingClientRect();
				if (box.width === 0) continue;
				for (const text of svg.querySelectorAll("text")) {
					const r = text.getBoundingClientRect();
					if (r.left < box.left - 1 || r.right > box.right + 1 || r.top < box.top - 1 || r.bottom > box.bottom + 1)
						faults.push(svg.id + ": " + text.textContent);
				}
			}
			return faults;
		}`},
		{"one drawing of each chart is shown", `() => [...document.querySelectorAll("figure.chart")]
			.filter(f => [...f.querySelectorAll("svg")].filter(s => s.getBoundingClientRect().width > 0).length !== 1)
			.map(f => f.querySelector("svg").id)`},
		{"no cell is squeezed to a column of letters", `() => [...document.querySelectorAll("td")]
			.filter(td => td.textContent.trim().length > 1 && td.getClientRects().length && td.clientWidth < 32)
			.map(td => td.textContent.trim())`},
		{"nothing that can be pressed is tiny", `() => [...document.querySelectorAll("button, summary")]
			.filter(e => e.getClientRects().length && (e.getBoundingClientRect().height < 22 || e.getBoundingClientRect().width < 22))
			.map(e => e.textContent.trim())`},
	}
}

// foldScript folds everything again, and leaves the first block of each row open if a
// sample is wanted. axe-core judges only what is shown and takes its time with it, the
// other blocks are made alike, and colours and names do not depend on the width.
func foldScript(sample bool) string {
	return fmt.Sprintf(`document.querySelectorAll("main details").forEach(d => {
		d.open = %t && !(d.previousElementSibling && d.previousElementSibling.tagName === "DETAILS"); })`, sample)
}

// axeScript asks axe-core.
const axeScript = `axe.run(document, {resultTypes: ["violations"], preload: false}).then(r => r.violations.flatMap(v =>
	v.nodes.slice(0, 3).map(n => v.id + " (" + v.impact + "): " + n.target.join(" ") + ": " + n.any.concat(n.all, n.none).map(c => c.message).join("; "))))`

// pagesToLookAt is one page of every kind, and both guides in both languages.
func pagesToLookAt(t *testing.T, s *site) []string {
	t.Helper()
	list := []string{"index.html", "zh/index.html", "en/index.html"}
	for _, g := range s.guides(t) {
		list = append(list, g.file)
	}
	first := s.collection.Folders[0]
	raw := path.Join("studies", first.ID, "raw")
	require.NotEmpty(t, first.Runs)
	result := first.Runs[0].Starts[0].Results[0].File
	return append(list,
		path.Join("zh", first.ID, "data.html"),
		path.Join(raw, result+".html"))
}

func TestPagesAreInOrderInEveryThemeAndWidth(t *testing.T) {
	t.Parallel()
	theBrowser(t)
	for _, page := range pagesToLookAt(t, theSite(t)) {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			p := open(t, view{wide, "light"})
			for _, v := range []view{{wide, "light"}, {wide, "dark"}, {phone, "light"}, {phone, "dark"}} {
				t.Run(fmt.Sprintf("%s/%d", v.theme, v.width), func(t *testing.T) {
					p.look(t, page, v)
				})
			}
		})
	}
}

// look loads a page anew as somebody sees it, and reports what is wrong with it. The pages
// that a tab shows one after the other leave nothing behind: to be looked at, no page stores
// anything.
func (p *tab) look(t *testing.T, page string, v view) {
	t.Helper()
	p.forget()
	p.as(t, v)
	p.visit(t, p.address(page))
	for _, fault := range append(p.answers(t), p.seen()...) {
		t.Error(fault)
	}
	require.Zero(t, ask[int](t, p, "localStorage.length + sessionStorage.length"))
}

// TestMarkedPagesAreInOrder: the studies that ship have no mark, which is one thing more in
// the bar and at every table.
func TestMarkedPagesAreInOrder(t *testing.T) {
	t.Parallel()
	b := theBrowser(t)
	s, err := build("../testdata/h200-study")
	require.NoError(t, err)
	require.NoError(t, s.write(filepath.Join(b.dir, "marked")))
	for _, g := range s.guides(t) {
		p := open(t, view{wide, "dark"})
		for _, v := range []view{{wide, "dark"}, {phone, "light"}} {
			t.Run(fmt.Sprintf("%s/%d", g.lang, v.width), func(t *testing.T) {
				p.look(t, path.Join("..", "marked", g.file), v)
				require.True(t, ask[bool](t, p, `(() => {
					window.scrollTo(0, document.body.scrollHeight);
					const r = document.querySelector(".bar .mark").getBoundingClientRect();
					return r.width > 0 && r.top >= 0 && r.bottom < innerHeight && r.right <= innerWidth; })()`), "the mark stays on the screen")
			})
		}
	}
}

// answers returns the faults of the page that is shown.
func (p *tab) answers(t *testing.T) []string {
	t.Helper()
	p.do(t, `document.querySelectorAll("main details").forEach(d => { d.open = true; })`)
	var faults []string
	for _, l := range looks() {
		for _, fault := range ask[[]string](t, p, fmt.Sprintf("(%s)(%d)", l.script, p.view.width)) {
			faults = append(faults, l.name+": "+fault)
		}
	}
	p.do(t, foldScript(p.view.width == wide))
	p.do(t, p.axe)
	for _, fault := range ask[[]string](t, p, axeScript) {
		faults = append(faults, "accessible: "+fault)
	}
	return faults
}
