package link

import "strings"

// made tells files that a build writes for machines; authors may link to them.
func made(p string) bool {
	switch p {
	case "llms.txt", "llms-full.txt", "sitemap.xml", "robots.txt", "skill.md":
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
