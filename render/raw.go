package render

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"benchguide/analyze"
	"benchguide/study"
)

// maxPublished bounds a file that no number comes from: a log of a hundred megabytes helps
// nobody who reads a guide.
const maxPublished = 16 << 20

// published is a file of a study that is published as its own bytes.
type published struct {
	File
	lines bool // links end at its lines, so that a page of lines is made of it
}

// rawPages publishes a study's own files: as their own bytes, and those that numbers come
// from as a page with line numbers, too.
func (r *Renderer) rawPages(c *study.Collection, f *study.Folder, report *analyze.Report) ([]File, []Problem, error) {
	var files []File
	var problems []Problem
	for _, raw := range studyFiles(f, report) {
		files = append(files, File{rawFile(f.ID, raw.Path), raw.Data})
		if !raw.lines {
			continue
		}
		page, err := r.linesPage(c, f, report.Mark, raw.File)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, page)
		known := known{Literals: named([]string{raw.Path, path.Base(raw.Path), f.Study.Title.ZH, f.Study.Title.EN}), Verbatim: [][]byte{raw.Data}}
		problems = append(problems, checkHTML(page, known)...)
	}
	return files, problems, nil
}

// studyFiles are the files that a page's facts can come from. Of what lies beside the
// raw outputs of others, only that which some fact comes from; of a start that benchguide
// made everything that it left, since nobody else has it.
func studyFiles(f *study.Folder, report *analyze.Report) []published {
	cited := map[string]bool{}
	for _, fact := range report.Facts.All() {
		if fact.Source != nil {
			cited[fact.Source.File] = true
		}
	}
	files := []published{{File{"study.yaml", f.Source}, true}}
	add := func(side study.Side, own bool) {
		seen := slices.ContainsFunc(files, func(p published) bool { return p.Path == side.File })
		if !seen && (cited[side.File] || own && len(side.Bytes) <= maxPublished) {
			files = append(files, published{File{side.File, side.Bytes}, cited[side.File] && !isData(side.File)})
		}
	}
	for _, run := range f.Runs {
		files = append(files, published{File{path.Join("runs", run.ID, "run.yaml"), run.Source}, true})
		for _, prompts := range run.Prompts {
			add(prompts, true)
		}
		for _, s := range run.Starts {
			files = append(files, published{File{path.Join(s.Dir, "attempt.json"), s.AttemptSource}, true})
			for _, result := range s.Results {
				files = append(files, published{File{result.File, result.Bytes}, true})
				if result.Data != nil {
					add(*result.Data, s.Own())
				}
			}
			for _, side := range s.Sides {
				add(side, s.Own())
			}
		}
	}
	return files
}

// isPublished reports whether the site has a file of the study.
func (g *guide) isPublished(file string) bool {
	if g.published == nil {
		g.published = map[string]bool{}
		for _, p := range studyFiles(g.folder, g.report) {
			g.published[p.Path] = true
		}
	}
	return g.published[file]
}

// isData reports whether a file is one of per-request data, which has few lines and
// very long ones: no page of lines is made of it.
func isData(file string) bool {
	base := path.Base(file)
	return base != "attempt.json" && (path.Ext(base) == ".json" || path.Ext(base) == ".jsonl")
}

// linesView is a raw file with an anchor on every line.
type linesView struct {
	Name, Raw string
	Guides    []alternate // the study's guide in every language
	Marks     []alternate // what kind of results these are, in every language
	Lines     []string
}

// linesPage makes the page of one raw file. It says next to nothing, so one page
// serves both languages.
func (r *Renderer) linesPage(c *study.Collection, f *study.Folder, mark string, raw File) (File, error) {
	target := linesPage(f.ID, raw.Path)
	up := strings.Repeat("../", strings.Count(target, "/"))
	view := linesView{Name: raw.Path, Raw: path.Base(raw.Path),
		Lines: strings.SplitAfter(strings.TrimSuffix(strings.ToValidUTF8(string(raw.Data), "\uFFFD"), "\n"), "\n")}
	for _, lang := range Langs() {
		view.Guides = append(view.Guides, alternate{lang.HTML(), f.Study.Title.In(string(lang)), up + guideDir(lang, f.ID) + "/" + guidePage})
		if mark != "" {
			text, err := r.catalogue.Text(lang, "mark."+mark, nil)
			if err != nil {
				return File{}, err
			}
			view.Marks = append(view.Marks, alternate{Lang: lang.HTML(), Name: text})
		}
	}
	w := &words{catalogue: r.catalogue, lang: EN}
	v := w.frame(&c.Site, up)
	v.Title, v.Description, v.Footer = raw.Path, raw.Path, nil
	if w.err != nil {
		return File{}, w.err
	}
	var err error
	if v.Body, err = r.body("lines.html.tmpl", view); err != nil {
		return File{}, fmt.Errorf("line page of %s: %w", raw.Path, err)
	}
	page, err := r.page(v)
	return File{target, page}, err
}
