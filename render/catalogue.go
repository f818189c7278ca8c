package render

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"text/template"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	i18ntemplate "github.com/nicksnyder/go-i18n/v2/i18n/template"
	"golang.org/x/text/language"
)

// Lang is a language that pages are written in.
type Lang string

// The languages, in the order in which pages are made.
const (
	ZH Lang = "zh"
	EN Lang = "en"
)

// Langs returns all languages.
func Langs() []Lang { return []Lang{ZH, EN} }

// Other returns the language that a page links to as its translation.
func (l Lang) Other() Lang {
	if l == ZH {
		return EN
	}
	return ZH
}

// HTML returns the value of the html element's lang attribute.
func (l Lang) HTML() string {
	if l == ZH {
		return "zh-Hans"
	}
	return "en"
}

// Name returns the language's own name.
func (l Lang) Name() string {
	if l == ZH {
		return "中文"
	}
	return "English"
}

// Gap is what stands between two sentences: Chinese full stops bring their own space.
func (l Lang) Gap() string {
	if l == ZH {
		return ""
	}
	return " "
}

// Catalogue holds the messages of every language.
type Catalogue struct {
	localizers map[Lang]*i18n.Localizer
	parser     i18ntemplate.Parser
}

// LoadCatalogue reads active.LANG.json for every language.
func LoadCatalogue(files fs.FS) (*Catalogue, error) {
	bundle := i18n.NewBundle(language.English)
	bundle.RegisterUnmarshalFunc("json", json.Unmarshal)
	c := &Catalogue{
		localizers: map[Lang]*i18n.Localizer{},
		parser:     &i18ntemplate.TextParser{Option: "missingkey=error"},
	}
	for _, lang := range Langs() {
		name := "active." + string(lang) + ".json"
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("reading the messages of %s: %w", lang, err)
		}
		if _, err := bundle.ParseMessageFileBytes(data, name); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		c.localizers[lang] = i18n.NewLocalizer(bundle, string(lang))
	}
	return c, nil
}

// Args fill in a message's placeholders. Values that carry numbers are fact markers.
type Args map[string]string

// Text returns a message. A message that is missing in this language is an error:
// the library would otherwise hand out the English one, and a mixed page would ship.
func (c *Catalogue) Text(lang Lang, id string, args Args) (string, error) {
	text, tag, err := c.localizers[lang].LocalizeWithTag(&i18n.LocalizeConfig{
		MessageID: id, TemplateData: map[string]string(args), TemplateParser: c.parser,
	})
	if err != nil {
		var missing *i18n.MessageNotFoundErr
		if errors.As(err, &missing) {
			return "", fmt.Errorf("active.%s.json has no message %q; add it in both languages", lang, id)
		}
		return "", fmt.Errorf("active.%s.json: message %q: %w", lang, id, err)
	}
	if base, _ := tag.Base(); base.String() != string(lang) {
		return "", fmt.Errorf("active.%s.json has no message %q; add it in both languages", lang, id)
	}
	return text, nil
}

// words gives one language's messages to code that builds a page. Its first error
// is kept, so that building a page reads as a text and is checked once at the end.
type words struct {
	catalogue *Catalogue
	lang      Lang
	err       error
}

// t returns a message without placeholders, or with those in args.
func (w *words) t(id string, args ...Args) string {
	var all Args
	if len(args) > 0 {
		all = args[0]
	}
	text, err := w.catalogue.Text(w.lang, id, all)
	if err != nil && w.err == nil {
		w.err = err
	}
	if w.lang == ZH {
		text = closed(text, all)
	}
	return text
}

// list joins names the way the language does.
func (w *words) list(names []string) string { return strings.Join(names, w.t("list.separator")) }

// funcs are the functions of page templates.
func (w *words) funcs() template.FuncMap {
	return template.FuncMap{"t": func(id string) (string, error) {
		text := w.t(id)
		return text, w.err
	}}
}
