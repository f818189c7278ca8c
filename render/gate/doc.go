// Package gate is the last line of defence: it reads the finished bytes of a
// published page, Markdown or HTML, and requires that every number on it is bound.
//
// A number is bound when it is the text of a fact, a literal that the study
// declares (a name or version that carries a digit) or a citation. The gate sees
// neither markers nor a syntax tree: whatever went wrong before it, in a template,
// a resolver or a library, shows in the bytes. Where it is unsure whether a reader
// sees some text, it reads that text, so that its mistakes are findings and never
// silence. It is not a validator of Markdown or HTML, it corrects nothing, and it
// knows no study: the caller says what is known.
//
// # What is read
//
// [HTML] reads text, alt, title, placeholder and label attributes, the values of
// buttons and fields, aria attributes that hold text, the document title, the
// descriptions in meta elements, and the title, desc and text elements of SVG.
// [Markdown] reads everything but: fenced blocks, ordinals of ordered lists (they
// must count up from 1, else they are read), targets of inline links and images,
// the {#id} of a heading or block, comments, and the tag names and invisible attributes
// of raw HTML.
// Alt texts, link titles and inline code are read; a bare URL is text, and is read.
// Delimiter rows of tables hold no digits.
//
// Not read: script and style elements; SVG elements of class "tick" (the same class
// outside of SVG exempts nothing); and the content of fenced blocks and of pre
// elements, which instead must equal one of the byte strings in [Known].Verbatim.
//
// Where no element can stand (attributes, title and option elements, alt texts,
// link titles, info strings) a declared literal is known by its text. Everywhere
// else it must be marked, because a mark is what tells a name from a measurement. A
// mark on a text without any number is a caution; every other finding is an error.
//
// # What counts as a number
//
// Every run with a decimal digit of any script (ASCII, full-width １２, Arabic-Indic
// ٣), a superscript, a fraction or a circled number (², ½, ①), with its sign,
// separators, exponent, percent sign, range, and the letters glued to it: 2.7x, 1e6,
// 8-16, v0.11.0, fa3, Qwen3-8B. Roman numerals do not count, ASCII or Unicode: they
// number chapters. A short closed list of words of the field that carry a digit and measure
// nothing is always allowed (FP8, BF16, INT4, P99, SHA256, UTF-8, E2E, k8s; see
// terms.go). GPUs, models and versions are not in it: they say what was measured, so
// the study declares them.
//
// # Number words
//
// Both lists hold on every page, since pages mix the languages.
//
// Chinese, counted: multiples (两倍, 一倍, 几倍, 数倍, 双倍, 成倍, 翻倍, 翻番, 倍增; a vague
// multiple is a claim without a fact); halves (一半, 半数, 过半, 减半, 半秒); tenths (三成);
// fractions (百分之, 百分百, 三分之一); decimals (零点八); numerals of two characters or more with
// 十百千万亿 (二十, 百万, 数十, 上千); and any numeral from 两 up before a measure word (两个,
// 三次, 八卡, 五毫秒), a blank between them or not.
// Not counted: 一 and 零 before a measure word (一个 is an article, 零 an absence); 二
// before one other than of time (二次, 二级: secondary, the cardinal is 两); ordinals
// (第三次); 两者, 三者, 两端 (they point at things just named); 倍 and 倍数 alone; and words in
// which a numeral counts nothing: 一起, 十分, 万一, 千万不要, 百分位, 百分点, 四处, 四舍五入, 半精度.
//
// English, counted: half and halve, twice, thrice, double, triple, quadruple and
// their forms; two to ninety-nine, hundred, thousand, million, billion, trillion,
// dozen, also with hyphen (two-stage); twofold to tenfold and hundredfold; percent; one third, a
// quarter of. Not counted: zero, one and once (mostly pronouns and absences);
// ordinals and second, the unit; single, both, pair, couple; halfway (a place); half
// precision, double precision, double-check, double quotes; and anything inside a
// longer word (someone, often).
package gate
