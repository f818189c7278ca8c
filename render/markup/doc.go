// Package markup reads page source and writes what becomes of it: HTML for the
// site, plain Markdown for everybody else.
//
// Page source is Markdown in which a number that was measured is never typed. In
// its place stands a marker (see Marker), and a Resolver says what the marker
// means. From one source come:
//
//   - Markup.HTML, in which every fact is a <data> element, every declared literal
//     carries data-literal and every citation data-cite;
//   - Markup.Export, Markdown with the facts' texts put in, and a list of the places
//     where each bound piece lies.
//
// Reading takes three steps. Markers are numbered (mask), because a reference may
// hold signs that mean something to Markdown, "|" in a table first of all. goldmark
// parses, with the extensions of this package. Then one walk over the tree (bind)
// resolves markers, finds literals, refuses what may not stand where it stands, and
// leaves a tree that a renderer without state can print. Nothing about a page is
// kept in a Markup, so that one serves all goroutines.
//
// Machine-made Markdown (Table, Inline, CodeBlock) is printed by gomarkdown from a
// tree, so that escaping is never done by hand where a page is made. The same
// library is the second reader of Markup.Differences.
//
// Highlighted code uses a closed set of classes, whatever the language, so that one
// short style sheet serves: k keyword or command, a option, s string, m number,
// n name, o operator, c comment, h rule or heading, t label, i inserted, d deleted.
//
// The package knows no metric, no language and no file: it does not decide what a
// fact's text is, and does not check that numbers are bound. That is the gate's work.
package markup
