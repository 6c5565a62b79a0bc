package sitehost_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

func TestPageIsServedInTheRequestedFormat(t *testing.T) {
	s := newStage(t)
	s.publish(t, s.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, siteFiles("one"))}),
		deploy.Production)
	for accept, markdown := range map[string]bool{
		"":    false,
		"*/*": false,
		"text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8": false,
		"text/markdown":                         true,
		"text/plain":                            true,
		"text/markdown, */*":                    true,
		"text/markdown, text/html, */*":         true,
		"text/html, text/markdown":              false,
		"text/html;q=0.8, text/markdown":        true,
		"text/markdown;q=0.4, text/html":        false,
		"text/markdown;q=0, text/html":          false,
		"text/markdown;q=0":                     false,
		"TEXT/Markdown; charset=utf-8":          true,
		"text/plain;q=0.5, */*;q=0.1":           true,
		"text/plain;q=0.5, */*;q=0.9":           false,
		"text/markdown;q=high, text/html;q=0.9": true,
		"application/json":                      false,
	} {
		for _, path := range []string{"/", "/guides/start"} {
			r := s.get(t, "docs.example.com", path, "Accept", accept)
			want := "text/html; charset=utf-8"
			if markdown {
				want = "text/markdown; charset=utf-8"
			}
			vary := strings.Join(r.Header.Values("Vary"), ",")
			if r.StatusCode != 200 || r.Header.Get("Content-Type") != want || !strings.Contains(vary, "Accept") ||
				strings.HasPrefix(vary, "Accept-Encoding") {
				t.Errorf("%q %s: %d %s, Vary %s", accept, path, r.StatusCode, r.Header.Get("Content-Type"), vary)
			}
		}
	}
	html, twin := s.get(t, "docs.example.com", "/guides/start"),
		s.get(t, "docs.example.com", "/guides/start", "Accept", "text/markdown")
	if html.Header.Get("ETag") == twin.Header.Get("ETag") || twin.Header.Get("Content-Location") != "/guides/start.md" {
		t.Errorf("the formats share an ETag, or Content-Location is missing: %v", twin.Header)
	}
	if text := body(t, twin); text != body(t, s.get(t, "docs.example.com", "/guides/start.md")) ||
		!strings.HasPrefix(text, "# Start") {
		t.Errorf("the negotiated format differs from the file: %.60s", text)
	}
	if r := s.get(t, "docs.example.com", "/guides/start", "Accept", "text/markdown", "If-None-Match",
		twin.Header.Get("ETag")); r.StatusCode != http.StatusNotModified {
		t.Errorf("If-None-Match for the Markdown format: %d", r.StatusCode)
	}
	if r := s.get(t, "docs.example.com", "/guides/start.md", "Range",
		"bytes=0-6"); r.StatusCode != http.StatusPartialContent || body(t, r) != "# Start" {
		t.Errorf("a range: %d", r.StatusCode)
	}
}

func TestPagesLinkTheirOtherFormats(t *testing.T) {
	s := newStage(t)
	s.publish(t, s.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, siteFiles("one"))}), deploy.Production)
	page := s.get(t, "docs.example.com", "/guides/start")
	for _, want := range []string{`</guides/start.md>; rel="alternate"; type="text/markdown"`,
		`</llms.txt>; rel="llms-txt"`, `</sitemap.xml>; rel="sitemap"`} {
		if !strings.Contains(page.Header.Get("Link"), want) {
			t.Errorf("Link has no %s: %s", want, page.Header.Get("Link"))
		}
	}
	if page.Header.Get("X-Llms-Txt") != "/llms.txt" || page.Header.Get("X-Robots-Tag") != "" {
		t.Errorf("%v", page.Header)
	}
	twin := s.get(t, "docs.example.com", "/guides/start.md")
	if !strings.Contains(twin.Header.Get("Link"), `<https://docs.example.com/guides/start>; rel="canonical"`) ||
		twin.Header.Get("X-Robots-Tag") != "noindex" {
		t.Errorf("the Markdown format: %v", twin.Header)
	}
	if r := s.get(t, "docs.example.com", "/logo.svg"); r.Header.Get("Link") != "" {
		t.Errorf("an image: %v", r.Header)
	}
	for _, part := range strings.Split(page.Header.Get("Link"), ", ") {
		at := part[strings.Index(part, "<")+1 : strings.Index(part, ">")]
		if r := s.get(t, "docs.example.com", at); r.StatusCode != 200 {
			t.Errorf("Link leads to %s, which returns %d", at, r.StatusCode)
		}
	}
}

// An unknown path has the same status for every client; people get a page with a link to the first page, programs a
// list of pages.
func TestNotFoundIsServedInTheRequestedFormat(t *testing.T) {
	s := newStage(t)
	files := siteFiles("one")
	files["docs.json"] = strings.Replace(files["docs.json"], `"redirects"`,
		`"errors":{"404":{"redirect":true}},"redirects"`, 1)
	s.publish(t, s.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, files)}), deploy.Production)
	html := s.get(t, "docs.example.com", "/nowhere", "Accept", "text/html")
	if html.StatusCode != 404 || !strings.Contains(body(t, html), `href="/"`) {
		t.Errorf("a person: %d", html.StatusCode)
	}
	text := s.get(t, "docs.example.com", "/nowhere", "Accept", "text/markdown")
	if text.StatusCode != 404 || text.Header.Get("Content-Type") != "text/markdown; charset=utf-8" ||
		!strings.Contains(body(t, text), "/llms.txt") {
		t.Errorf("a program: %d %v", text.StatusCode, text.Header)
	}
}

// C5: every kind of response has the complete set of headers, and none allows inline scripts or eval.
func TestEveryKindOfResponseHasSecurityHeaders(t *testing.T) {
	s := newStage(t)
	files := siteFiles("one")
	files["drawn.mdx"] = "---\ntitle: Drawn\n---\n```mermaid\ngraph LR; A-->B\n```\n"
	files["math.mdx"] = "---\ntitle: Math\n---\n$$x^2$$ <div style={{color: 'red'}}>x</div>\n"
	files["photo.png"] = "\x89PNG\r\n\x1a\n"
	s.publish(t, s.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, files)}), deploy.Production)
	for _, path := range []string{"/", "/guides/start", "/guides/start.md", "/drawn", "/math", "/nowhere", "/old",
		"/logo.svg", "/photo.png", "/sitemap.xml", "/robots.txt", "/llms.txt", "/guides/start/", "/404"} {
		h := s.get(t, "docs.example.com", path).Header
		csp := h.Get("Content-Security-Policy")
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff",
			"Referrer-Policy":            "strict-origin-when-cross-origin",
			"Cross-Origin-Opener-Policy": "same-origin-allow-popups", "X-Frame-Options": "SAMEORIGIN"} {
			if h.Get(name) != want {
				t.Errorf("%s: %s is %q", path, name, h.Get(name))
			}
		}
		if !strings.Contains(h.Get("Permissions-Policy"), "camera=()") ||
			!strings.Contains(csp, "frame-ancestors 'self'") {
			t.Errorf("%s: %v", path, h)
		}
		script, style := directive(csp, "script-src"), directive(csp, "style-src")
		if strings.Contains(csp, "unsafe-eval") || strings.Contains(script, "unsafe") ||
			script == "" && !strings.Contains(csp, "default-src 'none'") {
			t.Errorf("%s: scripts: %q", path, csp)
		}
		if strings.Contains(style, "unsafe") && !strings.HasPrefix(csp, "sandbox;") {
			t.Errorf("%s: styles: %q", path, csp)
		}
	}
}

// directive returns one directive of a policy; "" if it is missing.
func directive(policy, name string) string {
	for part := range strings.SplitSeq(policy, ";") {
		if part = strings.TrimSpace(part); strings.HasPrefix(part, name+" ") {
			return part
		}
	}
	return ""
}

func TestHSTSIsSentOnlyOverHTTPS(t *testing.T) {
	built := &sitehost.Built{}
	if err := built.Put(t.Context(),
		output.File{Path: "index.html", ContentType: "text/html; charset=utf-8", Data: []byte("<p>")}); err != nil {
		t.Fatal(err)
	}
	for _, secure := range []bool{true, false} {
		host := sitehost.Single(sitehost.Options{Logger: slog.New(slog.DiscardHandler), Now: time.Now,
			Secure: func(*http.Request) bool { return secure }}, built)
		w := httptest.NewRecorder()
		host.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
		if got := w.Header().Get("Strict-Transport-Security") != ""; w.Code != 200 || got != secure {
			t.Errorf("secure %v: %d, Strict-Transport-Security: %v", secure, w.Code, got)
		}
	}
}

// C7: restricted pages are hidden from everyone if readers cannot be identified.
func TestRestrictedPagesAreNotFound(t *testing.T) {
	s := newStage(t)
	files := siteFiles("one")
	files["secret.mdx"] = "---\ntitle: Secret\ngroups: [staff]\n---\ncanary-7c1\n"
	s.publish(t, s.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, files)}), deploy.Production)
	for _, path := range []string{"/secret", "/secret.md", "/secret.html", "/SECRET", "/secret/"} {
		for _, accept := range []string{"text/html", "text/markdown"} {
			if r := s.get(t, "docs.example.com", path, "Accept", accept); r.StatusCode != http.StatusNotFound ||
				strings.Contains(body(t, r), "canary-7c1") {
				t.Errorf("%s as %s: %d", path, accept, r.StatusCode)
			}
		}
	}
}

// C3: no path on any host shows another site's content.
func TestNoPathReachesAnotherSite(t *testing.T) {
	s := newStage(t)
	hosts := []string{"a.example.com", "b.example.com", "c.example.com"}
	var foreign []string
	for _, host := range hosts {
		files := siteFiles("0")
		mark := strings.TrimSuffix(host, ".example.com")
		files["only-"+mark+".mdx"] = "---\ntitle: Only\n---\ncanary-of-" + mark + "-end\n"
		files["only-"+mark+".svg"] = "<svg xmlns='http://www.w3.org/2000/svg'><title>canary-of-" + mark +
			"-end</title></svg>"
		d := s.publish(t, s.Project(t, host, project.Source{Path: worktest.Write(t, files)}), deploy.Production)
		foreign = append(foreign, "/only-"+mark, "/only-"+mark+".md", "/only-"+mark+".svg", "/only-"+mark+".html",
			"/"+d.ManifestKey, "/sites/"+d.ProjectID+"/packs", "/"+d.ID)
		for _, wrap := range []string{"//%s/only-" + mark, "/../%s/only-" + mark, "/..%%2f%s/only-" + mark,
			"/%s/only-" + mark, "/http://%s/only-" + mark} {
			foreign = append(foreign, strings.ReplaceAll(strings.ReplaceAll(wrap, "%s", host), "%%", "%"))
		}
	}
	for _, host := range hosts {
		mine := "canary-of-" + strings.TrimSuffix(host, ".example.com") + "-end"
		for _, path := range foreign {
			for _, accept := range []string{"text/html", "text/markdown"} {
				text := body(t, s.get(t, host, path, "Accept", accept))
				for _, other := range hosts {
					if canary := "canary-of-" + strings.TrimSuffix(other, ".example.com") + "-end"; canary != mine &&
						strings.Contains(text, canary) {
						t.Errorf("%s%s shows %s", host, path, other)
					}
				}
			}
		}
	}
}
