package render

import (
	"fmt"
	"path"
	"strings"

	"benchguide/analyze"
	"benchguide/study"
)

// rawPages publishes a study's own files twice: as their own bytes, and as a page
// with line numbers that links can end at.
func (r *Renderer) rawPages(c *study.Collection, f *study.Folder, report *analyze.Report) ([]File, []Problem, error) {
	var files []File
	var problems []Problem
	for _, raw := range studyFiles(f, report) {
		if isData(raw.Path) {
			files = append(files, File{rawFile(f.ID, raw.Path), raw.Data})
			continue
		}
		page, err := r.linesPage(c, f, report.Mark, raw)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, File{rawFile(f.ID, raw.Path), raw.Data}, page)
		known := known{Literals: named([]string{raw.Path, path.Base(raw.Path), f.Study.Title.ZH, f.Study.Title.EN}), Verbatim: [][]byte{raw.Data}}
		problems = append(problems, checkHTML(page, known)...)
	}
	return files, problems, nil
}

// studyFiles are the files that a page's facts can come from. Of what lies beside the
// raw outputs, only that which some fact comes from.
func studyFiles(f *study.Folder, report *analyze.Report) []File {
	cited := map[string]bool{}
	for _, fact := range report.Facts.All() {
		if fact.Source != nil {
			cited[fact.Source.File] = true
		}
	}
	files := []File{{"study.yaml", f.Source}}
	for _, run := range f.Runs {
		files = append(files, File{path.Join("runs", run.ID, "run.yaml"), run.Source})
		for _, s := range run.Starts {
			files = append(files, File{path.Join(s.Dir, "attempt.json"), s.AttemptSource})
			for _, result := range s.Results {
				files = append(files, File{result.File, result.Bytes})
				if result.Data != nil && cited[result.Data.File] {
					files = append(files, File{result.Data.File, result.Data.Bytes})
				}
			}
			for _, side := range s.Sides {
				if cited[side.File] {
					files = append(files, File{side.File, side.Bytes})
				}
			}
		}
	}
	return files
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
		Lines: strings.SplitAfter(strings.TrimSuffix(string(raw.Data), "\n"), "\n")}
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
