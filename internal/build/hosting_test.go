package build

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// B9, B10: every exact redirect is a page that leads to a file of the tree, or to the web.
func TestEveryExactRedirectInBundleResolves(t *testing.T) {
	const count = 300
	targets := []string{"/guides/start", "/guides/next#part", "/guides", "/", "/img/a.png", "guides/next", "/gone",
		"https://example.com/x", "/hop/0", "/w/next", "javascript:x"}
	var rules []string
	sources := map[string]string{}
	for i := range count {
		source := []string{"/hop/%d", "/deep/a/b/c/%d", "/sp%%20ace %d", "/ünï/%d.html", "/%d/", "//double//%d"}[i%6]
		source = fmt.Sprintf(source, i)
		sources[source] = targets[i%len(targets)]
		rules = append(rules, fmt.Sprintf(`{"source": %q, "destination": %q}`, source, sources[source]))
	}
	src := small()
	src["docs.json"] = &fstest.MapFile{
		Data: []byte(`{"name": "S", "navigation": ["guides/start", "guides/next"], "redirects": [` +
			strings.Join(rules, ",") + `, {"source": "/w/:x*", "destination": "/guides/:x*"}]}`)}
	out, _ := build(t, src, Options{Links: link.Relative, BaseURL: "https://d.example"})
	refresh := regexp.MustCompile(`<noscript><meta http-equiv="refresh" content="0; url=([^"]*)"></noscript>`)
	seen := 0
	for source, target := range sources {
		name := strings.TrimSuffix(strings.Trim(link.SourcePath(source), "/"), ".html") + ".html"
		html, ok := out.files[name]
		// a relative target is resolved against the source of the rule, so it may not exist
		if lost := target == "/gone" || target == "javascript:x"; lost || target == "guides/next" && !ok {
			if lost && ok {
				t.Errorf("%s leads to %s, which does not exist: %s", source, target, html)
			}
			continue
		}
		m := refresh.FindStringSubmatch(html)
		if m == nil {
			t.Errorf("no page for %s → %s: %s", source, target, html)
			continue
		}
		seen++
		if !strings.Contains(html, `data-to="`+m[1]+`"`) || strings.HasPrefix(m[1], "/") {
			t.Errorf("%s: %s", source, html)
		}
		file, _, _ := strings.Cut(m[1], "#")
		if _, ok := out.files[path.Join(path.Dir(name), file)]; !ok && !strings.HasPrefix(file, "https://") {
			t.Errorf("%s (%s) leads to %s", source, name, m[1])
		}
	}
	if seen < count/2 {
		t.Errorf("only %d pages", seen)
	}
}

func TestBundleContainsHostConfiguration(t *testing.T) {
	src := small()
	src["_headers"] = &fstest.MapFile{Data: []byte("/x\n  A: b\n")}
	src["guides/index.mdx"] = &fstest.MapFile{Data: []byte("---\ntitle: G\n---\n")}
	out, _ := build(t, src, Options{Links: link.Relative, BaseURL: "https://d.example/docs",
		Offers: capability.Offers{Search: true}})
	for name, want := range map[string]string{
		"_redirects":                     "\n/docs/w/* /docs/guides/:splat 301\n",
		"_headers":                       "/x\n  A: b\n", // the author's own
		"_lectern/redirects.json":        `{"source":"/w/:slug*","destination":"/guides/:slug*","permanent":true}`,
		".nojekyll":                      "",
		"_lectern/hosting/nginx.conf":    `location = "/docs/old/path" { absolute_redirect off; return 301 "/docs/guides/next$is_args$args"; }`,
		"_lectern/hosting/apache.conf":   "RewriteEngine On",
		"_lectern/hosting/Caddyfile":     "try_files",
		"_lectern/hosting/vercel.json":   `"source": "/docs/guides"`,
		"_lectern/hosting/firebase.json": `"regex": "^/docs/away/?$"`,
		"_lectern/hosting/README.txt":    "'sha256-",
	} {
		if text, ok := out.files[name]; !ok || !strings.Contains(text, want) {
			t.Errorf("%s: no %q in %s", name, want, text)
		}
	}
	if clean, _ := build(t, src, Options{}); clean.files["_redirects"] != "" ||
		clean.files["_lectern/hosting/nginx.conf"] != "" {
		t.Error("a tree for our own server has rules for other hosts")
	}
}

// Files that hosts may cache forever never change under the same name.
func TestOnlyImmutableFilesAreCachedForever(t *testing.T) {
	src := small()
	src["guides/start.mdx"] = &fstest.MapFile{
		Data: []byte("---\ntitle: Start\n---\nimport { C } from '/snippets/c.jsx'\n\n$x^2$\n\n<C />\n")}
	src["snippets/c.jsx"] = &fstest.MapFile{
		Data: []byte(
			"import { useState } from 'react';\nexport function C() { const [n, set] = useState(0); return <button onClick={() => set(n + 1)}>{n}</button>; }")}
	out, _ := build(t, src, Options{Links: link.Relative, Offers: capability.Offers{Search: true}})
	fingerprinted := regexp.MustCompile(`\.[0-9a-f]{8,}\.[a-z0-9]+$`)
	folders := map[string]bool{}
	for _, name := range out.order {
		i := slices.IndexFunc(immutableFolders(), func(dir string) bool { return strings.HasPrefix(name, dir+"/") })
		if i < 0 {
			continue
		}
		folders[immutableFolders()[i]] = true
		if !fingerprinted.MatchString(name) {
			t.Errorf("%s is cached forever", name)
		}
	}
	for _, dir := range immutableFolders() {
		if !folders[dir] {
			t.Errorf("nothing in %s", dir)
		}
	}
}

// B9: canonical addresses and the sitemap use the base URL of the published site, and are absent when it is unknown.
func TestCanonicalURLsPointToPublishedSite(t *testing.T) {
	out, _ := build(t, small(), Options{Links: link.Relative, BaseURL: "https://d.example/docs"})
	if h := out.files["guides/start.html"]; !strings.Contains(h,
		`<link rel="canonical" href="https://d.example/docs/guides/start">`) {
		t.Errorf("page %s", h)
	}
	if m := out.files["sitemap.xml"]; !strings.Contains(m, "<loc>https://d.example/docs/guides/start</loc>") ||
		strings.Contains(m, ".html") {
		t.Errorf("sitemap %s", m)
	}
	if h := out.files["old/path.html"]; !strings.Contains(h,
		`<link rel="canonical" href="https://d.example/docs/guides/next">`) {
		t.Errorf("redirect %s", h)
	}
	out, _ = build(t, small(), Options{Links: link.Relative})
	for name, text := range out.files {
		if strings.HasSuffix(name, ".html") &&
			(strings.Contains(text, `rel="canonical"`) && name != "away.html" || strings.Contains(text, "og:url")) {
			t.Errorf("%s: %s", name, text)
		}
	}
	if m, ok := out.files["sitemap.xml"]; ok || strings.Contains(out.files["robots.txt"], "Sitemap") ||
		strings.Contains(out.files["llms.txt"], "sitemap") {
		t.Errorf("a sitemap without a base URL: %s", m)
	}
}

func TestPartialExportLinksToPublishedSite(t *testing.T) {
	src := small()
	src["docs.json"] = &fstest.MapFile{
		Data: []byte(`{"name": "S", "navbar": {"links": [{"label": "Bar", "href": "/guides/start"}]}, "navigation": {"groups": [
		{"group": "A", "pages": ["guides/start", "guides/next"]}, {"group": "B", "pages": ["other/x"]}]},
		"redirects": [{"source": "/in", "destination": "/guides/next"}, {"source": "/out", "destination": "/guides/start#p"}, {"source": "/far/:x*", "destination": "/other/:x*"}]}`)}
	src["other/x.mdx"] = &fstest.MapFile{Data: []byte("---\ntitle: Xylophone\n---\ntext\n")}
	src["guides/next.mdx"] = &fstest.MapFile{
		Data: []byte(
			"---\ntitle: Next\n---\n[a](./start#sec) [b](/other) [c](/far/x) [d](/) <Card title=\"T\" href=\"/other/x\">c</Card> [e](#here)\n\n## Here\n")}
	out, r := build(t, src, Options{Paths: []string{"guides/next"}, BaseURL: "https://d.example", Links: link.Relative,
		Offers: capability.Offers{Search: true}})
	h := out.files["guides/next.html"]
	for _, want := range []string{
		`<a href="https://d.example/guides/start#sec">a</a>`, `<a href="https://d.example/other">b</a>`,
		`<a href="https://d.example/other/x">c</a>`, `<a href="../index.html">d</a>`,
		`href="https://d.example/other/x"`, `href="https://d.example/guides/start"`, `<a href="#here">e</a>`,
	} {
		if !strings.Contains(h, want) {
			t.Errorf("no %s in %s", want, h)
		}
	}
	if len(r.Diagnostics) != 0 {
		t.Errorf("findings %v", r.Diagnostics)
	}
	for _, name := range []string{"sitemap.xml", "llms.txt", "llms-full.txt", "index.html", "guides/next.html"} {
		if text := out.files[name]; text == "" || strings.Contains(text, "Xylophone") ||
			strings.Contains(text, ">Start<") {
			t.Errorf("%s: %s", name, text)
		}
	}
	if !strings.Contains(out.files["in.html"], `data-to="guides/next.html"`) ||
		!strings.Contains(out.files["out.html"], `data-to="https://d.example/guides/start#p"`) {
		t.Errorf("redirects %s %s", out.files["in.html"], out.files["out.html"])
	}
	if !strings.Contains(out.files["index.html"], `<h1 id="page-title">Next</h1>`) {
		t.Errorf("first page %s", out.files["index.html"])
	}

	out, r = build(t, src, Options{Paths: []string{"guides/next"}, Links: link.Relative})
	h = out.files["guides/next.html"]
	for _, ref := range hrefs(h) {
		if strings.HasPrefix(ref, "/") || strings.Contains(ref, "start") || strings.Contains(ref, "other") {
			t.Errorf("a link to %s, which does not exist", ref)
		}
	}
	if out.files["out.html"] != "" || strings.Count(codes(r.Diagnostics), "left-out-link") < 3 {
		t.Errorf("findings %s", codes(r.Diagnostics))
	}
}

func TestUnknownPathSuggestsNearestPage(t *testing.T) {
	_, r := build(t, small(), Options{Paths: []string{"guides/nxt", "guides/start"}, Links: link.Relative})
	for _, d := range r.Diagnostics {
		if d.Code == "unknown-path" && strings.Contains(d.Message, "guides/nxt") &&
			strings.Contains(d.Hint, `"guides/next"`) {
			return
		}
	}
	t.Errorf("findings %v", r.Diagnostics)
}
