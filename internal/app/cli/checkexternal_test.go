package cli

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestCheckReportsBrokenExternalLinks(t *testing.T) {
	asked := map[string]int{} // by path; all addresses are on one host, so they are requested one after the other
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked[r.URL.Path]++; strings.HasPrefix(r.URL.Path, "/gone") {
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(site.Close)
	s := newGitSite(t, map[string]string{"docs.json": `{"name":"S"}`,
		"index.mdx": "---\ntitle: Home\n---\n\n[Here](" + site.URL + "/here?a=1&b=2#part)\n\nSee [this](" + site.URL + "/gone#x).\n"})
	check := func(args ...string) runResult {
		return invoke(t, append([]string{"check", s.dir, "--no-cache"}, args...)...)
	}
	got := check("--external", "--allow-address", "127.0.0.1")
	if out := got.stdout; !strings.Contains(out, `index.mdx:7:12: warning: The link to "`+site.URL+`/gone" leads nowhere: the site responds with 404.`) ||
		strings.Contains(out, "/here") {
		t.Errorf("%s%s", out, got.stderr)
	}
	if got := check("--external"); strings.Contains(got.stdout, "external-link") || !strings.Contains(got.stderr, "2 gave no clear answer") {
		t.Errorf("private addresses: %s%s", got.stdout, got.stderr)
	}
	if out := check().stdout; strings.Contains(out, "external-link") {
		t.Errorf("without the flag: %s", out)
	}
	s.commit("Link once more", map[string]string{"more.mdx": "---\ntitle: More\n---\n\n[Old](" + site.URL + "/gone), [new](" + site.URL + "/gone-too)\n"})
	clear(asked)
	got = check("--external", "--allow-address", "127.0.0.1", "--base", "HEAD~1")
	if out := got.stdout; !strings.Contains(out, site.URL+`/gone-too" leads nowhere`) || strings.Contains(out, `/gone" leads`) || asked["/gone"] > 0 {
		t.Errorf("with a base: asked for %v\n%s%s", asked, out, got.stderr)
	}
}
