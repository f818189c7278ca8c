package gate

import (
	"fmt"
	"strings"

	"golang.org/x/net/html"
)

// visibleAttributes returns the attributes of an element that a reader sees or hears.
func visibleAttributes(e *element) []html.Attribute {
	var out []html.Attribute
	for _, a := range e.attr {
		if a.Val != "" && visibleAttribute(e, a.Key) {
			out = append(out, a)
		}
	}
	return out
}

// visibleAttribute reads what it does not know as invisible, but for aria: attributes
// of HTML are many and mostly mute, those of aria are made to be spoken.
func visibleAttribute(e *element, key string) bool {
	switch key {
	case "alt", "title", "placeholder", "label":
		return true
	case "content":
		return e.name == "meta" && describes(e)
	case "value":
		kind, _ := e.get("type")
		return e.name == "input" && !strings.EqualFold(kind, "hidden")
	}
	return strings.HasPrefix(key, "aria-") && !silentAria[key]
}

// silentAria are the aria attributes that refer to elements or count them; no reader
// is told their text. The rest is read, and so is every aria attribute yet to come.
var silentAria = set("aria-activedescendant aria-controls aria-describedby aria-details aria-errormessage aria-flowto " +
	"aria-labelledby aria-owns aria-level aria-colcount aria-colindex aria-colspan aria-rowcount aria-rowindex " +
	"aria-rowspan aria-posinset aria-setsize")

// describes reports whether a meta element holds a text that others show: search
// engines, chat previews.
func describes(e *element) bool {
	name, ok := e.get("name")
	if !ok {
		name, _ = e.get("property")
	}
	name = strings.ToLower(name)
	name = name[strings.LastIndexByte(name, ':')+1:] // og:title, twitter:description
	return name == "description" || name == "title" || name == "keywords"
}

// attributes reports the numbers in the visible attributes of an element.
func (f *findings) attributes(e *element, ix *index) {
	for _, a := range visibleAttributes(e) {
		t := &text{}
		t.add(a.Val, e.line)
		// A line within the value would be wrong as often as right: the tag may begin lines before it.
		t.marks = t.marks[:1]
		f.unboundPlain(t, fmt.Sprintf("attribute %s of <%s>", a.Key, e.name), ix)
	}
}
