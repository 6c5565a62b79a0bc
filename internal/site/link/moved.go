package link

import (
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/lectern-docs/lectern/internal/site"
)

// Moved is a parsed redirect from which the configuration of another server can be written.
type Moved struct {
	Source    string  // as the author wrote it
	Pieces    []Piece // the path to match; at most one piece matches several. The path is never the path of a page
	To        []Text  // destination: literals are URL-encoded and start with "/" or "http"; page URLs have no extension
	File      string  // the target file in the tree; "" = unknown
	Permanent bool
	// Covers is set if the redirect also matches pages of the tree. Pages take precedence over redirects, so a server
	// that applies rules before it looks for files must not use this one.
	Covers bool
}

// Piece matches one piece of a path: literal text, followed by a wildcard if Name is set.
type Piece struct {
	Literal string
	Name    string
	Expr    string // regular expression for the wildcard; "" = anything
	Many    bool   // matches this piece and any number of pieces after it
}

// Exact returns the path of a redirect that matches only one path.
func (m Moved) Exact() (path string, ok bool) {
	for _, p := range m.Pieces {
		if p.Name != "" {
			return "", false
		}
		path += "/" + p.Literal
	}
	return path, true
}

// Moved lists the redirects that a server needs when it serves the files of this tree: exact redirects and folders,
// then patterns in their order. It omits rules that are never used, lead nowhere, or would let readers choose the host.
func (t *Table) Moved(rules []site.Redirect) (out []Moved) {
	clean := *t
	clean.style, clean.root = Clean, ""
	seen := map[string]bool{}
	for _, r := range append(slices.Clip(rules), t.Folders()...) {
		m, ok := clean.exact(r)
		if path, _ := m.Exact(); ok && !seen[path] {
			seen[path] = true
			out = append(out, m)
		}
	}
	names := t.names()
	for _, p := range t.redirects.patterns {
		shape := shapeOf(p.to.Source)
		if _, ends := t.follow(p.to); ends && !seen[shape] && strayWildcard(p.to) == "" &&
			!ours(strings.TrimPrefix(shape, "/")) {
			seen[shape] = true
			out = append(out, clean.spread(p, seen, names)...)
		}
	}
	return out
}

// exact parses a rule for a single path. t must use clean URLs.
func (t *Table) exact(r site.Redirect) (m Moved, ok bool) {
	source := SourcePath(r.Source)
	if Wildcard(source) || t.taken(source) {
		return m, false
	}
	m = Moved{Source: r.Source, Pieces: literals(source), Permanent: r.Permanent}
	return m, t.lead(&m, source, r.Destination)
}

// lead sets a destination that has no wildcards.
func (t *Table) lead(m *Moved, source, dest string) bool {
	page := strings.TrimPrefix(source, "/")
	target := t.From(page, page).Resolve(dest)
	href := target.Href
	switch scheme, web := schemeOf(href); {
	case target.Kind == Broken, target.Kind == ToAnchor, href == "", web && scheme != "http" && scheme != "https":
		return false
	case target.Kind == ToFile:
		m.File = target.File
	case target.Kind == ToPage && t.pages[target.Page]:
		m.File = File(target.Page)
		if at := strings.IndexAny(href+"?", "?#"); href[:at] != "/" { // if href is a folder, use the path of its page
			href = t.Path(target.Page) + href[at:]
		}
		if path := t.Path(target.Page); path != "/" && strings.HasSuffix(target.Page, "/index") &&
			strings.HasPrefix(href, path) {
			href = path + "/" + href[len(path):] // so that relative links on the page work
		}
	}
	m.To = []Text{{Literal: href}}
	return true
}

// taken reports whether the tree has a file at a path, or the path is the root.
func (t *Table) taken(path string) bool {
	p := strings.TrimPrefix(path, "/")
	return p == "" || t.shows(path) || t.assets[p] || t.made(p) || ours(p)
}

// ours reports whether a path is in the folder of the platform's own files.
func ours(p string) bool { return p == "_lectern" || strings.HasPrefix(p, "_lectern/") }

// spread splits a pattern with a wildcard for several pieces in two: one for paths where the wildcard matches nothing,
// and one where it matches at least one piece.
func (t *Table) spread(p pattern, seen map[string]bool, names []string) (out []Moved) {
	with := Moved{Source: p.to.Source, Permanent: p.to.Permanent, To: address(p.dest, "")}
	for _, one := range p.head {
		with.Pieces = append(with.Pieces, one.public())
	}
	without := with
	without.Pieces = slices.Clone(with.Pieces)
	if p.many != "" {
		with.Pieces = append(with.Pieces, Piece{Literal: p.prefix, Name: p.many, Many: true})
		if p.prefix != "" {
			without.Pieces = append(without.Pieces, Piece{Literal: p.prefix})
		}
	}
	for _, one := range p.tail {
		with.Pieces = append(with.Pieces, one.public())
		without.Pieces = append(without.Pieces, one.public())
	}
	with.Covers = t.covers(p, names)
	without.To, without.Covers = address(p.dest, p.many), with.Covers
	list := []Moved{with}
	if p.many != "" {
		list = []Moved{without, with}
	}
	for _, m := range list {
		path, exact := m.Exact()
		if exact && (seen[path] || t.taken("/"+strings.TrimPrefix(path, "/"))) {
			continue
		}
		if exact {
			seen[path], m.Covers = true, false
		}
		if len(m.To) == 1 && m.To[0].Name == "" && !t.lead(&m, path, m.To[0].Literal) || len(m.To) == 0 {
			continue
		}
		out = append(out, m)
	}
	return out
}

// public converts a piece to its exported form.
func (p piece) public() Piece {
	out := Piece{Literal: p.literal, Name: p.name}
	if p.expr != nil {
		out.Expr = strings.TrimSuffix(strings.TrimPrefix(p.expr.String(), "^(?:"), ")$")
	}
	return out
}

// address URL-encodes the literals of a destination and drops the wildcard that is called none. It returns nil for
// schemes that pages must not link to.
func address(dest []Text, none string) (out []Text) {
	for _, part := range dest {
		part.Literal = escapeQuery(part.Literal)
		switch last := len(out) - 1; {
		case part.Name != "" && part.Name == none:
		case part.Name == "" && last >= 0 && out[last].Name == "":
			out[last].Literal += part.Literal
		default:
			out = append(out, part)
		}
	}
	if len(out) == 0 || out[0].Name != "" {
		out = append([]Text{{Literal: "/"}}, out...)
	}
	first := &out[0].Literal
	switch scheme, web := schemeOf(*first); {
	case web && scheme != "http" && scheme != "https":
		return nil
	case !web:
		*first = "/" + strings.TrimLeft(*first, "/")
	}
	if last := &out[len(out)-1]; none != "" && last.Literal != "/" && last.Name == "" &&
		!strings.HasSuffix(last.Literal, "://") {
		last.Literal = strings.TrimSuffix(last.Literal, "/")
	}
	return out
}

func literals(path string) (out []Piece) {
	for _, s := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		out = append(out, Piece{Literal: s})
	}
	return out
}

// names returns the sorted paths of the tree's files, including some files that every build generates.
func (t *Table) names() []string {
	out := []string{"404.html", "robots.txt", "sitemap.xml", "llms.txt", ".well-known/llms.txt", "_lectern/theme.css"}
	out = slices.AppendSeq(slices.AppendSeq(out, maps.Keys(t.pages)), maps.Keys(t.assets))
	for page := range t.pages {
		if dir, ok := strings.CutSuffix(page, "/index"); ok {
			out = append(out, dir)
		}
	}
	slices.Sort(out)
	return out
}

// covers reports whether a pattern matches at least one of names, which must be sorted.
func (t *Table) covers(p pattern, names []string) bool {
	start := ""
	for _, one := range p.head {
		if start += one.literal; one.name != "" {
			break
		}
		start += "/"
	}
	for i := sort.SearchStrings(names, start); i < len(names) && strings.HasPrefix(names[i], start); i++ {
		if _, ok := p.match(strings.Split(names[i], "/")); ok {
			return true
		}
	}
	dir := strings.TrimSuffix(start, "/") // the pattern may match the folder itself
	if i := sort.SearchStrings(names, dir); dir != "" && i < len(names) && names[i] == dir {
		_, ok := p.match(strings.Split(dir, "/"))
		return ok
	}
	return false
}
