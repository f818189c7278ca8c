package document

import (
	"regexp"
	"slices"
	"strings"
)

// tableIn reads the table that the lines begin with, and returns its rows and how
// many lines it takes, or none. Browsers copy tables in three ways: with tabs
// between cells; with blanks, where a cell can have several lines; or as Markdown.
func tableIn(lines []string, first int) (rows []Row, n int) {
	for _, read := range []func([]string, int) ([]Row, int){tabbed, stacked, piped, twoColumns} {
		if rows, n := read(lines, first); n > 0 {
			return rows, n
		}
	}
	return nil, 0
}

// tabbed reads lines with equally many tabs.
func tabbed(lines []string, first int) (rows []Row, n int) {
	for i, l := range lines {
		cells := strings.Split(strings.TrimSpace(l), "\t")
		if len(cells) < 2 || len(rows) > 0 && len(cells) != len(rows[0].Cells) {
			break
		}
		rows = append(rows, Row{trimmed(cells), first + i})
	}
	if len(rows) < 2 {
		return nil, 0
	}
	return rows, len(rows)
}

// piped reads lines with equally many bars.
func piped(lines []string, first int) (rows []Row, n int) {
	for i, l := range lines {
		cells := trimmed(strings.Split(strings.Trim(strings.TrimSpace(l), "|"), "|"))
		if len(cells) < 2 || len(rows) > 0 && len(cells) != len(rows[0].Cells) {
			break
		}
		n++
		if strings.Trim(strings.Join(cells, ""), "-: ") != "" {
			rows = append(rows, Row{cells, first + i})
		}
	}
	if len(rows) < 2 {
		return nil, 0
	}
	return rows, n
}

func trimmed(cells []string) []string {
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

// stated is "label: value" with what may stand before the label.
var stated = regexp.MustCompile(`^(.*?\S)\s*[:：]\s*[-+]?\d`)

// stacked reads a table whose cells have several lines, of labels and values. Tabs
// stand only between a cell's last line and the next cell, and the name of a row
// stands before the first label:
//
//	Case Before After
//	Short Total: 10
//	Mean: 1 <tab> Total: 20
//	Mean: 2
func stacked(lines []string, first int) (rows []Row, n int) {
	labels := labelsAfterTabs(lines)
	if len(labels) == 0 {
		return nil, 0
	}
	var header []string
	for i, l := range lines {
		parts := trimmed(splitTabs(l))
		name, rest := rowName(parts[0], labels)
		switch {
		case name != "":
			rows = append(rows, Row{append([]string{name, rest}, parts[1:]...), first + i})
		case len(rows) == 0 && i == 0:
			header = []string{strings.TrimSpace(l)}
		case len(rows) == 0 || !stated.MatchString(parts[0]):
			return withHeader(header, rows, first), n
		default:
			cells := &rows[len(rows)-1].Cells
			(*cells)[len(*cells)-1] += "\n" + parts[0]
			*cells = append(*cells, parts[1:]...)
		}
		n = i + 1
	}
	return withHeader(header, rows, first), n
}

func splitTabs(l string) []string {
	return slices.DeleteFunc(strings.Split(l, "\t"), func(s string) bool { return strings.TrimSpace(s) == "" })
}

// labelsAfterTabs returns the labels that begin a cell for certain.
func labelsAfterTabs(lines []string) []string {
	var labels []string
	for _, l := range lines {
		parts := splitTabs(l)
		for i := 1; i < len(parts); i++ {
			if m := stated.FindStringSubmatch(strings.TrimSpace(parts[i])); m != nil && !slices.Contains(labels, m[1]) {
				labels = append(labels, m[1])
			}
		}
	}
	return labels
}

// rowName splits "Short Total: 10" before a label that is known.
func rowName(s string, labels []string) (name, rest string) {
	m := stated.FindStringSubmatch(s)
	if m == nil {
		return "", ""
	}
	for _, label := range labels {
		if before, ok := strings.CutSuffix(m[1], " "+label); ok && before != "" {
			return strings.TrimSpace(before), strings.TrimSpace(s[len(before):])
		}
	}
	return "", ""
}

// withHeader puts the first line before the rows, in as many cells as they have if
// its blanks allow that.
func withHeader(header []string, rows []Row, first int) []Row {
	if len(header) == 0 || len(rows) == 0 {
		return rows
	}
	if cells := words(header[0]); len(cells) == len(rows[0].Cells) {
		header = cells
	}
	return append([]Row{{header, first}}, rows...)
}

// words splits a line at its blanks, but not within brackets.
func words(s string) []string {
	var cells []string
	depth, start := 0, 0
	for i, r := range s + " " {
		switch r {
		case '(', '（':
			depth++
		case ')', '）':
			depth--
		case ' ':
			if depth <= 0 {
				if i > start {
					cells = append(cells, s[start:i])
				}
				start = i + 1
			}
		}
	}
	return cells
}

// valueEnd is the last word of a row of two columns: a number, a gain, or nothing.
var valueEnd = regexp.MustCompile(`^(.*\S)\s+([-+±]?\d[\d.,]*(?:%|x|×|倍)?|[-–—])$`)

// twoColumns reads names with a value each, under a line that names the columns.
func twoColumns(lines []string, first int) (rows []Row, n int) {
	if len(lines) < 3 || valueEnd.MatchString(lines[0]) {
		return nil, 0
	}
	for i, l := range lines[1:] {
		m := valueEnd.FindStringSubmatch(strings.TrimSpace(l))
		if m == nil {
			break
		}
		rows = append(rows, Row{m[1:3], first + i + 1})
	}
	if len(rows) < 2 {
		return nil, 0
	}
	return withHeader([]string{strings.TrimSpace(lines[0])}, rows, first), len(rows) + 1
}
