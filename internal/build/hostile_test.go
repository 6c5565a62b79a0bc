package build

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/build/llmstxt"
	"github.com/lectern-docs/lectern/internal/site/link"
)

var (
	anyTag  = regexp.MustCompile(`<[a-zA-Z][^>]*>`)
	handler = regexp.MustCompile(
		`(?i)\son[a-z]+=|\sstyle=|<(?:style|object|embed|form|base)\b|<iframe[^>]*srcdoc|<animate[^>]*attributeName="[^"]*href|(?:href|src|content)="[^"]*(?:javascript|vbscript|data):`)
	script = regexp.MustCompile(
		`^<script(?: defer)? src="(?:/|(?:\.\./)*)_lectern/(?:boot|theme|moved|nearest)\.[0-9a-f]{10}\.js"` +
			`(?: data-(?:fonts|to)="[^"<>]*")?>$|` +
			`^<script data-mark="_lectern/root\.[0-9a-f]{10}\.css"(?: data-base="[^"<>]*")?>$`)
)

// noIcon keeps browsers from requesting an icon that a site does not have.
const noIcon = `<link rel="icon" href="data:,">`

// C5, C6: every page of the site has only our two scripts, and no event handler, inline style or other URL scheme, no
// matter what authors put into pages, front matter, the site file and file names.
func TestHostileSiteInjectsNothingIntoPages(t *testing.T) {
	evil := `\"><script>alert(1)</script><img src=x onerror=alert(1)>`
	src := files(map[string]string{
		"docs.json": `{"name": "` + evil + `", "description": "` + evil +
			`", "favicon": "javascript:x", "logo": {"light": "data:text/html,x", "dark": "` +
			evil + `", "href": "javascript:x"},
 "colors": {"primary": "red} body{background:url(https://evil.example)"}, "appearance": {"default": "` + evil + `"},
 "navbar": {"links": [{"label": "` + evil + `", "href": "javascript:alert(1)"}, {"label": "` + evil + `", "href": "` +
			evil + `"}], "primary": {"label": "x", "href": "java\tscript:x"}},
 "footer": {"socials": {"` + evil + `": "vbscript:x"}, "links": [{"header": "` + evil + `", "items": [{"label": "` +
			evil + `", "href": "data:x"}]}]},
 "navigation": {"tabs": [{"tab": "` + evil + `", "icon": "` + evil + `", "pages": ["index", {"group": "` + evil +
			`", "tag": "` + evil +
			`", "pages": ["second"]}]}, {"tab": "x", "href": "javascript:x"}], "languages": [{"language": "` +
			evil + `", "pages": ["third"]}]},
 "redirects": [{"source": "/a\"><script>alert(1)</script>", "destination": "/index"}, {"source": "/b", "destination": "javascript:alert(1)"}, {"source": "/../../etc/passwd", "destination": "/index"}, {"source": "/r", "destination": "/\"><script>alert(1)</script>"}]}`,
		"index.mdx": "---\ntitle: \"" + evil + "\"\ndescription: \"" + evil +
			"\"\ncanonical: \"javascript:x\"\nurl: \"javascript:x\"\nmode: \"" + evil + "\"\nrobots: \"" + evil +
			"\"\nkeywords: [\"" + evil + "\"]\nog:image: \"" + evil +
			"\"\n---\n<script>alert(1)</script>\n\n[x](javascript:alert(1))\n\n<img src=\"x\" onerror=\"alert(1)\" onError={alert} style=\"background:url(javascript:x)\" />\n\n<svg><a href=\"javascript:x\" xlinkHref=\"javascript:y\"><animate attributeName=\"href\" to=\"javascript:z\" /></a></svg>\n\n<iframe src=\"javascript:x\" srcDoc=\"<script>x</script>\" />\n\n<div dangerouslySetInnerHTML={{ __html: '<img src=x onerror=alert(1)><script>x</script><a href=javascript:x>y</a>' }} />\n\n{'<script>'}\n",
		"second.mdx":          "# <script>alert(1)</script>\n\n## \"><svg onload=\"alert(1)\" />\n\n## two {#\"onclick=\"x}\n",
		"third.mdx":           "x",
		"\"><svg onload=x.md": "x",
		"a&b'c.png":           "x",
		"page \" quote.mdx":   "[y](<a&b'c.png>)",
	})
	for _, style := range []link.Style{link.Clean, link.Relative} {
		out, r := build(t, src, Options{Links: style, BaseURL: "https://d.example"})
		if r.Pages < 4 {
			t.Fatalf("only %d pages: %v", r.Pages, r.Diagnostics)
		}
		for name, text := range out.files {
			if strings.HasSuffix(name, ".css") && strings.Contains(text, "evil") {
				t.Errorf("%s: %s", name, text)
			}
			if !strings.HasSuffix(name, ".html") {
				continue
			}
			harmlessPage(t, name, text)
		}
	}
}

// harmlessPage checks that a page has only our scripts, and no event handler, inline style or other URL scheme.
func harmlessPage(t *testing.T, name, text string) {
	t.Helper()
	graph, end, ok := "", "", true
	for before := text; ok; before = end { // data for search engines: no tag can begin or end in it
		if _, graph, ok = strings.Cut(before, `<script type="application/ld+json">`); ok {
			graph, end, _ = strings.Cut(graph, "</script>")
			text = strings.Replace(text, `<script type="application/ld+json">`+graph+"</script>", "", 1)
			if strings.ContainsAny(graph, "<>&") || !json.Valid([]byte(graph)) {
				t.Errorf("%s contains %s", name, graph)
			}
		}
	}
	for _, tag := range anyTag.FindAllString(text, -1) {
		if strings.HasPrefix(tag, "<script") && !script.MatchString(tag) ||
			!strings.HasPrefix(tag, "<script") && handler.MatchString(outsideValues(tag)) && tag != noIcon {
			t.Errorf("%s contains %s", name, tag)
		}
	}
}

// outsideValues truncates attribute values. Only their start matters, because a scheme there is harmful and text after
// it is not.
func outsideValues(tag string) string {
	return regexp.MustCompile(`"[^"]*"`).
		ReplaceAllStringFunc(tag, func(v string) string { return v[:min(len(v)-1, 14)] + `"` })
}

func TestLlmsTxtIsBounded(t *testing.T) {
	out, _ := build(t, &generated{pages: 2500}, Options{BaseURL: "https://docs.example.com"})
	text := out.files["llms.txt"]
	if n := len([]rune(text)); n > llmstxt.Max || n < llmstxt.Max/2 {
		t.Errorf("%d characters", n)
	}
	if !strings.HasPrefix(text, "# Generated\n") ||
		!strings.Contains(text, "- [Page 7](https://docs.example.com/p000007.md)") || !strings.HasSuffix(text,
		"The list is truncated here; all pages are in [the sitemap](https://docs.example.com/sitemap.xml).\n") {
		t.Errorf("starts %q ends %q", text[:200], text[len(text)-100:])
	}
}
