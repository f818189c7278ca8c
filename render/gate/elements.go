package gate

import "strings"

// What HTML says about elements, as far as it decides where one ends. The sets are
// never written to.
var (
	void        = set("area base br col embed hr img input link meta source track wbr")
	rawText     = set("iframe noembed noframes noscript plaintext script style textarea title xmp")
	optionalEnd = set("html head body li dt dd p rb rt rtc rp optgroup option colgroup caption thead tbody tfoot tr td th")

	// integration elements lie in a drawing and hold HTML.
	integration = set("foreignobject desc title")

	// breakout elements end a drawing that they stand in.
	breakout = set("b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing " +
		"menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var")

	// blockStart elements end an open paragraph.
	blockStart = set("address article aside blockquote details dialog div dl fieldset figcaption figure footer form " +
		"h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre search section table ul")

	// inline elements do not interrupt a word. All others do, unknown ones too; sup
	// and sub do, since 10<sup>6</sup> is not 106.
	inline = set("a abbr b bdi bdo cite code data del dfn em font i ins kbd label mark q s samp small span strong time u var wbr")
)

func set(names string) map[string]bool {
	out := map[string]bool{}
	for _, n := range strings.Fields(names) {
		out[n] = true
	}
	return out
}

// ends lists the elements that a start tag closes.
func ends(name string) []string {
	switch name {
	case "li":
		return []string{"li", "p"}
	case "dt", "dd":
		return []string{"dt", "dd", "p"}
	case "td", "th":
		return []string{"td", "th", "p", "caption", "colgroup"}
	case "tr":
		return []string{"td", "th", "tr", "p", "caption", "colgroup"}
	case "thead", "tbody", "tfoot":
		return []string{"td", "th", "tr", "p", "caption", "colgroup", "thead", "tbody", "tfoot"}
	case "option":
		return []string{"option"}
	case "optgroup":
		return []string{"option", "optgroup"}
	case "rb", "rt", "rtc", "rp":
		return []string{"rb", "rt", "rtc", "rp"}
	case "body":
		return []string{"head"}
	}
	if blockStart[name] {
		return []string{"p"}
	}
	return nil
}
