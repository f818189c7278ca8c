// Package chart draws the figures of a guide: plain values in, SVG or PNG bytes out.
//
// There are four kinds. Bars compares series over cases, Lines follows a metric over concurrency,
// Waterfall multiplies the gains of the stages, Candidates sets the candidates of a stage against the
// noise band. All are drawn through gonum/plot, on a canvas of our own, because the stock SVG
// canvas has no accessible name, no dark theme, one fixed face, and lets labels collide in silence.
//
// What every figure keeps:
//  1. Text is real text, in pieces that say what they are: a fact with its id, a declared literal, an
//     axis tick, or words. The width of each piece is measured and stated, so that the layout holds
//     whatever font the reader has.
//  2. Labels are measured before anything is placed. They wrap or the figure grows; what still does
//     not fit is an error, as is a character that the font lacks or a value that is not finite.
//  3. Colours are roles. Each has a light and a dark value, and no two series differ by colour alone.
//  4. The same values give the same bytes.
//
// The package decides nothing and writes no sentence: verdicts, numbers and words in either language
// arrive formatted. It reads no files and changes none of gonum's global defaults.
package chart
