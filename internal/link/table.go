package link

import (
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/site"
)

// Style is how addresses of our own pages are written.
type Style int

const (
	Clean    Style = iota // /guides/start
	Relative              // ../guides/start.html: works below any path and from a file system
)

// Table finds pages, assets and redirects by path. It does not change after New and is safe for concurrent use.
type Table struct {
	style     Style
	base      string // canonical origin without a slash at its end, or ""
	home      string // page shown at the root
	pages     map[string]bool
	left      map[string]bool
	assets    map[string]bool
	folders   map[string]string // folders without a page of their own, and the page that stands for each
	redirects *Redirects
}

// New builds the table of a site. home is the page that index.html shows.
func New(s *site.Site, style Style, base, home string) *Table {
	t := &Table{
		style: style, base: strings.TrimRight(base, "/"), home: home, redirects: NewRedirects(s.Redirects),
		pages: make(map[string]bool, len(s.Pages)), left: make(map[string]bool, len(s.Left)), assets: make(map[string]bool, len(s.Assets)),
	}
	for _, p := range s.Pages {
		t.pages[p.Path] = true
	}
	for _, p := range s.Left {
		t.left[p] = true
	}
	for _, a := range s.Assets {
		t.assets[a.Path] = true
	}
	for _, names := range [][]string{s.Styles, s.Scripts} { // they stand under their own names
		for _, name := range names {
			t.assets[name] = true
		}
	}
	t.folders = t.standIns(s.Nav)
	return t
}

// standIns finds the page that the address of a folder means: its README, else the first one below it in navigation.
func (t *Table) standIns(nav []*site.Node) map[string]string {
	out := map[string]string{}
	site.Walk(nav, func(n *site.Node) bool {
		if !t.pages[n.Page] {
			return true
		}
		for dir := path.Dir(n.Page); dir != "." && out[dir] == ""; dir = path.Dir(dir) { // one that is known has known parents
			out[dir] = n.Page
			if readme := dir + "/README"; t.pages[readme] {
				out[dir] = readme
			}
		}
		return true
	})
	for dir := range out {
		_, _, moved := t.redirects.Match("/" + dir)
		if moved || t.pages[dir] || t.pages[dir+"/index"] || t.left[dir] || t.left[dir+"/index"] || t.assets[dir] {
			delete(out, dir)
		}
	}
	return out
}

// Folders leads from each folder without a page of its own to the page that stands for it.
func (t *Table) Folders() []site.Redirect {
	out := make([]site.Redirect, 0, len(t.folders))
	for _, dir := range slices.Sorted(maps.Keys(t.folders)) {
		out = append(out, site.Redirect{Source: "/" + dir, Destination: t.Path(t.folders[dir])})
	}
	return out
}

// File is the path of a page's file in the tree.
func File(page string) string { return page + ".html" }

// Twin is the path of a page's Markdown form.
func Twin(page string) string { return page + ".md" }

// Path is the page's extension-less address from the root of the site: "/guides/start", "/" for the root's index.
func (t *Table) Path(page string) string {
	if page == "index" {
		return "/"
	}
	if dir, ok := strings.CutSuffix(page, "/index"); ok && !t.pages[dir] {
		page = dir
	}
	return "/" + escape(page)
}

// Canonical is the one address of a page that search engines should know; without an origin it is Path.
func (t *Table) Canonical(page string) string { return t.base + t.Path(page) }

// Public is the address of a file of the tree below the canonical origin; without an origin it is relative to the root.
func (t *Table) Public(file string) string {
	if t.base == "" {
		return escape(file)
	}
	return t.base + "/" + escape(file)
}

// From is the view of the table from one page.
type From struct {
	t    *Table
	page string // whose folder relative references start in
	out  string // where the page's file stands: differs from page for the copy at the root
}

// From looks from page; out is the page path it is written under.
func (t *Table) From(page, out string) From { return From{t: t, page: page, out: out} }

// Page is the address of a page that is in the tree.
func (f From) Page(page, anchor string) string {
	if anchor != "" {
		anchor = "#" + escapeFragment(anchor)
	}
	if f.t.style == Clean {
		return f.t.Path(page) + anchor
	}
	if f.out == page && anchor != "" {
		return anchor
	}
	return f.File(File(page)) + anchor
}

// File is the address of a file that is in the tree.
func (f From) File(file string) string {
	if f.t.style == Clean {
		return "/" + escape(file)
	}
	return relative(path.Dir(f.out), file)
}

// Root is the address of the site's first page.
func (f From) Root() string {
	if f.t.style == Clean {
		return "/"
	}
	return f.File("index.html")
}

// relative writes the way from a folder to a file.
func relative(dir, file string) string {
	var from []string
	if dir != "." {
		from = strings.Split(dir, "/")
	}
	to := strings.Split(file, "/")
	for len(from) > 0 && len(to) > 1 && from[0] == to[0] {
		from, to = from[1:], to[1:]
	}
	out := strings.Repeat("../", len(from)) + escape(strings.Join(to, "/"))
	if strings.Contains(to[0], ":") && len(from) == 0 {
		return "./" + out // the first piece would read as a scheme
	}
	return out
}

// escape percent-encodes each piece of a path.
func escape(p string) string {
	parts := strings.Split(p, "/")
	for i, s := range parts {
		parts[i] = url.PathEscape(s)
	}
	return strings.Join(parts, "/")
}

func escapeFragment(s string) string { return (&url.URL{Fragment: s}).EscapedFragment() }
