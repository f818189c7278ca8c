package markup_test

import (
	"fmt"

	"benchguide/render/markup"
)

// One source becomes a page, and Markdown that says where its facts lie.
func Example() {
	m := markup.New(markup.Labels{Copy: "Copy"})
	in := markup.Input{File: "guide.md", Literals: []string{"H100"}, Resolver: catalogue{
		"fp8:gain": {Kind: markup.KindFact, ID: "fp8:gain", Text: "+25.5%", Value: "1.255", Href: "raw/fp8.html#L9"},
	}}
	src := []byte("On H100: " + markup.Inline(markup.Strong(markup.Fact("fp8:gain"))) + "\n")
	page, err := m.HTML(src, in)
	fmt.Println(string(page.HTML), err)
	export, spans, err := m.Export(src, in)
	fmt.Print(string(export), spans, err)
	// Output:
	// <p>On <span data-literal>H100</span>: <strong><data class="fact" value="1.255" data-fact="fp8:gain"><a href="raw/fp8.html#L9">+25.5%</a></data></strong></p>
	//  <nil>
	// On H100: **+25.5%**
	// [{3 4 literal H100} {11 6 fact fp8:gain}] <nil>
}
