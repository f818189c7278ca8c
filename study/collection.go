package study

import (
	"io/fs"
	"path"
	"strings"

	"benchguide/study/strict"
)

// SiteInfo is the content of site.yaml: what the site says of itself.
type SiteInfo struct {
	Title       Text `json:"title"`
	Description Text `json:"description"`
}

// Collection is a content folder: the site and its studies, ordered by folder name.
type Collection struct {
	Site    SiteInfo
	Folders []*Folder
}

// LoadCollection reads a content folder. All problems of all studies are returned
// together; the collection is usable only when there are none.
func LoadCollection(fsys fs.FS) (*Collection, []Problem) {
	c := &Collection{}
	source, problem := readFile(fsys, "site.yaml", "this is no site.yaml", "name a content folder: it holds site.yaml and studies/")
	if problem != nil {
		return c, []Problem{*problem}
	}
	_, problems := strict.Decode("site.yaml", source, &c.Site)
	entries, err := fs.ReadDir(fsys, "studies")
	if err != nil {
		return c, append(problems, ioProblem("studies", err, "studies lie under studies/ID/study.yaml"))
	}
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		f, more := Load(fsys, path.Join("studies", e.Name()))
		c.Folders = append(c.Folders, f)
		problems = append(problems, more...)
	}
	return c, problems
}
