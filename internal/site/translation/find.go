package translation

import (
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/site"
)

// Pair is a page in the default language and its counterpart in another language.
type Pair struct {
	From, Language string     // names of the two languages, as the site file spells them
	Source         *site.Page // in the default language; it has a file
	Page           *site.Page // its translation; nil if missing
	Path           string     // path of the translation, or where it belongs if it is missing
}

// Find returns the existing and missing translations of a site: one for each page that has a file and is listed in the
// navigation of the default language, in each other language. They are ordered by language and then by source, as in
// the site file.
func Find(s *site.Site) (list []Pair) {
	var walk func(nodes []*site.Node)
	walk = func(nodes []*site.Node) {
		list = append(list, findAmong(s, nodes)...)
		for _, n := range nodes {
			walk(n.Children)
		}
	}
	walk(s.Nav)
	return list
}

// language is a language of the navigation with its pages.
type language struct {
	site.Division
	pages []string
	holds map[string]bool
}

func newLanguage(n *site.Node) *language {
	l := &language{holds: map[string]bool{}}
	site.Walk([]*site.Node{n}, func(n *site.Node) bool {
		if n.Page != "" && !l.holds[n.Page] {
			l.pages = append(l.pages, n.Page)
			l.holds[n.Page] = true
		}
		return true
	})
	l.Division = site.Division{Name: n.Title, Folder: site.CommonFolder(l.pages)}
	return l
}

// findAmong pairs the pages of languages that are siblings in the navigation.
func findAmong(s *site.Site, nodes []*site.Node) (list []Pair) {
	var chosen *site.Node // the default language, or otherwise the first one
	for _, n := range nodes {
		if n.Kind == site.KindLanguage && (chosen == nil || n.Default && !chosen.Default) {
			chosen = n
		}
	}
	if chosen == nil {
		return nil
	}
	from := newLanguage(chosen)
	for _, n := range nodes {
		if n.Kind != site.KindLanguage || n == chosen {
			continue
		}
		to := newLanguage(n)
		for _, name := range from.pages {
			source := s.Find(name)
			if source == nil || source.File == "" || source.Details().External != "" {
				continue
			}
			list = append(list, pairOf(s, source, from, to))
		}
	}
	return list
}

// pairOf finds the translation of a page. A page that is not in the navigation also counts as a translation if it is in
// the folder of the language.
func pairOf(s *site.Site, source *site.Page, from, to *language) Pair {
	has := func(name string) bool {
		p := s.Find(name)
		return p != nil && p.File != "" && p != source && (to.holds[name] || !from.holds[name] && inFolder(name, to.Name))
	}
	out := Pair{From: from.Name, Language: to.Name, Source: source}
	if out.Path = site.Counterpart(source.Path, from.Division, to.Division, has); out.Path != "" {
		out.Page = s.Find(out.Path)
		return out
	}
	out.Path = expected(source.Path, from, to)
	return out
}

func inFolder(name, folder string) bool {
	parts := strings.Split(path.Dir(name), "/")
	return slices.ContainsFunc(parts, func(part string) bool { return strings.EqualFold(part, folder) })
}

// expected returns the path where a missing translation belongs.
func expected(source string, from, to *language) string {
	parts := strings.Split(source, "/")
	for i, part := range parts[:len(parts)-1] {
		if strings.EqualFold(part, from.Name) {
			parts[i] = to.Name
			return strings.Join(parts, "/")
		}
	}
	folder := to.Folder
	if folder == "" || !inFolder(folder+"/x", to.Name) {
		folder = to.Name
	}
	return path.Join(folder, source)
}
