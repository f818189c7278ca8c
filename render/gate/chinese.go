package gate

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// numerals are the characters of Chinese numbers, and units are the measure words that
// make even a short one a statement of quantity. Left out on purpose: 者, 端, 边, 侧, 方
// (两者, 两端 point at things just named), 级, 维, 元 (names of kinds), 点, 分, 度, 支, 只, 根 (they
// begin too many other words).
const (
	numerals  = `〇零一二两三四五六七八九十百千万亿`
	numeral   = `[` + numerals + `]+`
	timeUnits = `毫秒|微秒|秒|分钟|小时|天|星期|周|年`
	units     = timeUnits + `|个|次|种|条|张|台|块|款|项|组|轮|步|卡|路|层|段|行|列|页|遍|份|套|件|位|名|` +
		`类|批|例|处|折|片|颗|核|字节|比特|句|章|篇|档`
)

// rule is one way to say a number in Chinese. Go's expressions cannot look around,
// so that what must not stand beside a match is said in unless.
type rule struct {
	pattern *regexp.Regexp
	unless  func(before, text, after string) bool
}

// idioms hold numerals that count nothing. They are taken out before anything is
// looked for; a numeral in front of the second kind makes it a number again (三千万).
var (
	idioms      = regexp.MustCompile(`百分[位比点数率制]|一点一|四舍五入|三三两两|千篇一律|一一|四[处周]|[十百千万]位|[整参函系]数倍`)
	looseIdioms = regexp.MustCompile(`十分|万一|万千|千万[不别要记注小]`)
)

// chineseRules are tried each on its own; where two match one place, the matches are joined.
var chineseRules = []rule{
	{regexp.MustCompile(`[` + numerals + `几]+分之[` + numerals + `几\d０-９.]*|百分百`), nil},
	{regexp.MustCompile(`(?:` + numeral + `|[几数半双成加]|翻了?)倍|倍增|翻了?[几数]?番|翻了?` + numeral + `番`), notMultiple},
	{regexp.MustCompile(`一半|半数|过半|近半|大半|小半|减半|折半|对半|各半`), partOfHalfWord},
	{regexp.MustCompile(`半\s?(?:个|小时|分钟|秒|天|年)`), nil},
	{regexp.MustCompile(`[一二两三四五六七八九几]成`), notTenths},
	{regexp.MustCompile(numeral + `点[〇零一二三四五六七八九]+`), nil},
	{regexp.MustCompile(numeral + `\s?(?:` + units + `)`), notCounting},
	{regexp.MustCompile(`[` + numerals + `]{2,}`), notLarge},
	{regexp.MustCompile(`[几数上][十百千万亿]`), notVague},
}

// chinese finds the numbers that are written in Chinese words.
func chinese(s string) []match {
	if !strings.ContainsAny(s, numerals+"几半倍番") {
		return nil // no rule does without one of these
	}
	s = withoutIdioms(s)
	var out []match
	for _, r := range chineseRules {
		for _, at := range r.pattern.FindAllStringIndex(s, -1) {
			if r.unless == nil || !r.unless(s[:at[0]], s[at[0]:at[1]], s[at[1]:]) {
				out = append(out, match{at[0], at[1]})
			}
		}
	}
	return out
}

// withoutIdioms overwrites the idioms with as many bytes that are no text.
func withoutIdioms(s string) string {
	b := []byte(s)
	erase := func(at []int) {
		for i := at[0]; i < at[1]; i++ {
			b[i] = bound[0]
		}
	}
	for _, at := range idioms.FindAllStringIndex(s, -1) {
		erase(at)
	}
	for _, at := range looseIdioms.FindAllStringIndex(s, -1) {
		after := s[at[1]:]
		longer := strings.HasPrefix(after, "之") || strings.HasPrefix(after, "钟") // 十分之一, 十分钟
		before, _ := utf8.DecodeLastRuneInString(s[:at[0]])
		if !longer && !strings.ContainsRune(numerals, before) {
			erase(at)
		}
	}
	return string(b)
}

// notCounting refuses what only looks like a count: 一个, 零次, 第三次, and 二次, in
// which 二 is "secondary".
func notCounting(before, text, _ string) bool {
	number := numeralStart(text)
	switch {
	case ordinal(before):
		return true
	case strings.Trim(number, "一零〇") == "":
		return true
	case number == "二":
		return !timeStart.MatchString(strings.TrimSpace(text[len(number):]))
	}
	return false
}

var timeStart = regexp.MustCompile(`^(?:` + timeUnits + `)`)

// notLarge refuses a run of numerals that is no number in itself: it needs a ten or
// more (三三 and 一二 are no sums), and 第十二 is a place.
func notLarge(before, text, _ string) bool {
	return !strings.ContainsAny(text, "十百千万亿") || ordinal(before)
}

// notVague keeps nouns that end in 数 (参数十分, 次数百分), and 以上, out of 数十 and 上百.
func notVague(before, text, _ string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	if strings.HasPrefix(text, "数") {
		return strings.ContainsRune("参函系次总个条倍位步轮层并", last)
	}
	return strings.HasPrefix(text, "上") && strings.ContainsRune("以之", last)
}

// notMultiple keeps the noun 倍数 (增加倍数); behind a numeral 倍 is a multiple (两倍数量).
func notMultiple(_, text, after string) bool {
	return strings.HasPrefix(after, "数") && numeralStart(text) == ""
}

// partOfHalfWord keeps 半精度, 半自动 and their like, when the 半 belongs to the word
// behind it: 通过半自动, 统一半精度.
func partOfHalfWord(_, text, after string) bool {
	if text == "一半" || text == "半数" {
		return strings.HasPrefix(after, "精度")
	}
	return halfWord.MatchString(after)
}

var halfWord = regexp.MustCompile(`^(?:精度|自动|导体|结构化|透明|监督|同步|双工|角)`)

// notTenths keeps 成 as the beginning of a word (三成员) or as 一成不变.
func notTenths(before, _, after string) bool {
	next, _ := utf8.DecodeRuneInString(after)
	return ordinal(before) || strings.HasPrefix(after, "不变") || strings.ContainsRune("员为本功果品熟长立就", next)
}

// ordinal reports whether the text before a numeral makes it a place in an order.
func ordinal(before string) bool {
	return strings.HasSuffix(strings.TrimRight(before, " "), "第")
}

// numeralStart returns the numeral that text begins with.
func numeralStart(text string) string {
	return text[:len(text)-len(strings.TrimLeft(text, numerals))]
}
