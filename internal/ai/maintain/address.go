package maintain

import (
	"net/url"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/site/link"
)

func unescaped(p string) string {
	if u, err := url.PathUnescape(p); err == nil {
		return u
	}
	return p
}

func escaped(p string) string { return (&url.URL{Path: p}).EscapedPath() }

// spelling describes how to write the address of a place.
type spelling struct {
	folder  string // folder that relative addresses start from; "" = they cannot be used
	written string // path of the replaced address, as its author wrote it
	rooted  bool   // always start at the root, however the author wrote it
}

// write writes a place's address in the style of the address that it replaces: relative or not, with an extension or
// not, escaped or not.
func (v *view) write(to place, s spelling) string {
	p := to.path
	if to.page {
		p = v.ending(p, s.written)
	}
	var out string
	if strings.HasPrefix(s.written, "/") || s.rooted || s.folder == "" {
		out = "/" + p
	} else {
		out = relative(s.folder, p)
		if strings.HasPrefix(s.written, "./") && !strings.HasPrefix(out, "../") {
			out = "./" + out
		}
	}
	if strings.HasSuffix(s.written, "/") && out != "/" && path.Ext(out) == "" {
		out += "/"
	}
	if e := escaped(out); strings.Contains(s.written, "%") || strings.ContainsAny(out, " %?#\"'<>\\^`{|}") {
		return e
	}
	return out
}

// ending returns a page's path with its file's extension if the author wrote one, and otherwise without /index.
func (v *view) ending(page, written string) string {
	if ext := strings.ToLower(path.Ext(written)); ext == ".mdx" || ext == ".md" {
		if p := v.site.Find(page); p != nil && p.File != "" {
			return p.File
		}
	}
	if page == "index" {
		return ""
	}
	if dir, ok := strings.CutSuffix(page, "/index"); ok && v.site.Find(dir) == nil {
		return dir
	}
	return page
}

// relative returns the relative path from a folder to a path.
func relative(dir, to string) string {
	var from []string
	if dir != "." {
		from = strings.Split(dir, "/")
	}
	parts := strings.Split(to, "/")
	for len(from) > 0 && len(parts) > 1 && from[0] == parts[0] {
		from, parts = from[1:], parts[1:]
	}
	return strings.Repeat("../", len(from)) + strings.Join(parts, "/")
}

// leads reports whether an address on a page points to a place.
func (v *view) leads(page, ref string, to place) bool {
	t := v.table.From(page, page).Resolve(ref)
	switch t.Kind {
	case link.ToPage, link.ToAnchor:
		return to.page && t.Page == to.path
	case link.ToFile:
		return !to.page && t.File == to.path
	}
	return false
}
