package maintain

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// Keys of the site file whose strings are addresses, and keys whose strings are pages. An included file may be a list
// of pages, without a key.
var (
	addressKeys = []string{"href", "url", "light", "dark", "logo", "favicon"}
	pageKeys    = []string{"pages", "root", "page", ""}
)

func isPageKey(key string) bool { return slices.Contains(pageKeys, key) }

// siteFile fixes docs.json and its parts: navigation entries, addresses, targets of redirects.
func (m *linkFixer) siteFile() error {
	reported, some := map[string]map[string]bool{missingPage: {}, brokenLink: {}, brokenRedirect: {}}, false // code → files
	for _, d := range m.v.findings {
		if files := reported[d.Code]; files != nil && m.about(d) && slices.Contains(m.v.files, d.File) {
			files[d.File], some = true, true
		}
	}
	if !some {
		return nil
	}
	left := len(m.report.Left)
	files := m.openSite(m.v.files)
	m.report.Left = m.report.Left[:left] // the findings already report it
	listed := m.v.listed()
	for _, f := range files {
		eachText(f.Root, "", []string{"redirects", "$ref", "variables"}, func(v *jsontree.Value, key string) {
			switch {
			case isPageKey(key) && reported[missingPage][f.Name]:
				m.entry(f, v, listed)
			case slices.Contains(addressKeys, key) && reported[brokenLink][m.v.site.File]:
				m.address(f, v)
			}
		})
		if reported[brokenRedirect][f.Name] {
			m.rules(f, f.Root)
		}
	}
	changed, err := m.closeSite(files)
	m.went = m.went || changed
	return err
}

// entry fixes the path of a page in the navigation. It does not add a page that is already listed.
func (m *linkFixer) entry(f *siteFile, v *jsontree.Value, listed map[string]bool) {
	name, ok := slug.Clean(v.Str)
	if !ok || strings.ContainsAny(v.Str, " :") || m.v.has(name) {
		return
	}
	to, _, why := seeker{v: m.v, pages: true, skip: listed, folder: "."}.seek("/" + name)
	if why != "" {
		m.why[v.Pos()] = why
		return
	}
	now := to.path
	if strings.HasPrefix(v.Str, "/") {
		now = "/" + now
	}
	listed[to.path] = true // listed by this entry
	f.replace(v, now)
	m.note(f.Name, int(v.Line), v.Str, now)
}

// listed returns the pages in the navigation.
func (v *view) listed() map[string]bool {
	out := map[string]bool{}
	for _, p := range v.site.Pages {
		out[p.Path] = p.Listed
	}
	return out
}

// has reports whether the navigation may contain a page with this path.
func (v *view) has(page string) bool {
	return v.site.Find(page) != nil || v.site.Find(page+"/index") != nil || slices.Contains(v.site.Failed, page) ||
		slices.Contains(v.withheld, page)
}

// address fixes a link of the page frame. Addresses without a leading slash start at the root too.
func (m *linkFixer) address(f *siteFile, v *jsontree.Value) {
	if to, ok := m.rooted(v); ok {
		f.replace(v, to)
		m.note(f.Name, int(v.Line), v.Str, to)
	}
}

// rooted returns the corrected form of a broken address in the site file.
func (m *linkFixer) rooted(v *jsontree.Value) (string, bool) {
	body, rest, ok := link.Cut(v.Str)
	if !ok {
		return "", false
	}
	from := m.v.table.From("index", "index")
	if from.Resolve("/"+strings.TrimPrefix(v.Str, "/")).Kind != link.Broken {
		return "", false
	}
	to, _, why := seeker{v: m.v, folder: "."}.seek("/" + strings.TrimPrefix(unescaped(body), "/"))
	if why != "" {
		m.why[diag.Pos{File: m.v.site.File}] = why
		m.why[v.Pos()] = why
		return "", false
	}
	ref := m.v.write(to, spelling{written: "/" + strings.TrimPrefix(body, "/")}) + rest
	if !m.v.leads("index", ref, to) {
		return "", false
	}
	if !strings.HasPrefix(body, "/") {
		ref = strings.TrimPrefix(ref, "/")
	}
	return ref, true
}

// rules fixes the targets of redirects, wherever their list is.
func (m *linkFixer) rules(f *siteFile, v *jsontree.Value) {
	for _, item := range v.Items {
		m.rules(f, item)
	}
	for _, member := range v.Members {
		m.rules(f, member.Value)
	}
	source, to := v.Get("source"), v.Get("destination")
	switch {
	case !source.Is(jsontree.String) || !to.Is(jsontree.String):
		return
	case link.Wildcard(source.Str):
		m.why[v.Pos()] = "a redirect with a wildcard is not changed"
		return
	}
	ref, ok := m.rooted(to)
	if ok && strings.Trim(ref, "/") != strings.Trim(source.Str, "/") {
		f.replace(to, ref)
		m.note(f.Name, int(to.Line), to.Str, ref)
	} else if why := m.why[to.Pos()]; why != "" {
		m.why[v.Pos()] = why
	}
}
