package maintain

import (
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/didyoumean"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// place is a reference's target: the path of a page or an asset.
type place struct {
	path string
	page bool
}

// seeker searches for the intended target of a broken path. It tries methods in order, the most reliable one first. A
// method that finds several places ends the search without a result.
type seeker struct {
	v      *view
	from   string          // the page that contains the reference; a guess never returns it
	folder string          // folder that relative paths start from
	image  bool            // only assets are acceptable
	pages  bool            // only pages are acceptable
	skip   map[string]bool // pages that are not acceptable
}

const (
	whyNone    = "there is no similar path"
	whySeveral = "several targets are equally likely: "
	whySimilar = "no target is certain; similar are "
)

// seek returns the only place that p, decoded and without query and anchor, can refer to. rooted reports that the place
// was found only from the root although p is relative, or the other way round. If there is no such place, why is the
// reason.
func (s seeker) seek(p string) (to place, rooted bool, why string) {
	own, others := s.readings(p)
	if found := s.known(others); len(found) > 0 {
		return one(found, true)
	}
	for _, way := range []func(string) []place{s.spelled, s.redirected, s.moved, s.near} {
		if found := way(own); len(found) > 0 {
			return one(found, false)
		}
	}
	var found []place
	for _, o := range others {
		found = append(found, s.spelled(o)...)
	}
	if found = unique(found); len(found) > 0 {
		return one(found, true)
	}
	if near := s.similar(own); len(near) > 0 {
		return place{}, false, whySimilar + offered(near)
	}
	return place{}, false, whyNone
}

// similar returns pages that a person may have meant. They differ by more than a typing error, so none is used
// without asking.
func (s seeker) similar(p string) (out []string) {
	if s.v.guesses -= len(s.v.site.Pages); s.v.guesses < 0 || s.image {
		return nil
	}
	base := strings.ToLower(lastPart(strings.TrimSuffix(strings.TrimSuffix(p, ".mdx"), ".md")))
	for _, page := range s.v.site.Pages {
		other := strings.ToLower(lastPart(page.Path))
		if page.Path == s.from || s.skip[page.Path] || page.Path == "index" || digits(base) != digits(other) {
			continue
		}
		if reach := didyoumean.Reach(base); didyoumean.Distance(base, other, reach+1) <= reach ||
			len(base) > 3 && (strings.Contains(other, base) || len(other) > 3 && strings.Contains(base, other)) {
			out = append(out, page.Path)
		}
	}
	return out
}

func one(found []place, rooted bool) (place, bool, string) {
	if len(found) == 1 {
		return found[0], rooted, ""
	}
	var names []string
	for _, p := range found[:min(3, len(found))] {
		names = append(names, "/"+p.path)
	}
	return place{}, false, whySeveral + strings.Join(names, ", ")
}

// readings returns the path that p refers to, and other paths that its author may have meant: the path that results if
// p is read as relative although it is not, or the other way round, and paths that treat the page as a folder.
func (s seeker) readings(p string) (own string, others []string) {
	clean := func(p string) string { return strings.TrimPrefix(path.Clean("/"+p), "/") }
	if strings.HasPrefix(p, "/") {
		return clean(p), []string{clean(path.Join(s.folder, p))}
	}
	own, others = clean(path.Join(s.folder, p)), []string{clean(p)}
	if s.from != "" {
		others = append(others, clean(path.Join(s.from, p)))
	}
	return own, slices.DeleteFunc(others, func(o string) bool { return o == own })
}

// fits reports whether a place is acceptable for this search.
func (s seeker) fits(p place) bool {
	return p.path != "" && (p.page && !s.image && !s.skip[p.path] || !p.page && !s.pages)
}

// known returns the existing targets among the paths.
func (s seeker) known(paths []string) (out []place) {
	from := s.v.table.From("index", "index")
	for _, p := range paths {
		switch t := from.Resolve(escaped("/" + p)); {
		case p == "":
		case t.Kind == link.ToPage:
			out = append(out, place{t.Page, true})
		case t.Kind == link.ToFile:
			out = append(out, place{t.File, false})
		}
	}
	return unique(slices.DeleteFunc(out, func(p place) bool { return !s.fits(p) }))
}

// spelled finds variants of the path that differ in letter case, in the extension or in a final /index.
func (s seeker) spelled(p string) (out []place) {
	lower := strings.ToLower(p)
	plain := lower
	for _, ext := range []string{".mdx", ".md", ".html", ".htm"} {
		plain = strings.TrimSuffix(plain, ext)
	}
	for _, tail := range []string{"", "/index", "/readme"} {
		for _, page := range s.v.folded[strings.TrimSuffix(plain, tail)] {
			out = append(out, place{page, true})
		}
	}
	for _, a := range s.v.assets[lower] {
		out = append(out, place{a, false})
	}
	if out = s.fitting(out); len(out) > 0 {
		return out
	}
	for _, a := range s.v.stems[strings.TrimSuffix(lower, path.Ext(lower))] {
		if path.Ext(lower) != "" || s.image {
			out = append(out, place{a, false})
		}
	}
	return s.fitting(out)
}

func (s seeker) fitting(list []place) []place {
	return unique(slices.DeleteFunc(list, func(p place) bool { return !s.fits(p) }))
}

// redirected follows the site's redirects, and searches for variants of their targets.
func (s seeker) redirected(p string) []place {
	for range 5 {
		dest, _, ok := s.v.rules.Match("/" + p)
		if !ok || !strings.HasPrefix(dest, "/") {
			return nil
		}
		dest, _, _ = strings.Cut(dest, "#")
		p = strings.Trim(path.Clean(unescaped(dest)), "/")
		for _, way := range []func(string) []place{
			func(p string) []place { return s.known([]string{p}) }, s.spelled, s.moved} {
			if found := way(p); len(found) > 0 {
				return found
			}
		}
	}
	return nil
}

// moved finds pages with the same name in other folders. A name that consists of one word, or that is common in many
// folders, must also share a folder name.
func (s seeker) moved(p string) []place {
	p = strings.ToLower(trimIndex(strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(p, ".mdx"), ".md"),
		".html")))
	var out []place
	for _, page := range s.v.bases[path.Base(p)] {
		if page != s.from && (telling(path.Base(p)) || shares(p, page)) {
			out = append(out, place{page, true})
		}
	}
	if out = s.fitting(out); len(out) > 1 { // prefer the version and language of the source
		part, _, _ := strings.Cut(s.from+"/", "/")
		own := slices.DeleteFunc(slices.Clone(out), func(o place) bool { return !strings.HasPrefix(o.path, part+"/") })
		if len(own) == 1 {
			return own
		}
	}
	return out
}

// telling reports whether a page's name identifies the page: it has several words and is not a name that every section
// uses.
func telling(name string) bool {
	return strings.ContainsAny(name, "-_") && name != "getting-started" && name != "quick-start" &&
		name != "release-notes" && name != "api-reference"
}

// shares reports whether the paths of two pages have a folder name in common.
func shares(a, b string) bool {
	folders := strings.Split(path.Dir(strings.ToLower(b)), "/")
	return slices.ContainsFunc(strings.Split(path.Dir(a), "/"),
		func(f string) bool { return f != "." && slices.Contains(folders, f) })
}

// near finds paths that differ by a typing error. Different numbers never count as one.
func (s seeker) near(p string) (out []place) {
	if s.v.guesses -= len(s.v.site.Pages) + len(s.v.site.Assets); s.v.guesses < 0 {
		return nil
	}
	if !s.image {
		p := strings.ToLower(trimIndex(strings.TrimSuffix(strings.TrimSuffix(p, ".mdx"), ".md")))
		for _, page := range s.v.site.Pages {
			if page.Path != s.from && slip(p, strings.ToLower(trimIndex(page.Path))) {
				out = append(out, place{page.Path, true})
			}
		}
	}
	if ext := strings.ToLower(path.Ext(p)); ext != "" {
		for _, a := range s.v.site.Assets {
			if strings.ToLower(path.Ext(a.Path)) == ext && slip(strings.ToLower(p), strings.ToLower(a.Path)) {
				out = append(out, place{a.Path, false})
			}
		}
	}
	return s.fitting(out)
}

// slip reports whether two words are so similar that one may be a typing error: one letter in four of the shorter
// last path element, at most three.
func slip(a, b string) bool {
	most := min(3, min(len(path.Base(a)), len(path.Base(b)))/4)
	return most > 0 && digits(a) == digits(b) && (swapped(a, b) || didyoumean.Distance(a, b, most+1) <= most)
}

// swapped reports whether two words differ only by two swapped neighbouring letters.
func swapped(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

// digits returns the numbers in a word, separated by spaces.
func digits(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' }), " ")
}

func unique(list []place) (out []place) {
	for _, p := range list {
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}
