package maintain

import (
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/didyoumean"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/site"
)

// maxOffered limits the number of suggested candidates.
const maxOffered = 3

const noSuchPage = "there is no such page"

// find returns the page that a person refers to by its path or file, by the last part of its path, or by its title. If
// it is not certain which page that is, why states the reason and the candidates.
func (v *view) find(written string) (page *site.Page, why string) {
	name, ok := slug.Clean(strings.TrimSuffix(strings.TrimSuffix(written, ".mdx"), ".md"))
	if ok {
		for _, p := range []string{name, name + "/index"} {
			if page := v.site.Find(p); page != nil && page.File != "" {
				return page, ""
			}
		}
	}
	plain := func(s string) string {
		return strings.ToLower(strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" -_/", r) }), " "))
	}
	wanted := plain(name)
	var found, near []string
	for i := range v.site.Pages {
		p := v.site.Pages[i]
		if p.File == "" {
			continue
		}
		base := plain(path.Base(trimIndex(p.Path)))
		switch {
		case !strings.Contains(name, "/") && (base == wanted || plain(p.Title) == wanted):
			found = append(found, p.Path)
		case didyoumean.Distance(base, plain(path.Base(name)), maxOffered) < maxOffered:
			near = append(near, p.Path)
		}
	}
	switch {
	case len(found) == 1:
		return v.site.Find(found[0]), ""
	case len(found) > 1:
		return nil, "several pages have this name: " + offered(found)
	case len(near) > 0:
		return nil, "there is no such page; similar are " + offered(near)
	}
	return nil, noSuchPage
}

// offered lists candidate pages for a person to choose from.
func offered(pages []string) string {
	slices.Sort(pages)
	return "/" + strings.Join(pages[:min(maxOffered, len(pages))], ", /")
}
