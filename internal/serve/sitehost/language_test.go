package sitehost_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// The first page is in the reader's language, whatever other readers got before.
func TestFirstPageMatchesReaderLanguage(t *testing.T) {
	s := newStage(t)
	files := map[string]string{
		"docs.json": `{"name":"T","navigation":{"languages":[{"language":"fr","pages":["fr/index"]},{"language":"en","default":true,"pages":["index","a"]},
			{"language":"cn","hidden":true,"pages":["cn/a"]}]}}`,
		"index.mdx": "---\ntitle: Home\n---\nWelcome.\n", "fr/index.mdx": "---\ntitle: Accueil\n---\nBonjour.\n",
		"a.mdx": "x", "cn/a.mdx": "x",
	}
	s.publish(t, s.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, files)}), deploy.Production)
	for range 2 { // the second time from the cache, if anything is cached
		for _, c := range []struct{ path, header, value, want string }{
			{"/", "Accept-Language", "", ""}, {"/", "Accept-Language", "fr-CH, en;q=0.5", "/fr"},
			{"/?x=1", "Accept-Language", "fr", "/fr?x=1"},
			{"/", "Accept-Language", "zh-CN", ""}, {"/a", "Accept-Language", "fr", ""},
			{"/", "Cookie", "lectern-language=fr", "/fr"},
		} {
			r := s.get(t, "docs.example.com", c.path, c.header, c.value)
			if (c.want == "") != (r.StatusCode == http.StatusOK) || r.Header.Get("Location") != c.want {
				t.Errorf("%s %s %q: %d %q", c.path, c.header, c.value, r.StatusCode, r.Header.Get("Location"))
			}
			vary := strings.Join(r.Header.Values("Vary"), ", ")
			if strings.Contains(vary, "Accept-Language, Cookie") != (c.path != "/a") {
				t.Errorf("%s: Vary is %q", c.path, vary)
			}
		}
	}
	if page := body(t, s.get(t, "docs.example.com", "/fr", "Accept-Language", "en")); !strings.Contains(page,
		"Bonjour") {
		t.Error("the requested page is not shown")
	}
}
