package render

import (
	htmltemplate "html/template"
	"testing"
	"text/template"

	"github.com/jba/templatecheck"
	"github.com/stretchr/testify/require"

	"benchguide/render/markup"
	"benchguide/templates"
)

// A field that a template asks for and a view does not have would show only on the
// page that happens to need it.
func TestTemplatesFitTheirViews(t *testing.T) {
	t.Parallel()
	w := &words{lang: EN}
	guide, err := template.New("guide.md.tmpl").Funcs(w.funcs()).ParseFS(templates.Files, "guide.md.tmpl")
	require.NoError(t, err)
	require.NoError(t, templatecheck.CheckText(guide, guideView{}))

	script, err := template.New("reproduce.sh.tmpl").Funcs(scriptFuncs()).ParseFS(templates.Files, "reproduce.sh.tmpl")
	require.NoError(t, err)
	require.NoError(t, templatecheck.CheckText(script, scriptView{}))

	pages, err := htmltemplate.New("").Funcs(pageFuncs()).ParseFS(templates.Files, "*.html.tmpl")
	require.NoError(t, err)
	views := map[string]any{
		"page.html.tmpl": pageView{}, "index.html.tmpl": []indexView{}, "data.html.tmpl": dataView{}, "lines.html.tmpl": linesView{},
		"fact": markup.Bound{}, "name": "",
	}
	for _, page := range pages.Templates() {
		if page.Name() == "" {
			continue
		}
		view, ok := views[page.Name()]
		require.True(t, ok, "template %q has no view here", page.Name())
		require.NoError(t, templatecheck.CheckHTML(page, view), page.Name())
	}
}

func TestTemplatesThatDoNotFitAreFound(t *testing.T) {
	t.Parallel()
	bad := template.Must(template.New("x").Parse("{{.Lead}} {{.Leed}}"))
	require.ErrorContains(t, templatecheck.CheckText(bad, guideView{}), "Leed")
}
