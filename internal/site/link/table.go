package link

import (
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/site"
)

// Style is the form of URLs for the site's own pages.
type Style int

const (
	Clean    Style = iota // /guides/start
	Relative              // ../guides/start.html: works under any path and in a file system
)

// Table finds pages, assets and redirects by path. It does not change after New and is safe for concurrent use.
type Table struct {
	style     Style
	base      string // canonical origin without a trailing slash, or ""
	origin    string // base without root
	root      string // prefix of clean URLs of the tree, such as /docs; "" = none
	home      string // page shown at the root
	slash     bool   // canonical URLs end with a slash
	pages     map[string]bool
	left      map[string]bool
	assets    map[string]bool
	folders   map[string]string // folder without its own page → the page that represents it
	redirects *Redirects

	leftFolders map[string]bool // folders with pages that are not in this tree
}

// New builds the table of a site. home is the page that index.html shows.
func New(s *site.Site, style Style, base, home string) *Table {
	t := &Table{
		style: style, base: strings.TrimRight(base, "/"), home: home, slash: s.SEO.TrailingSlash,
		redirects: NewRedirects(s.Redirects),
		pages:     make(map[string]bool, len(s.Pages)), left: make(map[string]bool, len(s.Left)),
		leftFolders: map[string]bool{}, assets: make(map[string]bool, len(s.Assets)),
	}
	for _, p := range s.Pages {
		t.pages[p.Path] = true
	}
	for _, p := range s.Left {
		t.left[p] = true
		for dir := path.Dir(p); dir != "." && !t.leftFolders[dir]; dir = path.Dir(dir) {
			t.leftFolders[dir] = true
		}
	}
	for _, a := range s.Assets {
		t.assets[a.Path] = true
	}
	for _, names := range [][]string{s.Styles, s.Scripts} { // these files keep their own names
		for _, name := range names {
			t.assets[name] = true
		}
	}
	t.folders = t.standIns(s.Nav)
	t.origin = t.base
	return t
}

// Below returns the table for a site with clean URLs that is located below a path on its host, such as /docs. If the
// base includes this path, it must end with it.
func (t *Table) Below(root string) *Table {
	out := *t
	out.root, out.origin = root, strings.TrimSuffix(t.base, root)
	return &out
}

// standIns maps each folder to the page that represents it: its README, or otherwise the first page in the navigation
// that is below the folder.
func (t *Table) standIns(nav []*site.Node) map[string]string {
	out := map[string]string{}
	site.Walk(nav, func(n *site.Node) bool {
		if !t.pages[n.Page] {
			return true
		}
		// if a folder is known, so are the folders above it
		for dir := path.Dir(n.Page); dir != "." && out[dir] == ""; dir = path.Dir(dir) {
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

// Folders returns redirects from each folder that has no page of its own to the page that represents it.
func (t *Table) Folders() []site.Redirect {
	out := make([]site.Redirect, 0, len(t.folders))
	for _, dir := range slices.Sorted(maps.Keys(t.folders)) {
		out = append(out, site.Redirect{Source: "/" + dir, Destination: t.Path(t.folders[dir])})
	}
	return out
}

// File returns the path of a page's file in the tree.
func File(page string) string { return page + ".html" }

// Twin returns the path of a page's Markdown form.
func Twin(page string) string { return page + ".md" }

// Path returns the page's path from the root of the site, without extension: "/guides/start", or "/" for the root's
// index.
func (t *Table) Path(page string) string {
	if page == "index" {
		return "/"
	}
	if dir, ok := strings.CutSuffix(page, "/index"); ok && !t.pages[dir] {
		page = dir
	}
	return "/" + escape(page)
}

// Canonical returns the canonical URL of a page for search engines. Without an origin, it equals Path.
func (t *Table) Canonical(page string) string {
	at := t.base + t.Path(page)
	if t.slash && !strings.HasSuffix(at, "/") {
		at += "/"
	}
	return at
}

// Public returns the URL of a file of the tree on the canonical origin. Without an origin, the URL is relative to the
// root.
func (t *Table) Public(file string) string {
	if t.base == "" {
		return escape(file)
	}
	return t.base + "/" + escape(file)
}

// From creates URLs for links on one page.
type From struct {
	t    *Table
	page string // page that relative references are relative to
	out  string // page path of the output file; differs from page for the copy at the root
}

// From returns a From for links on page. out is the page path of the output file.
func (t *Table) From(page, out string) From { return From{t: t, page: page, out: out} }

// Page returns the URL of a page in the tree.
func (f From) Page(page, anchor string) string {
	if anchor != "" {
		anchor = "#" + escapeFragment(anchor)
	}
	if f.t.style == Clean {
		return f.t.root + f.t.Path(page) + anchor
	}
	if f.out == page && anchor != "" {
		return anchor
	}
	return f.File(File(page)) + anchor
}

// File returns the URL of a file in the tree.
func (f From) File(file string) string {
	if f.t.style == Clean {
		return f.t.root + "/" + escape(file)
	}
	return relative(path.Dir(f.out), file)
}

// Root returns the URL of the site's first page.
func (f From) Root() string {
	if f.t.style == Clean {
		return f.t.root + "/"
	}
	return f.File("index.html")
}

// relative returns the relative path from a folder to a file. Every page has hundreds of such paths, so it avoids
// splitting them.
func relative(dir, file string) string {
	up := 0
	if dir != "." {
		same := shared(dir, file)
		dir, file = dir[min(same, len(dir)):], file[same:]
		if dir != "" {
			up = 1 + strings.Count(dir, "/")
		}
	}
	out := escape(file)
	if up > 0 {
		return strings.Repeat("../", up) + out
	}
	if first, _, _ := strings.Cut(file, "/"); strings.Contains(first, ":") {
		return "./" + out // otherwise the first piece would be parsed as a scheme
	}
	return out
}

// shared returns the length of the common folder prefix of a file's path and dir, including the last slash.
func shared(dir, file string) int {
	end := 0
	for i := 0; i < len(file); i++ {
		switch {
		case file[i] == '/' && (i == len(dir) || i < len(dir) && dir[i] == '/'):
			end = i + 1
		case i >= len(dir) || file[i] != dir[i]:
			return end
		}
	}
	return end
}

// escape percent-encodes each piece of a path. Most paths need no encoding.
func escape(p string) string {
	plain := true
	for i := 0; i < len(p) && plain; i++ {
		c := p[i]
		plain = c >= 'a' && c <= 'z' || c >= '-' && c <= '9' || c >= 'A' && c <= 'Z' || c == '_' || c == '~'
	}
	if plain {
		return p
	}
	parts := strings.Split(p, "/")
	for i, s := range parts {
		parts[i] = url.PathEscape(s)
	}
	return strings.Join(parts, "/")
}

func escapeFragment(s string) string { return (&url.URL{Fragment: s}).EscapedFragment() }
