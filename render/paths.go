package render

import "path"

// The site's files, all named so that links work from a disk: every link names a
// file, never a folder.
//
//	index.html                              both languages
//	zh/index.html, en/index.html            the guides of a language
//	zh/STUDY/index.html, guide.md, data.html, reproduce.sh, *.svg, *.png
//	studies/STUDY/report.json
//	studies/STUDY/raw/...                   the study's files, byte for byte
//	studies/STUDY/raw/....html              the same with line numbers to link to
//	assets/                                 stylesheet, scripts, fonts
const (
	siteRoot  = "../../" // from a guide to the root of the site
	guidePage = "index.html"
	dataPage  = "data.html"
	guideMD   = "guide.md"
)

func guideDir(lang Lang, id string) string { return path.Join(string(lang), id) }

func studyDir(id string) string { return path.Join("studies", id) }

func reportFile(id string) string { return path.Join(studyDir(id), "report.json") }

// rawFile is where a study's own file is published as its own bytes.
func rawFile(id, file string) string { return path.Join(studyDir(id), "raw", file) }

// linesPage is where the same file stands with line numbers.
func linesPage(id, file string) string { return rawFile(id, file) + ".html" }
