package dashboard_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/dashboard"
)

func get(o dashboard.Options, method, path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	r.Host = "lectern.localhost:8080"
	w := httptest.NewRecorder()
	dashboard.New(o).ServeHTTP(w, r)
	return w
}

var options = dashboard.Options{Version: "1.2.3", DocsURL: "http://docs.localhost:8080"}

func TestThePageTellsWhatToDoNext(t *testing.T) {
	w := get(options, "GET", "/")
	body := w.Body.String()
	for _, want := range []string{"http://docs.localhost:8080", "lectern keys create", "http://lectern.localhost:8080/v1/projects", "/openapi.json", "1.2.3"} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if body := get(dashboard.Options{}, "GET", "/").Body.String(); strings.Contains(body, "Read the docs") {
		t.Error("a server without docs links to them")
	}
	if body := get(dashboard.Options{PublicURL: "https://l.example/"}, "GET", "/").Body.String(); !strings.Contains(body, "https://l.example/v1/projects") {
		t.Error("the public URL is not used")
	}
}

// C5: nothing on the page needs more than the policy allows.
func TestThePageKeepsToItsPolicy(t *testing.T) {
	w := get(options, "GET", "/")
	csp := w.Header().Get("Content-Security-Policy")
	if !strings.HasPrefix(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") {
		t.Errorf("policy %q", csp)
	}
	if inline := regexp.MustCompile(`<script|<style|\sstyle=|\son[a-z]+=|javascript:`).FindString(w.Body.String()); inline != "" {
		t.Errorf("the page has %q", inline)
	}
	for _, ref := range regexp.MustCompile(`(?:src|href)="(/_dashboard/[^"]+)"`).FindAllStringSubmatch(w.Body.String(), -1) {
		got := get(options, "GET", ref[1])
		if got.Code != 200 || got.Header().Get("Content-Type") == "" || got.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %v", ref[1], got.Code, got.Header())
		}
		if again := get(options, "GET", ref[1], "If-None-Match", got.Header().Get("ETag")); again.Code != http.StatusNotModified {
			t.Errorf("%s again: %d", ref[1], again.Code)
		}
	}
}

// C5: the page of exports runs scripts of its own only, and has none inline.
func TestThePageOfExportsKeepsToItsPolicy(t *testing.T) {
	w := get(options, "GET", "/_dashboard/exports")
	csp := w.Header().Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "script-src 'self';", "connect-src 'self';", "form-action 'none'", "frame-ancestors 'none'"} {
		if !strings.Contains(csp, want) {
			t.Errorf("policy %q lacks %s", csp, want)
		}
	}
	if inline := regexp.MustCompile(`<script>|<style|\sstyle=|\son[a-z]+=|javascript:`).FindString(w.Body.String()); w.Code != 200 || inline != "" {
		t.Errorf("%d, the page has %q", w.Code, inline)
	}
	for _, ref := range regexp.MustCompile(`(?:src|href)="(/_dashboard/[^"]+)"`).FindAllStringSubmatch(w.Body.String(), -1) {
		if got := get(options, "GET", ref[1]); got.Code != 200 || got.Header().Get("Content-Type") == "" {
			t.Errorf("%s: %d %v", ref[1], got.Code, got.Header())
		}
	}
	if first := get(options, "GET", "/").Body.String(); !strings.Contains(first, `href="/_dashboard/exports"`) {
		t.Error("the first page does not lead there")
	}
}

func TestAHostCannotWriteIntoThePage(t *testing.T) {
	r := httptest.NewRequest("GET", "/", nil)
	r.Host = `x"><script>alert(1)</script>`
	w := httptest.NewRecorder()
	dashboard.New(options).ServeHTTP(w, r)
	if strings.Contains(w.Body.String(), "<script") {
		t.Error("the Host header reached the page unescaped")
	}
}

func TestNothingElseAnswers(t *testing.T) {
	for _, p := range []string{"/x", "/_dashboard/", "/_dashboard/../page.html", "/_dashboard/nope.css"} {
		if w := get(options, "GET", p); w.Code != 404 {
			t.Errorf("%s: %d", p, w.Code)
		}
	}
	if w := get(options, "POST", "/"); w.Code != 405 || w.Header().Get("Allow") == "" {
		t.Errorf("POST: %d", w.Code)
	}
}
