package slug

import (
	"path"
	"strings"
)

// Page turns a source file's path ("guides/start.mdx") into its page path ("guides/start").
func Page(file string) string {
	return strings.TrimSuffix(file, path.Ext(file))
}

// Clean brings a page path that a person wrote ("/guides/start/", "./start.mdx", "start.html") into the form of Page.
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

// Words makes a title of a path's last piece: "guides/first-steps" → "First steps".
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
