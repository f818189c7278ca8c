// Package templates embeds what pages are made from: Markdown and HTML templates,
// stylesheet, scripts and fonts. It holds no logic.
package templates

import "embed"

// Files holds every template and asset under its own name.
//
//go:embed *.tmpl *.css *.js fonts
var Files embed.FS
