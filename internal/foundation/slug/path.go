package slug

import (
	"path"
	"strings"
)

// Page converts the path of a source file ("guides/start.mdx") to the path of its page ("guides/start").
func Page(file string) string {
	return strings.TrimSuffix(file, path.Ext(file))
}

// Clean converts a page path as people write it ("/guides/start/", "./start.mdx", "start.html") to the form of
// Page. ok is false if the path leaves the site or is empty. "/" becomes "index".
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

// Words derives a title from the last segment of a path: "guides/first-steps" → "First steps".
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
