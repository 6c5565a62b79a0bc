package rename

import (
	"net/url"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// ref returns the new form of a reference in a file. Relative references are resolved from the folder that the file is
// in before the moves, and written relative to the folder that it is in after the moves.
func (p *planner) ref(file, ref string) (string, bool) {
	body, rest, ok := link.Cut(ref)
	if !ok {
		return ref, false
	}
	plain, err := url.PathUnescape(body)
	if err != nil {
		return ref, false
	}
	escaped := plain != body
	absolute := strings.HasPrefix(plain, "/")
	target := strings.TrimPrefix(plain, "/")
	if !absolute {
		target = path.Join(path.Dir(file), plain)
		if strings.HasPrefix(target, "../") || target == ".." {
			return ref, false
		}
	}
	slash := ""
	if strings.HasSuffix(plain, "/") && plain != "/" {
		slash = "/"
	}
	target = path.Clean(target)
	next := p.target(target)
	if absolute {
		if next == target {
			return ref, false
		}
		return "/" + written(next, escaped) + slash + rest, true
	}
	if next == target && path.Dir(p.after(file)) == path.Dir(file) {
		return ref, false
	}
	out := relative(path.Dir(p.after(file)), next)
	if strings.HasPrefix(plain, "./") && !strings.HasPrefix(out, "../") {
		out = "./" + out
	}
	if out = written(out, escaped) + slash + rest; out == ref {
		return ref, false
	}
	return out, true
}

// written escapes a path if the author escaped it.
func written(p string, escaped bool) string {
	if !escaped {
		return p
	}
	return (&url.URL{Path: p}).EscapedPath()
}

// target returns the new path of a target in the same form as the old path: with or without extension, and with or
// without index.
func (p *planner) target(old string) string {
	if to, ok := p.moved[old]; ok { // the full name of a file: an asset, or a page with its extension
		return to
	}
	page, ok := slug.Clean(old)
	if !ok || p.assets[old] {
		return old
	}
	ending := ""
	if ext := path.Ext(old); ext != "" && slug.Page(old) == page && page != old || strings.HasSuffix(old, ".html") {
		ending = ext
	}
	switch {
	case p.present[page]:
		if to, ok := p.pages[page]; ok {
			return to + ending
		}
		return old
	case p.present[page+"/index"]:
		if to, ok := p.pages[page+"/index"]; ok {
			return strings.TrimSuffix(to, "/index")
		}
		return old
	}
	if p.folders[old] {
		return p.new + strings.TrimPrefix(old, p.old)
	}
	return old // it may be a redirect, and redirects stay unchanged
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
