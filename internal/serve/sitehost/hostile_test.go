package sitehost_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// C4, C5: whatever an author puts into the folder, only the site's pages are served as documents that can act for the
// site, and every response has the security headers.
func TestAuthorFilesCannotActForTheSite(t *testing.T) {
	const evil = `<html xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></html>`
	s := newStage(t)
	files := siteFiles("one")
	files["log.mdx"] = "---\ntitle: Log\nrss: true\n---\n<Update label=\"v1\">" + "`<script>`" + "</Update>\n"
	for _, name := range []string{
		"evil.html", "evil.htm", "evil.HTML", "evil.xhtml", "evil.xml", "evil.svg", "evil.SVG", "evil.svgz", "evil.xsl",
		"evil.xslt", "evil.mht", "evil.shtml", "evil.php", "evil.rdf", "evil.atom", "evil.js", "evil.mjs",
		"evil.css", "evil.txt", "evil.json", "evil.csv", "evil.yaml", "evil.pdf", "evil.vtt", "evil.webmanifest",
		"evil", "evil.", "evil.swf", "evil.htc", "evil.hta", "evil.wasm", "sitemap.xml", "llms.txt",
		".well-known/evil.html", ".well-known/evil.svg", ".well-known/evil", ".well-known/evil.xml",
		".well-known/evil.js", ".well-known/security.txt", ".well-known/api-catalog",
		".lectern/skills/evil/SKILL.md", "twin.mdx",
	} {
		files[name] = evil
	}
	files["twin.mdx"] = "---\ntitle: \"<script>alert(1)</script>\"\n---\n```html\n" + evil + "\n```\n"
	s.publish(t, s.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, files)}), deploy.Production)
	paths := []string{"/", "/twin", "/twin.md", "/log/rss.xml", "/skill.md", "/.well-known/agent-skills/evil/SKILL.md",
		"/nowhere", "/old", "/_lectern/search/index.js", "/mcp", "/.well-known/agent-card.json", "/llms-full.txt"}
	for name := range files {
		paths = append(paths, "/"+name)
	}
	for _, path := range paths {
		for _, accept := range []string{"text/html", "text/markdown", "image/svg+xml"} {
			for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, "TRACE"} {
				r := s.do(httptest.NewRequestWithContext(t.Context(), method, "http://docs.example.com"+path, nil),
					"Accept", accept)
				guarded(t, method+" "+path, r)
				kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
				text := body(t, r)
				switch {
				case kind == "text/html" && strings.Contains(text, "<script>alert(1)"):
					t.Errorf("%s is a page with the author's script", path)
				case strings.HasSuffix(kind, "xml") &&
					!strings.HasPrefix(r.Header.Get("Content-Security-Policy"), "sandbox;"):
					t.Errorf("%s is a document without a sandbox: %v", path, r.Header)
				case strings.Contains(kind, "xsl"), strings.Contains(kind, "html") && kind != "text/html", kind == "" &&
					text != "":
					t.Errorf("%s is %q", path, kind)
				}
			}
		}
	}
}

// guarded checks the headers that every response on a site's domain must have.
func guarded(t *testing.T, what string, r *http.Response) {
	t.Helper()
	for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "X-Frame-Options": "SAMEORIGIN",
		"Referrer-Policy": "strict-origin-when-cross-origin"} {
		if got := r.Header.Values(name); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %s is %q", what, name, got)
		}
	}
	csp := r.Header.Values("Content-Security-Policy")
	if len(csp) != 1 || strings.Contains(csp[0], "unsafe-eval") ||
		strings.Contains(csp[0], "unsafe-inline") && !strings.HasPrefix(csp[0], "sandbox; default-src 'none'") {
		t.Errorf("%s: policy %q", what, csp)
	}
}

// C5: responses under sites' host names have the headers even if no site is published there, and caches must
// distinguish the formats of 404 responses.
func TestResponsesWithoutSiteHaveSecurityHeaders(t *testing.T) {
	s := newStage(t)
	p := s.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, siteFiles("one"))})
	guarded(t, "before the first publish", s.get(t, "docs.example.com", "/"))
	guarded(t, "an unknown preview", s.get(t, "dep-x.preview.localhost", "/"))
	s.publish(t, p, deploy.Production)
	for _, accept := range []string{"text/html", "text/markdown"} {
		if r := s.get(t, "docs.example.com", "/nowhere", "Accept",
			accept); !strings.Contains(strings.Join(r.Header.Values("Vary"), ","), "Accept") ||
			strings.Join(r.Header.Values("Vary"), ",") == "Accept-Encoding" {
			t.Errorf("%s: Vary %q", accept, r.Header.Values("Vary"))
		}
	}
}
