package e2e

import (
	"fmt"
	"path"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// press clicks the first element that a selector finds, as a reader does.
func (p *tab) press(t *testing.T, selector string) {
	t.Helper()
	require.NoError(t, chromedp.Do(p.ctx, chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible)), selector)
}

// until waits for a condition of the page.
func (p *tab) until(t *testing.T, condition string) {
	t.Helper()
	_, err := chromedp.Run(p.ctx, chromedp.Poll[bool](condition))
	require.NoError(t, err, "never true: %s", condition)
}

// someGuide is the guide of the first study in English, and its counterpart.
func someGuide(t *testing.T) (en, zh string) {
	t.Helper()
	id := theSite(t).collection.Folders[0].ID
	return path.Join("en", id, "index.html"), path.Join("zh", id, "index.html")
}

// Both ways of copying leave exactly the command on the clipboard. There is one
// clipboard, so the pages take turns; no other test touches it.
func TestTheCopyButtonCopiesExactlyTheCommand(t *testing.T) {
	t.Parallel()
	s := theSite(t)
	cases := []struct{ name, before string }{
		{"in a secure context", ""},
		{"without one", `Object.defineProperty(window, "isSecureContext", {value: false})`},
	}
	for _, c := range cases {
		for _, g := range s.guides(t)[:2] {
			t.Run(c.name+"/"+g.file, func(t *testing.T) {
				p := open(t, view{wide, "light"})
				allow(t, p)
				if c.before != "" {
					_, err := chromedp.Call(p.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: c.before})
					require.NoError(t, err)
				}
				p.visit(t, p.address(g.file))
				require.Equal(t, c.before == "", ask[bool](t, p, "window.isSecureContext"))
				p.do(t, `navigator.clipboard.writeText("something else")`)
				label := ask[string](t, p, `document.querySelector("button.copy").textContent`)
				p.press(t, "button.copy")
				p.until(t, `document.querySelector("button.copy").matches(".done")`)
				require.Equal(t, s.reports[g.study].Final.Command, ask[string](t, p, "navigator.clipboard.readText()"))
				p.until(t, fmt.Sprintf(`document.querySelector("button.copy").textContent === %q`, label))
				require.Equal(t, "copy", ask[string](t, p, "document.activeElement.className"), "the focus stays where it was")
				require.Empty(t, p.seen())
			})
		}
	}
}

// allow lets the test, and with it the page, use the clipboard.
func allow(t *testing.T, p *tab) {
	t.Helper()
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		_, err := chromedp.CallBrowser(p.ctx, browser.SetPermission, browser.SetPermissionParams{
			Permission:       &browser.PermissionDescriptor{Name: name},
			Setting:          browser.PermissionSettingGranted,
			BrowserContextID: chromedp.FromContext(p.ctx).BrowserContextID,
		})
		require.NoError(t, err)
	}
	_, err := chromedp.Call(p.ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	require.NoError(t, err)
}

func TestTheLanguageSwitchKeepsThePageAndTheSection(t *testing.T) {
	t.Parallel()
	en, zh := someGuide(t)
	cases := map[string]struct{ from, scroll, to string }{
		"from the top":            {en, "", zh},
		"from a section's link":   {en + "#stage-quantization", "", zh + "#stage-quantization"},
		"back from Chinese":       {zh + "#findings", "", en + "#findings"},
		"from where one has read": {en, `document.getElementById("summary").scrollIntoView()`, zh + "#summary"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := show(t, c.from, view{phone, "light"})
			if c.scroll != "" {
				p.do(t, c.scroll)
			}
			// Pressed by script: the browser would scroll to press a link in a bar that sticks.
			_, err := chromedp.Run(p.ctx, chromedp.WaitEvent(page.LoadEventFired, nil, chromedp.Evaluate[chromedp.Void](`document.querySelector("a.lang").click()`)))
			require.NoError(t, err)
			require.Equal(t, p.address(c.to), ask[string](t, p, "location.href"))
			if id := ask[string](t, p, "location.hash.slice(1)"); id != "" {
				p.until(t, fmt.Sprintf(`(top => top >= 0 && top < innerHeight / 2)(document.getElementById(%q).getBoundingClientRect().top)`, id))
			}
			require.Empty(t, p.seen())
		})
	}
}

func TestTheThemeFlipsAndIsKept(t *testing.T) {
	t.Parallel()
	en, zh := someGuide(t)
	const paper = "getComputedStyle(document.body).backgroundColor"
	const chart = `getComputedStyle(document.querySelector("svg .bg-ink")).color`
	for _, theme := range []string{"light", "dark"} {
		t.Run("a reader whose system is "+theme, func(t *testing.T) {
			t.Parallel()
			p := show(t, en, view{wide, theme})
			first, firstChart := ask[string](t, p, paper), ask[string](t, p, chart)
			p.press(t, "button.theme")
			flipped := ask[string](t, p, paper)
			require.NotEqual(t, first, flipped, "the page flips")
			require.NotEqual(t, firstChart, ask[string](t, p, chart), "its drawings flip with it")
			p.visit(t, p.address(zh))
			require.Equal(t, flipped, ask[string](t, p, paper), "the choice holds on another page")
			p.press(t, "button.theme")
			require.Equal(t, first, ask[string](t, p, paper), "and can be taken back")
			require.Empty(t, p.seen())
		})
	}
}

func TestALinkIntoAFoldedBlockOpensIt(t *testing.T) {
	t.Parallel()
	en, _ := someGuide(t)
	p := show(t, en, view{wide, "light"})
	const block = `[...document.querySelectorAll("main details")].at(-1)`
	require.False(t, ask[bool](t, p, block+".open"), "raw output starts folded")
	p.do(t, block+`.querySelector("pre").id = "inside"; location.hash = "inside"`)
	p.until(t, block+".open")
	p.until(t, `(r => r.height > 0 && r.top < innerHeight)(document.getElementById("inside").getBoundingClientRect())`)
}

func TestTheContentsStartFoldedOnAPhoneOnly(t *testing.T) {
	t.Parallel()
	en, _ := someGuide(t)
	for _, v := range []view{{wide, "light"}, {phone, "light"}} {
		p := show(t, en+"#summary", v)
		require.Equal(t, v.width == wide, ask[bool](t, p, `document.querySelector("nav.contents details").open`), "at %d px", v.width)
		p.until(t, `(top => top >= 0 && top < innerHeight / 2)(document.getElementById("summary").getBoundingClientRect().top)`)
	}
}

func TestTheContentsMarkTheSectionThatIsRead(t *testing.T) {
	t.Parallel()
	en, _ := someGuide(t)
	p := show(t, en, view{wide, "light"})
	for _, id := range []string{"setup", "cases"} {
		p.do(t, fmt.Sprintf(`document.getElementById(%q).scrollIntoView()`, id))
		p.until(t, fmt.Sprintf(`[...document.querySelectorAll("nav.contents [aria-current]")].map(a => a.hash).join() === "#%s"`, id))
	}
}

func TestTheNumberOfARawLineGivesItsAddress(t *testing.T) {
	t.Parallel()
	first := theSite(t).collection.Folders[0]
	p := show(t, path.Join("studies", first.ID, "raw", "study.yaml.html"), view{wide, "light"})
	p.press(t, "#L3")
	require.Equal(t, "#L3", ask[string](t, p, "location.hash"))
	require.NotEqual(t, ask[string](t, p, `getComputedStyle(document.getElementById("L4")).backgroundColor`),
		ask[string](t, p, `getComputedStyle(document.getElementById("L3")).backgroundColor`), "the line is marked")
}

// Nothing stays folded on paper, and paper is light whatever the reader chose.
func TestPrintedGuidesAreUnfoldedAndLight(t *testing.T) {
	t.Parallel()
	en, _ := someGuide(t)
	p := show(t, en, view{wide, "dark"})
	p.press(t, "button.theme")
	p.press(t, "button.theme") // dark is a choice now, and no longer the system's
	dark := ask[string](t, p, "getComputedStyle(document.body).backgroundColor")
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	require.NoError(t, err)
	p.do(t, `dispatchEvent(new Event("beforeprint"))`)
	p.until(t, `[...document.querySelectorAll("main details pre")].every(e => e.checkVisibility({contentVisibilityAuto: true}))`)
	require.Equal(t, "rgb(255, 255, 255)", ask[string](t, p, "getComputedStyle(document.body).backgroundColor"))
	require.Equal(t, 0, ask[int](t, p, `[...document.querySelectorAll("header.bar, nav.contents, button.copy")].filter(e => e.getClientRects().length).length`))
	_, err = chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
	require.NoError(t, err)
	p.do(t, `dispatchEvent(new Event("afterprint"))`)
	require.Equal(t, dark, ask[string](t, p, "getComputedStyle(document.body).backgroundColor"), "the choice is back")
}
