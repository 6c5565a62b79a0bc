package link

import "strings"

// Mapped tells whether the tree has a sitemap. One without an origin would be of no use to anybody: it lists whole addresses.
func (t *Table) Mapped() bool { return t.style == Clean || t.base != "" }

// made tells files that a build writes for machines; authors may link to them.
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

// Markdown is the address of a target as the Markdown form of this page gives it: pages by their Markdown forms, with the origin when it
// is known, since whoever reads the text may not know where it came from. "" for what must not be written out.
func (f From) Markdown(t Target) string {
	switch t.Kind {
	case ToPage:
		return f.origin() + f.File(Twin(t.Page)) + suffix("", t.Anchor)
	case ToFile, Broken:
		return f.origin() + t.Href
	}
	return t.Href
}

// origin is what makes an address of this tree whole. Trees that work anywhere stay within themselves.
func (f From) origin() string {
	if f.t.style == Clean {
		return f.t.base
	}
	return ""
}
