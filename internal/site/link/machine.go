package link

import "strings"

// Mapped reports whether the tree has a sitemap. Sitemaps list absolute URLs, so an export without an origin has no
// sitemap.
func (t *Table) Mapped() bool { return t.style == Clean || t.base != "" }

// made reports whether p is a machine-readable file that a build generates. Authors may link to it.
func (t *Table) made(p string) bool {
	switch p {
	case "sitemap.xml":
		return t.Mapped()
	case "llms.txt", "llms-full.txt", "robots.txt", "skill.md":
		return true
	}
	for _, end := range []string{"/llms.txt", "/llms-full.txt", "/rss.xml"} {
		if strings.HasSuffix(p, end) {
			return true
		}
	}
	return strings.HasPrefix(p, ".well-known/")
}

// Markdown returns the URL of a target for the Markdown form of this page. For a page, it is the URL of that page's
// Markdown form. It includes the origin if that is known, because the text may be read elsewhere. It returns "" for
// URLs that must not be written.
func (f From) Markdown(t Target) string {
	switch t.Kind {
	case ToPage:
		return f.origin() + f.File(Twin(t.Page)) + suffix("", t.Anchor)
	case ToFile, Broken:
		return f.origin() + t.Href
	}
	return t.Href
}

// origin returns the prefix of absolute URLs of this tree, or "" for trees with relative links.
func (f From) origin() string {
	if f.t.style == Clean {
		return f.t.origin
	}
	return ""
}
