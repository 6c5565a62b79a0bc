package sitehost_test

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// Canonical URLs end with a slash, and none of them redirects.
func TestCanonicalURLsMayEndWithSlash(t *testing.T) {
	s := newStage(t)
	files := siteFiles("one")
	files["team/index.mdx"] = "---\ntitle: Team\n---\nWe.\n"
	files["docs.json"] = `{"name":"T","navigation":{"pages":["index","guides/start","team/index"]},"seo":{"trailingSlash":true}}`
	s.publish(t, s.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, files)}), deploy.Production)
	for path, canonical := range map[string]string{"/": "/", "/guides/start/": "/guides/start/",
		"/guides/start": "/guides/start/", "/team/": "/team/", "/team": "/team/"} {
		r := s.get(t, "docs.example.com", path)
		page := body(t, r)
		if r.StatusCode != 200 ||
			!strings.Contains(page, `<link rel="canonical" href="https://docs.example.com`+canonical+`">`) {
			t.Errorf("%s: %d", path, r.StatusCode)
		}
	}
	sitemap := body(t, s.get(t, "docs.example.com", "/sitemap.xml"))
	if !strings.Contains(sitemap, "<loc>https://docs.example.com/guides/start/</loc>") ||
		strings.Contains(sitemap, "start</loc>") {
		t.Error(sitemap)
	}
	twin := s.get(t, "docs.example.com", "/guides/start.md")
	if link := twin.Header.Get("Link"); !strings.HasPrefix(link,
		`<https://docs.example.com/guides/start/>; rel="canonical"`) {
		t.Error(link)
	}
	if r := s.get(t, "docs.example.com", "/guides/start.html"); r.StatusCode != 308 ||
		s.get(t, "docs.example.com", "/nothing/").StatusCode != 404 {
		t.Errorf("%d", r.StatusCode)
	}
}
