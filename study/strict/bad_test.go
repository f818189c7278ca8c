package strict_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"benchguide/study/strict"
)

// head is what a guide needs; cases add their fault below it, on line 3.
const head = "id: a\ntitle: {zh: 甲, en: A}\n"

func TestBadInputIsReportedWithPlaceAndHint(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, src string
		want      []string
	}{
		{"unknown key, near", head + "gpsu: 1\n", []string{
			`f:3:1: unknown key "gpsu" in the document; did you mean "gpus"?`,
		}},
		{"unknown key, far", "id: a\ntitle:\n  zh: 甲\n  en: A\n  french: B\n", []string{
			`f:5:3: unknown key "french" in "title"; keys allowed here: zh, en`,
		}},
		{"near miss of required", "id: a\ntitel: {zh: 甲, en: A}\n", []string{
			`f:2:1: unknown key "titel" in the document; did you mean "title"?`,
		}},
		{"duplicate key", head + "gpus: 1\ngpus: 2\n", []string{
			`f:4:1: the key "gpus" again; it is already on line 3; keep one`,
		}},
		{"duplicate nested", "id: a\ntitle:\n  zh: 甲\n  en: A\n  zh: 乙\n", []string{
			`f:5:3: the key "zh" again; it is already on line 3; keep one`,
		}},
		{"missing required key", "id: a\ntitle:\n  zh: 甲\n", []string{
			`f:2:1: "title" has no key "en"; add "en: ..."`,
		}},
		{"missing with description", "title: {zh: 甲, en: A}\n", []string{
			`f:1:1: the document has no key "id"; add "id: ..." (the folder's name)`,
		}},
		{"missing in list", head + "stages:\n  - one: x\n  - id: b\n", []string{
			`f:4:5: "stages[0]" has no key "id"; add "id: ..."`,
		}},
		{"null", "id: a\ntitle:\n  zh: ~\n  en: A\n", []string{
			`f:3:7: "title.zh" has no value; write its value`,
		}},
		{"empty", "id: a\ntitle:\n  zh:\n  en: A\n", []string{
			`f:3:3: "title.zh" has no value; write its value`,
		}},
		{"blank", "id: a\ntitle:\n  zh: \"  \"\n  en: A\n", []string{
			`f:3:7: "title.zh" is blank; write its value`,
		}},
		{"blank block", "id: a\ntitle:\n  zh: |\n\n  en: A\n", []string{
			`f:3:7: "title.zh" is blank; write its value`,
		}},
		{"null optional", head + "seed: null\n", []string{
			`f:3:7: "seed" has no value; write its value, or delete it`,
		}},
		{"null in list", head + "flags: [a, ~, ]\n", []string{
			`f:3:12: "flags[1]" has no value; write its value, or delete it`,
		}},
		{"null in dash list", head + "flags:\n  - a\n  -\n  - b\n", []string{
			`f:5:3: "flags[1]" has no value; write its value, or delete it`,
		}},
		{"null in map", head + "env:\n  A:\n", []string{
			`f:4:3: "env.A" has no value; write its value, or delete it`,
		}},
		{"fraction for int", head + "gpus: 3.7\n", []string{
			`f:3:7: "gpus" must be a whole number, found 3.7; write decimal digits only, such as 8`,
		}},
		{"whole float", head + "gpus: 3.0\n", []string{
			`f:3:7: "gpus" must be a whole number, found 3.0; write decimal digits only, such as 8`,
		}},
		{"exponent", head + "gpus: 1e3\n", []string{
			`f:3:7: "gpus" must be a whole number, found 1e3; write decimal digits only, such as 8`,
		}},
		{"hex", head + "gpus: 0x10\n", []string{
			`f:3:7: "gpus" must be a whole number, found 0x10; write decimal digits only, such as 8`,
		}},
		{"octal", head + "gpus: 010\n", []string{
			`f:3:7: "gpus" must be a whole number, found 010; write decimal digits only, such as 8`,
		}},
		{"octal new", head + "gpus: 0o10\n", []string{
			`f:3:7: "gpus" must be a whole number, found 0o10; write decimal digits only, such as 8`,
		}},
		{"underscore", head + "gpus: 1_000\n", []string{
			`f:3:7: "gpus" must be a whole number, found 1_000; write decimal digits only, such as 8`,
		}},
		{"plus", head + "gpus: +1\n", []string{
			`f:3:7: "gpus" must be a whole number, found +1; write decimal digits only, such as 8`,
		}},
		{"quoted number", head + "gpus: \"8\"\n", []string{
			`f:3:7: "gpus" must be a whole number, found the text "8"; remove the quotes`,
		}},
		{"text for int", head + "gpus: eight\n", []string{
			`f:3:7: "gpus" must be a whole number, found eight; write decimal digits only, such as 8`,
		}},
		{"overflow int", head + "gpus: 99999999999999999999\n", []string{
			`f:3:7: "gpus" is out of range: 99999999999999999999; write a number from -9223372036854775808 to 9223372036854775807`,
		}},
		{"overflow int8", head + "small: 128\n", []string{
			`f:3:8: "small" is out of range: 128; write a number from -128 to 127`,
		}},
		{"overflow uint", head + "port: 65536\n", []string{
			`f:3:7: "port" is out of range: 65536; write a number from 0 to 65535`,
		}},
		{"negative uint", head + "port: -1\n", []string{
			`f:3:7: "port" is out of range: -1; write a number from 0 to 65535`,
		}},
		{"nan", head + "floor: .nan\n", []string{
			`f:3:8: "floor" must be a number, found .nan; write a decimal number, such as 0.5`,
		}},
		{"inf", head + "floor: -.inf\n", []string{
			`f:3:8: "floor" must be a number, found -.inf; write a decimal number, such as 0.5`,
		}},
		{"float overflow", head + "floor: 1e999\n", []string{
			`f:3:8: "floor" is out of range: 1e999; write a smaller number`,
		}},
		{"bare point", head + "floor: .5\n", []string{
			`f:3:8: "floor" must be a number, found .5; write a decimal number, such as 0.5`,
		}},
		{"yes", head + "fast: yes\n", []string{
			`f:3:7: "fast" must be true or false, found yes; write true or false`,
		}},
		{"on", head + "fast: on\n", []string{
			`f:3:7: "fast" must be true or false, found on; write true or false`,
		}},
		{"True", head + "fast: True\n", []string{
			`f:3:7: "fast" must be true or false, found True; write true or false`,
		}},
		{"quoted true", head + "fast: 'true'\n", []string{
			`f:3:7: "fast" must be true or false, found the text "true"; remove the quotes`,
		}},
		{"duration without unit", head + "timeout: 30\n", []string{
			`f:3:10: "timeout" must be a duration, found 30; write a number with its unit, such as 90s, 30m or 1h30m`,
		}},
		{"duration negative", head + "timeout: -30m\n", []string{
			`f:3:10: "timeout" must be a duration, found -30m; write a number with its unit, such as 90s, 30m or 1h30m`,
		}},
		{"duration overflow", head + "timeout: 99999999h\n", []string{
			`f:3:10: "timeout" is out of range: 99999999h; write a shorter duration`,
		}},
		{"enum", head + "goal: latencie\n", []string{
			`f:3:7: "goal" must be one of latency, throughput, found latencie; did you mean "latency"?`,
		}},
		{"enum far", head + "goal: fast\n", []string{
			`f:3:7: "goal" must be one of latency, throughput, found fast; write one of these`,
		}},
		{"list for text", "id: [a]\ntitle: {zh: 甲, en: A}\n", []string{
			`f:1:5: "id" must be a text, found a list; write a single value`,
		}},
		{"text for list", head + "flags: a b\n", []string{
			`f:3:8: "flags" must be a list, found a b; write "- item" lines below it, or [a, b]`,
		}},
		{"mapping for list", head + "flags: {a: b}\n", []string{
			`f:3:8: "flags" must be a list, found a mapping; write "- item" lines below it, or [a, b]`,
		}},
		{"list for mapping", "id: a\ntitle: [x]\n", []string{
			`f:2:8: "title" must be a mapping, found a list; write "key: value" lines below it`,
		}},
		{"text for struct", "id: a\ntitle: 甲\n", []string{
			`f:2:8: "title" must be a mapping, found 甲; write "key: value" lines below it`,
		}},
		{"text for map", head + "env: A=1\n", []string{
			`f:3:6: "env" must be a mapping, found A=1; write "key: value" lines below it`,
		}},
		{"text for ordered map", head + "versions: 1.10\n", []string{
			`f:3:11: "versions" must be a mapping, found 1.10; write "key: value" lines below it`,
		}},
		{"mapping for scalar", head + "gpus: {a: 1}\n", []string{
			`f:3:7: "gpus" must be a whole number, found a mapping; write a single value`,
		}},
		{"root list", "- a\n", []string{
			`f:1:1: the document must be a mapping, found a list; write "key: value" lines below it`,
		}},
		{"root text", "hello\n", []string{
			`f:1:1: the document must be a mapping, found hello; write "key: value" lines below it`,
		}},
		{"empty file", "", []string{
			`f:1:1: the document is empty`,
		}},
		{"comment only", "# nothing\n\n", []string{
			`f:1:1: the document is empty`,
		}},
		{"separator only", "---\n", []string{
			`f:1:1: the document is empty`,
		}},
		{"second document", head + "---\nid: b\n", []string{
			`f:3:1: a second document; a file holds one; delete the "---" line or move the rest to its own file`,
		}},
		{"second empty document", head + "---\n", []string{
			`f:3:1: a second document; a file holds one; delete the "---" line or move the rest to its own file`,
		}},
		{"BOM inside", head + "goal: \ufefflatency\n", []string{
			`f:3:7: the control character U+FEFF; delete it; inside double quotes it can be written as an escape`,
		}},
		{"UTF-16", "\xff\xfei\x00d\x00", []string{
			`f:1:1: the file is UTF-16; save it as UTF-8`,
		}},
		{"invalid UTF-8", "id: a\ntitle: {zh: 甲\xe4\xb8, en: A}\n", []string{
			`f:2:14: the byte 0xe4 is not valid UTF-8; save the file as UTF-8`,
		}},
		{"another encoding", "id: a\n# \xb2\xe2\ntitle: {zh: \xca\xd4, en: A}\n", []string{
			`f:2:1: the file is not UTF-8: 2 lines have bytes of another encoding; convert it: where an editor of Chinese Windows saved it, by iconv -f GB18030 -t UTF-8`,
		}},
		{"tab indent", "id: a\ntitle:\n\tzh: 甲\n\ten: A\n", []string{
			`f:3:1: a tab character; indent and separate with spaces; inside double quotes a tab is written \t`,
			`f:4:1: a tab character; indent and separate with spaces; inside double quotes a tab is written \t`,
		}},
		{"tab between", head + "gpus:\t1\n", []string{
			`f:3:6: a tab character; indent and separate with spaces; inside double quotes a tab is written \t`,
		}},
		{"control character", head + "flags: [a\ab]\n", []string{
			`f:3:10: the control character U+0007; delete it; inside double quotes it can be written as an escape`,
		}},
		{"lone CR", "id: a\rtitle: {zh: 甲, en: A}\n", []string{
			`f:1:6: the control character U+000D; delete it; inside double quotes it can be written as an escape`,
		}},
		{"CRLF", "id: a\r\ntitle: {zh: 甲, en: A}\r\ngpsu: 1\r\n", []string{
			`f:3:1: unknown key "gpsu" in the document; did you mean "gpus"?`,
		}},
		{"BOM then error", "\ufeffidd: a\ntitle: {zh: 甲, en: A}\n", []string{
			`f:1:1: unknown key "idd" in the document; did you mean "id"?`,
		}},
		{"anchor and alias", "id: &x a\ntitle: {zh: *x, en: A}\n", []string{
			`f:1:5: an anchor; write the value out in each place, or put a text that starts with "&" in quotes`,
			`f:2:13: an alias; write the value out, or put a text that starts with "*" in quotes`,
		}},
		{"merge key", "id: a\ntitle:\n  <<: {zh: 甲}\n  en: A\n", []string{
			`f:2:1: "title" has no key "zh"; add "zh: ..."`,
			`f:3:3: a merge key; write the values out in each place`,
		}},
		{"tag", "id: !!str 1\ntitle: {zh: 甲, en: A}\n", []string{
			`f:1:5: the tag !!str; delete it, or put a text that starts with "!" in quotes`,
		}},
		{"directive", "%YAML 1.2\n---\nid: a\ntitle: {zh: 甲, en: A}\n", []string{
			`f:1:1: a YAML directive; delete the line that starts with "%", and the "---" after it`,
		}},
		{"int key", head + "env: {1: a}\n", []string{
			`f:3:7: the key 1 is not a text; write "key: value", and put a key that is a number or a word such as true in quotes`,
		}},
		{"bool key", head + "env:\n  true: a\n", []string{
			`f:4:3: the key true is not a text; write "key: value", and put a key that is a number or a word such as true in quotes`,
		}},
		{"null key", head + "env: {~: a}\n", []string{
			`f:3:7: the key ~ is not a text; write "key: value", and put a key that is a number or a word such as true in quotes`,
		}},
		{"float key", head + "env: {1.10: a}\n", []string{
			`f:3:7: the key 1.10 is not a text; write "key: value", and put a key that is a number or a word such as true in quotes`,
		}},
		{"blank key", head + "env: {\"\": a}\n", []string{
			`f:3:7: a blank key; name it`,
		}},
		{"list key", head + "env:\n  [a]: b\n", []string{
			`f:4:6: broken YAML: found an invalid key for this map; a key is a text on one line, without brackets around it`,
		}},
		{"explicit key", head + "env:\n  ? a\n  : b\n", []string{
			`f:4:3: a key whose colon is on another line; write "key: value"`,
		}},
		{"key and colon apart", head + "env:\n  a # x\n  : b\n", []string{
			`f:4:3: a key whose colon is on another line; write "key: value"`,
		}},
		{"deep flow", head + "flags: " + strings.Repeat("[", 5000), []string{
			`f:3:72: nested too deep; flatten it, or check the indentation`,
		}},
		{"deep dashes", head + "flags:\n" + strings.Repeat("- ", 5000), []string{
			`f:4:129: nested too deep; flatten it, or check the indentation`,
		}},
		{"deep levels", head + "flags: " + strings.Repeat("[", 40) + strings.Repeat("]", 40), []string{
			`f:3:9: "flags[0]" must be a text, found a list; write a single value`,
			`f:3:40: nested too deep; flatten it, or check the indentation`,
		}},
		{"many anchors", strings.Repeat("&a\n", 65), []string{
			`f:65:1: too many anchors, aliases and tags; write the values out in each place`,
		}},
		{"too large", strings.Repeat("#", strict.MaxSize+1), []string{
			`f:1:1: the file has 262145 bytes, and at most 262144 are read; give the YAML file, not a log or a result`,
		}},
		{"bad escape", "id: \"\\u12g4\"\ntitle: {zh: 甲, en: A}\n", []string{
			`f:1:6: the escape \u12 names no character; write \x and two hexadecimal digits, \u and four, or \U and eight`,
		}},
		{"bad escape eats the quote", "id: \"\\u12\"\ntitle: {zh: 甲, en: A}\n", []string{
			`f:1:5: broken YAML: could not find end character of double-quoted text; close the quote`,
		}},
		{"lone surrogate", "id: \"\\udc00\"\ntitle: {zh: 甲, en: A}\n", []string{
			`f:1:6: the escape \udc00 names no character; write \x and two hexadecimal digits, \u and four, or \U and eight`,
		}},
		{"unknown escape", "id: \"C:\\dir\"\ntitle: {zh: 甲, en: A}\n", []string{
			`f:1:9: broken YAML: found unknown escape character 'd'; write a backslash as \\ inside double quotes, or use single quotes`,
		}},
		{"unclosed quote", "id: 'a\ntitle: {zh: 甲, en: A}\n", []string{
			`f:1:5: broken YAML: could not find end character of single-quoted text; close the quote`,
		}},
		{"unclosed bracket", head + "flags: [a, b\n", []string{
			`f:3:8: broken YAML: sequence end token ']' not found; close the bracket`,
		}},
		{"colon in text", "id: a: b\ntitle: {zh: 甲, en: A}\n", []string{
			`f:1:5: broken YAML: mapping value is not allowed in this context; put a text that contains ": " in quotes, and indent keys of one mapping alike`,
		}},
		{"no space", "id:a\ntitle: {zh: 甲, en: A}\n", []string{
			`f:1:1: broken YAML: unexpected key name; write "key: value", with a space after the colon`,
		}},
		{"reserved", "id: @a\ntitle: {zh: 甲, en: A}\n", []string{
			`f:1:5: broken YAML: '@' is a reserved character; put the text in quotes`,
		}},
		{"indent", "id: a\n title: {zh: 甲, en: A}\n", []string{
			`f:1:5: broken YAML: mapping value is not allowed in this context; put a text that contains ": " in quotes, and indent keys of one mapping alike`,
		}},
		{"text then list", head + "stages: none\n  - id: a\n", []string{
			`f:3:9: a text whose next line starts with "- "; a key has a text or a list: remove the text, or put it in quotes`,
		}},
		{"comment inside text", head + "stages:\n- id: a\n  add: --x\n    --y # why\n", []string{
			`f:5:8: a text with a colon or a comment in a later line; put it in quotes, or write it as a block below |`,
		}},
		{"empty item then key", "flags:\n-\nid: a\ntitle: {zh: 甲, en: A}\n", []string{
			`f:3:1: a value that is not indented below its key or dash; indent it, or give the line above a value`,
		}},
		{"value not indented", "title: {zh: 甲, en: A}\nid:\na\n", []string{
			`f:3:1: a value that is not indented below its key or dash; indent it, or give the line above a value`,
		}},
		{"bracket start", "id: ]a\ntitle: {zh: 甲, en: A}\n", []string{
			`f:1:5: broken YAML: could not find '[' character corresponding to ']'; put a text that contains brackets in quotes`,
		}},
		{"hook", head + "stages: [{id: a, one: [x, ~]}]\n", []string{
			`f:3:27: "stages[0].one[1]" has no value; write its value, or delete it`,
		}},
		{"validator", head + "stages:\n  - id: a\n    gap:\n      low: 3\n      high: 2\n", []string{
			`f:6:12: low is above high; swap them`,
		}},
		{"validator silent", head + "stages:\n  - id: a\n    gap: {low: x, high: 2}\n", []string{
			`f:5:16: "stages[0].gap.low" must be a whole number, found x; write decimal digits only, such as 8`,
		}},
		{"words", head + "stages:\n  - id: a\n    add: --x 'y\n  - id: b\n    add: {a: b}\n  - id: c\n    add: [[--x]]\n", []string{
			`f:5:10: "stages[0].add": a ' quote is not closed; write the options as on a command line`,
			`f:7:10: "stages[1].add" must be a text or a list, found a mapping; write the options as on a command line`,
			`f:9:11: "stages[2].add[0]" must be a text, found a list; write a single value`,
		}},
		{"key path quoting", head + "env: {a.b: [x]}\n", []string{
			`f:3:12: "env.\"a.b\"" must be a text, found a list; write a single value`,
		}},
		{"nested", head + "tree: {a: {b: [1, two]}}\n", []string{
			`f:3:19: "tree.a.b[1]" must be a whole number, found two; write decimal digits only, such as 8`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var g guide
			_, problems := strict.Decode("f", []byte(c.src), &g)
			var got []string
			for _, p := range problems {
				got = append(got, p.Error())
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("input:\n%.300s\n(-want +got):\n%s", c.src, diff)
			}
		})
	}
}
