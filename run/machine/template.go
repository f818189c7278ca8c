package machine

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"benchguide/engine"
)

// TemplatePlaceholders are what a template of an engine's command may name, without braces.
func TemplatePlaceholders() []string {
	return []string{"program", "model", "options", "name", "host", "port", "gpus"}
}

// placeholder finds names in braces. JSON in a template begins a brace with a quote, and
// is left alone.
var placeholder = regexp.MustCompile(`\{([A-Za-z_]+)\}`)

// checkTemplate wants {options}: without it no candidate would differ from another. And
// {program} and {options} stand for several words, so that they must be words themselves.
func checkTemplate(template string) error {
	if err := checkPlaceholders(template, TemplatePlaceholders()); err != nil {
		return err
	}
	words, err := engine.Words(template)
	if err != nil {
		return err
	}
	for _, w := range words {
		for _, several := range []string{"{program}", "{options}"} {
			if w != several && strings.Contains(w, several) {
				return fmt.Errorf("%s stands for several words, and cannot be a part of %q", several, w)
			}
		}
	}
	if !slices.Contains(words, "{options}") {
		return errors.New("it lacks {options}, so that every candidate would be served alike")
	}
	return nil
}

// checkPlaceholders refuses names that nothing is filled in for.
func checkPlaceholders(template string, known []string) error {
	for _, m := range placeholder.FindAllStringSubmatch(template, -1) {
		if !slices.Contains(known, m[1]) {
			return fmt.Errorf("%s is no placeholder; known: {%s}", m[0], strings.Join(known, "} {"))
		}
	}
	return nil
}

// ExpandTemplate fills an engine's template in: {program} and {options} become the words
// given for them, the other placeholders are replaced within words. It fails as Load
// does, for profiles that came another way.
func ExpandTemplate(template string, program, options []string, values map[string]string) ([]string, error) {
	if err := checkTemplate(template); err != nil {
		return nil, fmt.Errorf("template: %w", err)
	}
	words, err := engine.Words(template)
	if err != nil {
		return nil, fmt.Errorf("template: %w", err)
	}
	var out []string
	for _, w := range words {
		switch w {
		case "{program}":
			out = append(out, program...)
		case "{options}":
			out = append(out, options...)
		default:
			// One pass: a value that looks like a placeholder stays what it is.
			out = append(out, placeholder.ReplaceAllStringFunc(w, func(m string) string { return values[strings.Trim(m, "{}")] }))
		}
	}
	return out, nil
}
