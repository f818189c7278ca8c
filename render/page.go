package render

import (
	htmltemplate "html/template"

	"benchguide/render/markup"
	"benchguide/study"
)

// pageView is what the frame of an HTML page prints.
type pageView struct {
	HTMLLang, Title, Description string
	SiteTitle, Home, Assets      string
	Mark                         string // what kind of results these are, where they are not plain measurements
	Alternate                    *alternate
	T                            frameWords
	Contents                     []contentsEntry
	Body                         htmltemplate.HTML
	Footer                       []htmltemplate.HTML
}

// alternate is the same page in the other language.
type alternate struct{ Lang, Name, Href string }

// frameWords are the frame's own words in the page's language.
type frameWords struct{ Skip, NavLabel, Theme, Contents string }

// contentsEntry is a heading in the list of contents.
type contentsEntry struct {
	Level    int
	ID, Text string
}

// frame fills in what does not depend on the page's content. up leads to the root.
func (w *words) frame(site *study.SiteInfo, up string) pageView {
	return pageView{
		HTMLLang:  w.lang.HTML(),
		SiteTitle: site.Title.In(string(w.lang)),
		Home:      up + string(w.lang) + "/" + guidePage,
		Assets:    up + "assets/",
		T: frameWords{Skip: w.t("nav.skip"), NavLabel: w.t("nav.label"), Theme: w.t("nav.theme"),
			Contents: w.t("nav.contents")},
		Footer: []htmltemplate.HTML{htmltemplate.HTML(htmltemplate.HTMLEscapeString(w.t("footer.generated")))},
	}
}

// contents lists the headings of the second and third level.
func contents(headings []markup.Heading) []contentsEntry {
	var list []contentsEntry
	for _, h := range headings {
		if h.Level == 2 || h.Level == 3 {
			list = append(list, contentsEntry{h.Level, h.ID, h.Text})
		}
	}
	return list
}
