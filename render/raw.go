package render

import (
	"bytes"
	"fmt"
	htmltemplate "html/template"
	"path"
	"strings"

	"benchguide/study"
)

// rawPages publishes a study's own files twice: as their own bytes, and as a page
// with line numbers that links can end at.
func (r *Renderer) rawPages(c *study.Collection, f *study.Folder) ([]File, []Problem, error) {
	var files []File
	var problems []Problem
	for _, raw := range studyFiles(f) {
		page, err := r.linesPage(c, f, raw)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, File{rawFile(f.ID, raw.Path), raw.Data}, page)
		known := known{Literals: named([]string{raw.Path, f.Study.Title.ZH, f.Study.Title.EN, path.Base(raw.Path)}), Verbatim: [][]byte{raw.Data}}
		problems = append(problems, checkHTML(page, known)...)
	}
	return files, problems, nil
}

// studyFiles are the files that a page's facts can come from.
func studyFiles(f *study.Folder) []File {
	files := []File{{"study.yaml", f.Source}}
	for _, run := range f.Runs {
		files = append(files, File{path.Join("runs", run.ID, "run.yaml"), run.Source})
		for _, s := range run.Starts {
			files = append(files, File{path.Join(s.Dir, "attempt.json"), s.AttemptSource})
			for _, result := range s.Results {
				files = append(files, File{result.File, result.Bytes})
			}
		}
	}
	return files
}

// linesView is a raw file with an anchor on every line.
type linesView struct {
	Name, Raw, Study, Back string
	Lines                  []string
}

func (r *Renderer) linesPage(c *study.Collection, f *study.Folder, raw File) (File, error) {
	target := linesPage(f.ID, raw.Path)
	up := strings.Repeat("../", strings.Count(target, "/"))
	view := linesView{Name: raw.Path, Raw: path.Base(raw.Path), Study: up + guideDir(EN, f.ID) + "/" + guidePage,
		Lines: strings.SplitAfter(strings.TrimSuffix(string(raw.Data), "\n"), "\n")}
	var body bytes.Buffer
	if err := r.pages.ExecuteTemplate(&body, "lines.html.tmpl", map[string]any{
		"View": view, "ZH": up + guideDir(ZH, f.ID) + "/" + guidePage, "EN": up + guideDir(EN, f.ID) + "/" + guidePage,
		"TitleZH": f.Study.Title.ZH, "TitleEN": f.Study.Title.EN,
	}); err != nil {
		return File{}, fmt.Errorf("line page of %s: %w", raw.Path, err)
	}
	w := &words{catalogue: r.catalogue, lang: EN}
	v := w.frame(&c.Site, up)
	v.Title, v.Description = path.Base(raw.Path), raw.Path
	v.Body = htmltemplate.HTML(body.String())
	v.Footer = nil
	if w.err != nil {
		return File{}, w.err
	}
	page, err := r.page(v)
	return File{target, page}, err
}
