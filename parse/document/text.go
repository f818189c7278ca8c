package document

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"benchguide/parse"
)

// readText reads a page that was copied from a browser: there is no markup, and the
// line numbers beside listings have become lines of their own.
func readText(file string, src []byte) Document {
	src = []byte(strings.TrimPrefix(string(src), "\ufeff"))
	records, problems := parse.Bytes(file, src)
	r := textReader{records: records}
	for s := range strings.SplitSeq(strings.TrimSuffix(string(src), "\n"), "\n") {
		r.lines = append(r.lines, strings.TrimRight(s, " \r"))
	}
	r.findListings()
	r.read()
	return Document{File: file, Kind: Text, Parts: assemble(r.headings(), records), Problems: problems}
}

// textReader turns lines into pieces.
type textReader struct {
	lines   []string
	records []parse.Record
	kinds   []lineKind
	pieces  []piece
}

// lineKind is what a line was found to be before prose is looked at.
type lineKind int

const (
	proseLine lineKind = iota
	numberLine
	listingLine  // belongs to the listing before it
	listingStart // begins a listing
)

// findListings finds results, commands, and what stands beside columns of line
// numbers. The column tells exactly how long its listing is.
func (r *textReader) findListings() {
	r.kinds = make([]lineKind, len(r.lines))
	for i := 0; i < len(r.lines); i++ {
		if n := r.column(i); n > 0 {
			r.markColumn(i, n)
			i += 2*n - 1
		}
	}
	for i := 0; i < len(r.records); {
		first, last := r.records[i].Line-1, r.records[i].EndLine
		for i++; i < len(r.records) && r.onlyLabels(last, r.records[i].Line-1); i++ {
			last = r.records[i].EndLine
		}
		r.mark(first, last)
	}
	r.markUnread()
	for i := 0; i < len(r.lines); i++ {
		if r.kinds[i] == proseLine {
			i = max(i, r.markCommand(i)-1)
		}
	}
}

// onlyLabels reports whether nothing but comments stands in the lines, as between the
// results of one listing.
func (r *textReader) onlyLabels(start, end int) bool {
	for _, s := range r.lines[min(start, end):end] {
		if s = strings.TrimSpace(s); s != "" && !strings.HasPrefix(s, "# ") {
			return false
		}
	}
	return true
}

// mark makes one listing of the lines from start to end that are in none.
func (r *textReader) mark(start, end int) {
	for i := start; i < min(end, len(r.lines)); i++ {
		if r.kinds[i] == proseLine {
			r.kinds[i] = listingLine
			if i == start {
				r.kinds[i] = listingStart
			}
		}
	}
}

// column returns how many line numbers, from 1 on, stand in lines of their own from
// i on. A single 1 counts where a command or a result follows.
func (r *textReader) column(i int) int {
	n := 0
	for i+n < len(r.lines) && isNumber(r.lines[i+n], n+1) {
		n++
	}
	if n == 1 && (i+1 >= len(r.lines) || !isCommand(r.lines[i+1]) && !strings.HasPrefix(r.lines[i+1], "====")) {
		return 0
	}
	return n
}

func isNumber(s string, n int) bool {
	s = strings.TrimSpace(s)
	for i := len(s) - 1; i >= 0; i-- {
		if int(s[i]-'0') != n%10 {
			return false
		}
		n /= 10
	}
	return s != "" && n == 0
}

func (r *textReader) markColumn(i, n int) {
	for j := i; j < min(i+n, len(r.lines)); j++ {
		r.kinds[j] = numberLine
	}
	r.mark(i+n, i+2*n)
}

// markUnread takes results that parse recognises and refuses to read: their lines
// are no prose either.
func (r *textReader) markUnread() {
	for i := 0; i < len(r.lines); i++ {
		if r.kinds[i] != proseLine || !strings.HasPrefix(r.lines[i], "====") || !strings.Contains(r.lines[i], "Result") {
			continue
		}
		for j := i + 1; j < min(i+100, len(r.lines)); j++ {
			if strings.Trim(r.lines[j], "=") == "" && len(r.lines[j]) > 9 {
				r.mark(i, j+1)
				break
			}
		}
	}
}

// markCommand takes the command that begins at line i, with the comments above it,
// the lines that continue it, and what follows it after one empty line. It returns
// where the listing ends, or i.
func (r *textReader) markCommand(i int) int {
	if !r.startsCommand(i) {
		return i
	}
	end := i
	for end < len(r.lines) && r.kinds[end] == proseLine {
		s := strings.TrimSpace(r.lines[end])
		switch {
		case s == "" && r.startsCommand(end+1):
		case strings.HasPrefix(s, "#") || isCommand(unquoted(s)):
		case end > i && strings.HasSuffix(strings.TrimSpace(r.lines[end-1]), `\`):
		default:
			r.mark(i, end)
			return end
		}
		end++
	}
	r.mark(i, end)
	return end
}

// startsCommand reports whether a command begins at line i, perhaps below comments.
func (r *textReader) startsCommand(i int) bool {
	for ; i < len(r.lines) && r.kinds[i] == proseLine; i++ {
		s := strings.TrimSpace(r.lines[i])
		if !strings.HasPrefix(s, "# ") {
			return isCommand(unquoted(s))
		}
	}
	return false
}

// unquoted removes what some pages put around a command when they are copied: its
// line number and back quotes.
func unquoted(s string) string {
	if number, rest, ok := strings.Cut(s, "\t"); ok && number != "" && strings.Trim(number, "0123456789") == "" {
		s = rest
	}
	if inner, ok := strings.CutPrefix(s, "`"); ok && strings.HasSuffix(inner, "`") {
		return strings.TrimSuffix(inner, "`")
	}
	return s
}

// read makes pieces of listings, and of the groups of lines between empty ones.
func (r *textReader) read() {
	for i := 0; i < len(r.lines); {
		switch {
		case r.kinds[i] == numberLine || r.kinds[i] == proseLine && strings.TrimSpace(r.lines[i]) == "":
			i++
		case r.kinds[i] == proseLine:
			end := i
			for end < len(r.lines) && r.kinds[end] == proseLine && strings.TrimSpace(r.lines[end]) != "" {
				end++
			}
			r.group(i, end)
			i = end
		default:
			end := i + 1
			for end < len(r.lines) && r.kinds[end] == listingLine {
				end++
			}
			r.listing(i, end)
			i = end
		}
	}
}

// listing makes a piece of code. A label such as "# BS=4" right above a result was
// taken for prose, and is none.
func (r *textReader) listing(start, end int) {
	for n := len(r.pieces); n > 0; n = len(r.pieces) {
		if p := r.pieces[n-1]; p.kind == codeOf || !strings.HasPrefix(p.text, "# ") {
			break
		}
		r.pieces = r.pieces[:n-1]
	}
	p := piece{kind: codeOf, Lines: Lines{start + 1, end}}
	for _, s := range r.lines[start:end] {
		p.lines = append(p.lines, unquoted(s))
	}
	r.pieces = append(r.pieces, p)
}

// group makes pieces of lines that stand together: a table, a title, paragraphs.
func (r *textReader) group(start, end int) {
	for i := start; i < end; {
		rows, n := tableIn(r.lines[i:end], i+1)
		if n > 0 {
			r.pieces = append(r.pieces, piece{kind: tableOf, Lines: Lines{i + 1, i + n}, rows: rows})
			i += n
			continue
		}
		n = r.paragraphLines(i, end)
		r.prose(i, i+n)
		i += n
	}
}

// fullLine is the length from which a line without an end of a sentence goes on in
// the next one.
const fullLine = 60

func (r *textReader) paragraphLines(start, end int) int {
	i := start + 1
	for i < end && !isItem(r.lines[i]) && utf8.RuneCountInString(r.lines[i-1]) >= fullLine && !endsSentence(r.lines[i-1]) &&
		isASCIIText(r.lines[i-1]) {
		i++
	}
	return i - start
}

// isASCIIText tells scripts whose paragraphs may be wrapped by the page.
func isASCIIText(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) }) < 0
}

func (r *textReader) prose(start, end int) {
	p := piece{kind: proseOf, Lines: Lines{start + 1, end}}
	if isItem(r.lines[start]) {
		p.kind = itemOf
	}
	for _, s := range r.lines[start:end] {
		p.text += " " + strings.TrimSpace(s)
	}
	p.text = strings.TrimSpace(p.text)
	if p.kind == itemOf {
		p.text = withoutMark(p.text)
	}
	if !isNavigation(p.text) {
		r.pieces = append(r.pieces, p)
	}
}

// isItem recognises an item of a list by its mark. A number begins one only where
// the line is indented, since headings are numbered too.
func isItem(s string) bool {
	text := strings.TrimSpace(s)
	if withoutMark(text) == text {
		return false
	}
	return text[0] < '0' || text[0] > '9' || s != text
}

// withoutMark removes a bullet, or a number with a point, before a list's item.
func withoutMark(s string) string {
	for _, mark := range []string{"• ", "◦ ", "▪ ", "· ", "- ", "* ", "– "} {
		if rest, ok := strings.CutPrefix(s, mark); ok {
			return strings.TrimSpace(rest)
		}
	}
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	if digits > 0 && digits <= 2 && strings.HasPrefix(s[digits:], ". ") {
		return strings.TrimSpace(s[digits+1:])
	}
	return s
}

// isNavigation recognises what sites write beside their pages.
func isNavigation(s string) bool {
	switch strings.ToLower(s) {
	case "跳转至", "跳到内容", "目录", "返回页首", "上一页", "下一页", "skip to content", "table of contents", "back to top", "on this page", "copy", "复制":
		return true
	}
	return false
}
