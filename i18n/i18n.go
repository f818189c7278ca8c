// Package i18n embeds the catalogue of messages, one file for each language. It
// holds no logic: package render loads the files and refuses a page whose message
// is missing in its language.
package i18n

import "embed"

// Files are active.zh.json and active.en.json.
//
//go:embed active.zh.json active.en.json
var Files embed.FS
