package route

import (
	"net/http"
	"net/url"
	"strings"
)

// advert is a machine-readable file. If the site has it, responses link to it.
type advert struct {
	file, rel, kind string
}

// adverts lists these files in the order that the Link header uses.
var adverts = []advert{
	{"llms.txt", "llms-txt", "text/plain"},
	{"llms-full.txt", "llms-full-txt", "text/plain"},
	{"sitemap.xml", "sitemap", "application/xml"},
	{".well-known/api-catalog", "api-catalog", "application/linkset+json"},
	{".well-known/mcp/server-card.json", "mcp-server-card", "application/json"},
	{".well-known/agent-card.json", "agent-card", "application/json"},
	{".well-known/agent-skills/index.json", "agent-skills", "application/json"},
	{"skill.md", "skill", "text/markdown"},
}

// SetPageHeaders adds Link headers to a page or its Markdown form. The headers refer to the other form and to the
// site's machine-readable lists. name is the name of the file. origin is the site's origin without a trailing slash, or
// "" if unknown. Other files get no headers.
func SetPageHeaders(h http.Header, name, origin string, has func(string) bool) {
	var links []string
	if page, ok := PageOf(name, has); ok {
		links = append(links, "<"+origin+Clean(page)+`>; rel="canonical"`)
		h.Set("X-Robots-Tag", "noindex") // search engines should list the page itself
	} else if twin, ok := Twin(name, has); ok {
		links = append(links, "<"+FilePath(twin)+`>; rel="alternate"; type="text/markdown"`)
		h.Add("Vary", "Accept")
	} else if !strings.HasSuffix(name, ".html") {
		return
	}
	for _, a := range adverts {
		if has(a.file) {
			links = append(links, "</"+a.file+`>; rel="`+a.rel+`"; type="`+a.kind+`"`)
		}
	}
	if len(links) > 0 {
		h.Set("Link", strings.Join(links, ", "))
	}
	if has("llms.txt") {
		h.Set("X-Llms-Txt", "/llms.txt")
	}
}

// Rebase adds a base path such as /docs to the paths that SetPageHeaders set. It is for sites that are located below a
// path on their host.
func Rebase(h http.Header, base string) {
	if base == "" {
		return
	}
	if links := h.Get("Link"); links != "" {
		h.Set("Link", strings.ReplaceAll(links, "</", "<"+base+"/"))
	}
	if list := h.Get("X-Llms-Txt"); list != "" {
		h.Set("X-Llms-Txt", base+list)
	}
}

// Below returns a request's path below a base such as /docs; it is "" for the base itself. ok is false if the path
// is not below the base.
func Below(path, base string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(path, base)
	return rest, ok && (rest == "" || rest[0] == '/')
}

// SlashCanonical adds a trailing slash to the canonical URL that SetPageHeaders set.
func SlashCanonical(h http.Header) {
	const mark = `>; rel="canonical"`
	if before, after, ok := strings.Cut(h.Get("Link"), mark); ok && !strings.HasSuffix(before, "/") {
		h.Set("Link", before+"/"+mark+after)
	}
}

// FilePath returns a file's path in a URL.
func FilePath(name string) string {
	u := url.URL{Path: "/" + name}
	return u.EscapedPath()
}

// Missing returns the body of a 404 response for a reader who requested Markdown. base is the path of the site.
func Missing(base string, has func(string) bool) string {
	text := "# Page not found\n\nThis page does not exist. It may have moved.\n"
	for _, list := range []string{"llms.txt", "sitemap.xml"} {
		if has(list) {
			return text + "\nAll pages are listed in [" + base + "/" + list + "](" + base + "/" + list + ").\n"
		}
	}
	return text
}
