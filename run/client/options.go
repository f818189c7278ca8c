package client

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"benchguide/engine"
)

// option is an option of a client's command. Unlike those of serving commands it may
// have several values: --goodput ttft:200 tpot:50.
type option struct {
	name   string
	values []string
}

type options []option

// parseOptions reads words as options with the values behind them. A word before the
// first option belongs to none, which is an error: nothing is dropped in silence.
func parseOptions(words []string) (options, error) {
	var all options
	for i := 0; i < len(words); {
		end := i + 1
		for end < len(words) && !dashed(words[end]) {
			end++
		}
		// One value is what any command may have; engine has the grammar of these.
		flags, err := engine.ParseFlags(words[i:min(end, i+2)])
		if err != nil {
			return nil, err
		}
		o := option{name: flags[0].Name}
		if flags[0].HasValue {
			o.values = append(o.values, flags[0].Value)
		}
		if strings.Contains(words[i], "=") && end > i+1 {
			return nil, fmt.Errorf("%q is neither an option nor the value of one; options start with a dash", words[i+1])
		}
		if end > i+2 {
			o.values = append(o.values, words[i+2:end]...)
		}
		all = append(all, o)
		i = end
	}
	return all, nil
}

// dashed tells options from values: a negative number is a value.
func dashed(w string) bool {
	if len(w) < 2 || w[0] != '-' {
		return false
	}
	_, err := strconv.ParseFloat(w, 64)
	return err != nil
}

// canonical makes one spelling of two: Python's clients take _ for - in names.
func canonical(name string) string { return strings.ReplaceAll(name, "_", "-") }

func (o options) find(name string) int {
	return slices.IndexFunc(o, func(x option) bool { return canonical(x.name) == name })
}

// value returns the first value of an option; "" where it is not given.
func (o options) value(name string) string {
	if i := o.find(name); i >= 0 && len(o[i].values) > 0 {
		return o[i].values[0]
	}
	return ""
}

// set gives an option its only value: where it stands already, else at the end.
func (o *options) set(name string, values ...string) {
	at := o.find(name)
	if at < 0 {
		*o = append(*o, option{name, values})
		return
	}
	(*o)[at] = option{name, values}
	rest := (*o)[at+1:]
	rest = slices.DeleteFunc(rest, func(x option) bool { return canonical(x.name) == name })
	*o = (*o)[:at+1+len(rest)]
}

// drop removes options. A name that ends in * stands for all that begin so.
func (o *options) drop(names ...string) {
	*o = slices.DeleteFunc(*o, func(x option) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			prefix, open := strings.CutSuffix(name, "*")
			return canonical(x.name) == name || open && strings.HasPrefix(canonical(x.name), prefix)
		})
	})
}

// toggle has a switch, or has it not.
func (o *options) toggle(name string, on bool) {
	if on {
		o.set(name)
		return
	}
	o.drop(name)
}

// keep removes all options but these.
func (o *options) keep(names ...string) {
	*o = slices.DeleteFunc(*o, func(x option) bool { return !slices.Contains(names, canonical(x.name)) })
}

// repeat writes an option of several values as several options of one, which is how
// our own client takes them.
func (o options) repeat() options {
	var all options
	for _, x := range o {
		if len(x.values) < 2 {
			all = append(all, x)
			continue
		}
		for _, v := range x.values {
			all = append(all, option{x.name, []string{v}})
		}
	}
	return all
}

func (o options) words() []string {
	var words []string
	for _, x := range o {
		words = append(words, x.words()...)
	}
	return words
}

// words writes a value that may look like an option together with its name: some take a
// negative number for one.
func (x option) words() []string {
	if len(x.values) == 1 && strings.HasPrefix(x.values[0], "-") {
		return []string{x.name + "=" + x.values[0]}
	}
	return append([]string{x.name}, x.values...)
}

// number prints a number as a command has it: without an exponent.
func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
