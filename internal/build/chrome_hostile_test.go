package build

import (
	"regexp"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/site/link"
)

var cssString = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"|/\*(?s:.*?)\*/`)

// C6: no page contains an author's script, an event handler, an inline style or an address with another scheme, and no
// value breaks out of a style sheet rule. This holds for everything that the site file can set for banner, menus,
// switches, fonts, images and search engines, and for any front matter.
func TestHostileSettingsInjectNothingIntoPages(t *testing.T) {
	const evil = `\"><script>alert(1)</script><img src=x onerror=alert(1)>`
	const css = `x; } body { background: url(https://evil.example/x) } @import '//evil.example'; /*`
	src := files(map[string]string{
		"docs.json": `{"name": "` + evil + `", "theme": "` + evil + `", "colors": {"primary": "` + css +
			`", "light": "#fff;} x{y:url(//evil.example)}", "dark": "` + evil + `"},
 "banner": {"content": "**b** [x](javascript:alert(1)) <script>alert(1)</script> <img src=\"x\" onerror=\"alert(1)\" style={{background: 'url(//evil.example)'}} /> <iframe srcdoc=\"<script>x</script>\" /> {'</script><script>alert(1)</script>'}", "dismissible": true, "color": {"light": "` + css + `", "dark": "` + css + `"}, "type": "` + evil + `"},
 "fonts": {"family": "` + css + `", "source": "https://evil.example/a.woff2", "heading": {"family": "a\"; } body { x: url(//evil.example)", "source": "/a.woff2", "format": "woff2\") , url(//evil.example"}},
 "background": {"decoration": "` + evil +
			`", "image": {"light": "javascript:x", "dark": "/a.png\") } x { y: url(//evil.example"}, "color": {"light": "` + css + `", "dark": "` + css + `"}},
 "styling": {"eyebrows": "breadcrumbs", "codeblocks": {"theme": {"light": "` + css + `", "dark": "` + evil + `"}}},
 "contextual": {"options": ["copy", "view", "chatgpt", "mcp", "cursor", "vscode", "` + evil + `", {"title": "` + evil +
			`", "description": "` + evil + `", "icon": "` +
			evil + `", "href": "javascript:alert('$page')"}, {"title": "x", "description": "y", "href": "$page"},
   {"title": "d", "description": "y", "href": "data:text/html,$page"}, {"title": "q", "description": "y", "href": {"base": "java\nscript:alert(1)//", "query": [{"key": "` + evil + `", "value": "$page$path` + evil + `"}]}}, {"title": "ok", "description": "y", "href": {"base": "https://own.example/", "query": [{"key": "q", "value": "$page\"><script>"}]}}]},
 "seo": {"indexing": "all", "metatags": {"` + evil + `": "` + evil + `", "og:image": "` +
			evil + `", "canonical": "https://own.example/\"><script>", "refresh": "0;url=javascript:alert(1)"}, "organization": {"name": "</script><script>alert(1)</script>", "logo": "javascript:x", "sameAs": ["</script>"]}},
 "thumbnails": {"background": "../../etc/passwd", "fonts": {"family": "` + evil + `"}},
 "navbar": {"links": [{"label": "` + evil + `", "href": "javascript:x", "icon": "` + evil +
			`", "type": "github"}], "primary": {"type": "discord", "label": "` + evil + `", "href": "data:x"}},
 "footer": {"socials": {"x": "javascript:x", "github": "` + evil + `"}, "links": [{"header": "` + evil +
			`", "items": [{"label": "` + evil + `", "href": "vbscript:x"}]}]},
 "navigation": {"global": {"anchors": [{"anchor": "` + evil + `", "href": "javascript:x", "icon": "` + evil +
			`", "color": {"light": "` + css + `", "dark": "` + css + `"}}]},
   "languages": [{"language": "en", "default": true, "banner": {"content": "<svg onload=\"alert(1)\"><script>alert(1)</script></svg>"}, "versions": [{"version": "` + evil + `", "tag": "` + evil + `", "products": [{"product": "` + evil + `", "description": "` + evil + `", "icon": "` + evil + `",
     "tabs": [{"tab": "` + evil + `", "menu": [{"item": "` + evil + `", "description": "` + evil +
			`", "pages": ["index", {"group": "` + evil + `", "icon": "` + evil + `", "tag": "` +
			evil + `", "directory": "card", "root": "second", "pages": ["second", "third"]}]}]}, {"tab": "z", "href": "javascript:x"}]}]}]},
   {"language": "\"><script>", "pages": ["fr/index"]}]}}`,
		"index.mdx": "---\ntitle: \"</title><script>alert(1)</script>\"\ndescription: \"" + evil + "\"\ntag: \"" +
			evil + "\"\nicon: \"" + evil + "\"\nsidebarTitle: \"" + evil +
			"\"\nrelated: [second, \"javascript:x\", \"" + evil + "\"]\nlastUpdatedDate: \"" + evil +
			"\"\nrss: true\n\"og:image\": \"" + evil + "\"\n\"twitter:image\": \"" + evil +
			"\"\ncontextual: {options: [{title: x, description: y, href: \"javascript:x\"}]}\n---\n<Update label=\"" +
			"</h2><script>alert(1)</script>" +
			"\" description=\"<img src=x onerror=x>\" tags={[\"<script>x</script>\"]} rss={{title: '<script>x</script>', description: ']]><script>x</script>'}}>x</Update>\n",
		"second.mdx": "---\ntitle: second\nurl: \"javascript:alert(1)\"\n---\n", "third.mdx": "---\ntitle: \"" + evil +
			"\"\n---\n## " + "\"><script>x</script>" + "\n", "fr/index.mdx": "x", "a.woff2": "x", "a.png": "x",
	})
	for _, style := range []link.Style{link.Clean, link.Relative} {
		out, r := build(t, src, Options{Links: style, BaseURL: "https://d.example",
			Offers: capability.Offers{Search: true}, Cards: true, MCP: "https://d.example/mcp"})
		if r.Pages < 4 {
			t.Fatalf("only %d pages: %v", r.Pages, r.Diagnostics)
		}
		for name, text := range out.files {
			switch {
			case strings.HasSuffix(name, ".css"):
				if rules := cssString.ReplaceAllString(text, `""`); strings.Contains(rules, "evil") ||
					strings.Contains(rules, "@import") || strings.Count(rules, "{") != strings.Count(rules, "}") {
					t.Errorf("%s: %s", name, rules)
				}
			case strings.HasSuffix(name, ".xml"):
				if strings.Contains(text, "<script") || strings.Contains(text, "<img") {
					t.Errorf("%s: %s", name, text)
				}
			case strings.HasSuffix(name, ".html"):
				harmlessPage(t, name, text)
			}
		}
	}
}
