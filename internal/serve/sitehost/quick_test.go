package sitehost_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// D4: a cached response equals a new one, for every kind of file, reader and condition, and none outlives its
// version.
func TestCachedResponseEqualsFirstResponse(t *testing.T) {
	s := newStage(t)
	files := siteFiles("one")
	files["large.txt"] = strings.Repeat("a line of a large text\n", 40_000)
	folder := worktest.Write(t, files)
	p := s.Project(t, "docs.example.com", project.Source{Path: folder})
	s.publish(t, p, deploy.Production)
	asked := 0
	ask := func(outer bool, method, path, header string) string {
		r := httptest.NewRequestWithContext(t.Context(), method, "http://docs.example.com"+path, nil)
		if name, value, ok := strings.Cut(header, ": "); ok {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		w.Header().Set("X-Request-Id", fmt.Sprintf("req-%d", asked))
		asked++
		if outer { // responses with headers set by other handlers are never cached
			w.Header().Set("X-Outer", "x")
		}
		s.handler.ServeHTTP(w, r)
		w.Header().Del("X-Outer")
		if got, want := w.Header().Values("X-Request-Id"), fmt.Sprintf("req-%d", asked-1); len(got) != 1 || got[0] != want {
			t.Errorf("%s %s has the request ids %v, want %s", method, path, got, want)
		}
		w.Header().Del("X-Request-Id")
		return fmt.Sprint(w.Code, w.Header(), w.Body.Len(), w.Body.String())
	}
	for _, path := range []string{"/", "/guides/start", "/guides/start.md", "/logo.svg", "/large.txt", "/nowhere",
		"/old", "/sitemap.xml", "/404"} {
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost} {
			for _, header := range []string{"", "Accept-Encoding: gzip", "Accept: text/markdown",
				"Accept: text/html,*/*;q=0.8", "Range: bytes=3-9", "If-None-Match: *", `If-None-Match: "other"`,
				`If-Match: "other"`} {
				want := ask(true, method, path, header)
				for range 2 {
					if got := ask(false, method, path, header); got != want {
						t.Errorf("%s %s %s:\n%.600s\nwant\n%.600s", method, path, header, got, want)
					}
				}
			}
		}
	}
	worktest.Rewrite(t, folder, siteFiles("two"))
	s.publish(t, p, deploy.Production)
	if got := ask(false, http.MethodGet, "/guides/start", ""); !strings.Contains(got, "mark-two") ||
		strings.Contains(got, "mark-one") {
		t.Error("a cached response outlived its version")
	}
}
