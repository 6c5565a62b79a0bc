package slug

import (
	"path"
	"strings"
)

// Page converts a source file's path ("guides/start.mdx") to its page path ("guides/start").
func Page(file string) string {
	return strings.TrimSuffix(file, path.Ext(file))
}

// Clean converts a page path that a person wrote ("/guides/start/", "./start.mdx", "start.html") to the form of Page.
// ok is false when it leaves the site or names nothing. "/" is "index".
func Clean(written string) (page string, ok bool) {
	p := path.Clean("/" + strings.TrimPrefix(strings.TrimSpace(written), "./"))
	if strings.Contains("/"+written+"/", "/../") || strings.ContainsAny(p, "\\\x00") {
		return "", false
	}
	p = strings.TrimPrefix(p, "/")
	switch path.Ext(p) {
	case ".mdx", ".md", ".html":
		p = Page(p)
	}
	if p == "" {
		return "index", true
	}
	return p, true
}

// Words makes a title from a path's last segment: "guides/first-steps" → "First steps".
func Words(page string) string {
	base := path.Base(page)
	if base == "index" && path.Dir(page) != "." {
		base = path.Base(path.Dir(page))
	}
	base = strings.TrimSpace(strings.NewReplacer("-", " ", "_", " ").Replace(base))
	for i, r := range base {
		return strings.ToUpper(string(r)) + base[i+len(string(r)):]
	}
	return "Untitled"
}
