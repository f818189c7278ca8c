package gate_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/render/gate"
)

func TestSame(t *testing.T) {
	t.Parallel()
	const (
		a = `<data value="1" data-fact="a">x</data>`
		b = `<data value="2" data-fact="b">x</data>`
	)
	cases := map[string]struct {
		zh, en string
		want   []string // file, line and code
	}{
		"the same":                     {a + `<h2 id="s">标题</h2>` + b, a + `<h2 id="s">Title</h2>` + b, nil},
		"another order":                {a + b, b + a, nil},
		"named twice":                  {a + a, a, nil},
		"in another section":           {`<h2 id="s">x</h2>` + a + `<h3 id="t">x</h3>`, `<h2 id="s">x</h2><h3 id="t">x</h3>` + a, []string{"zh:1 fact-missing", "en:1 fact-missing"}},
		"missing in en":                {"\n" + a + b, b, []string{"zh:2 fact-missing"}},
		"missing in zh":                {a, a + "\n\n" + b, []string{"en:3 fact-missing"}},
		"another value":                {a, strings.Replace(a, `"1"`, `"1.5"`, 1), []string{"en:1 fact-differs"}},
		"another value elsewhere":      {a + `<h2 id="s">x</h2>`, a + `<h2 id="s">x</h2>` + strings.Replace(a, `"1"`, `"1.5"`, 1), []string{"en:1 fact-missing", "en:1 fact-differs"}},
		"a section without facts":      {"<h2 id=s>x</h2>\n<h3 id=t>x</h3>", "<h2 id=s>x</h2>", []string{"zh:2 section-missing"}},
		"a section with facts":         {"<h2 id=s>x</h2>", "<h2 id=s>x</h2><h2 id=t>x</h2>" + a + b, []string{"en:1 section-missing"}},
		"headings without an id":       {"<h2>目录</h2>" + a, a + "<h2>x</h2>", nil},
		"deeper headings":              {a + "<h4 id=u>x</h4>" + b, a + b, nil},
		"charts":                       {`<svg><text data-fact="a" data-value="1">x</text></svg>`, `<svg><rect data-fact="a" data-value="1"/></svg>`, nil},
		"charts with another value":    {`<svg><text data-fact="a" data-value="1">x</text></svg>`, `<svg><text data-fact="a" data-value="2">x</text></svg>`, []string{"en:1 fact-differs"}},
		"a chart in one language":      {a, a + `<svg><text data-fact="b" data-value="2">x</text></svg>`, []string{"en:1 fact-missing"}},
		"a chart agrees with its text": {a, `<svg><text data-fact="a" data-value="1">x</text></svg>`, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, f := range gate.Same(gate.Page{File: "zh", Src: []byte(c.zh)}, gate.Page{File: "en", Src: []byte(c.en)}) {
				require.Equal(t, gate.SeverityError, f.Severity)
				got = append(got, f.File+":"+string(rune('0'+f.Line))+" "+f.Code)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSameNamesBothPlaces(t *testing.T) {
	t.Parallel()
	got := gate.Same(gate.Page{File: "zh/a.html", Src: []byte(`<data value="1" data-fact="a">x</data>`)}, gate.Page{File: "en/a.html"})
	require.Len(t, got, 1)
	require.Equal(t, "zh/a.html", got[0].File)
	require.Contains(t, got[0].Message, "en/a.html")
	require.Contains(t, got[0].Message, `fact "a"`)
}
