package link

import "strings"

// Mapped reports whether the tree has a sitemap. Without an origin there is none: a sitemap lists absolute URLs.
func (t *Table) Mapped() bool { return t.style == Clean || t.base != "" }

// made reports whether a build generates this machine-readable file; authors may link to it.
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

// Markdown returns the URL of a target for the Markdown form of this page: pages by their Markdown forms, with the
// origin if known, since a reader of the text may not know where it came from. "" for URLs that must not be written.
func (f From) Markdown(t Target) string {
	switch t.Kind {
	case ToPage:
		return f.origin() + f.File(Twin(t.Page)) + suffix("", t.Anchor)
	case ToFile, Broken:
		return f.origin() + t.Href
	}
	return t.Href
}

// origin returns the prefix of absolute URLs of this tree; "" for trees with relative links.
func (f From) origin() string {
	if f.t.style == Clean {
		return f.t.origin
	}
	return ""
}
