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
	source, problem := readFile(fsys, siteFile, "this is no site.yaml", "name a content folder, which holds site.yaml and studies/, or the folder of a single study")
	if problem != nil {
		return c, []Problem{*problem}
	}
	_, problems := strict.Decode(siteFile, source, &c.Site)
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

// The files by which the kinds of folders are told apart.
const (
	siteFile  = "site.yaml"
	studyFile = "study.yaml"
)

// IsSingle reports whether a folder is that of one study, with no site around it.
func IsSingle(folder fs.FS) bool {
	_, noSite := fs.Stat(folder, siteFile)
	_, noStudy := fs.Stat(folder, studyFile)
	return noSite != nil && noStudy == nil
}

// LoadSingle reads the study in dir of fsys as a site of its own, which has the study's
// title.
func LoadSingle(fsys fs.FS, dir string) (*Collection, []Problem) {
	f, problems := Load(fsys, dir)
	return &Collection{Site: SiteInfo{Title: f.Study.Title, Description: f.Study.Summary}, Folders: []*Folder{f}}, problems
}
