package sitehost_test

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
	"github.com/lectern-docs/lectern/internal/serve/sitesearch"
	"github.com/lectern-docs/lectern/internal/testkit/testgit"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// versionSource creates a repository whose tags v1.0 and v1.1 and branch main are versions. v1.0 has a page that the
// others lack, and main has one that no tag has.
func versionSource(t *testing.T, rules string) (dir string) {
	t.Helper()
	files := siteFiles("v10")
	config := files["docs.json"]
	files["docs.json"] = strings.Replace(config, `"navigation"`, `"gitVersions":`+rules+`,"navigation"`, 1)
	files["only.mdx"] = "---\ntitle: Only in 1.0\n---\nmark-only zebra\n"
	dir = worktest.Write(t, files)
	testgit.Run(t, dir, "init", "-q", "-b", "main")
	commitVersion(t, dir, "v1.0")
	testgit.Run(t, dir, "rm", "-q", "only.mdx")
	next := siteFiles("v11")
	delete(next, "docs.json")
	worktest.Rewrite(t, dir, next)
	commitVersion(t, dir, "v1.1")
	next["index.mdx"] = "---\ntitle: Home\n---\nmark-main\n"
	next["new.mdx"] = "---\ntitle: New\n---\nmark-new giraffe\n"
	worktest.Rewrite(t, dir, next)
	commitVersion(t, dir, "")
	return dir
}

func commitVersion(t *testing.T, dir, tag string) {
	t.Helper()
	testgit.Run(t, dir, "add", "-A")
	testgit.Run(t, dir, "commit", "-q", "-m", "Change")
	if tag != "" {
		testgit.Run(t, dir, "tag", "-a", "-m", tag, tag)
	}
}

const tagRules = `{"tags":"v*","branches":"main","aliases":{"latest":"stable","next":"main","old":"v1.0"}}`

func TestVersionsFromRefsHaveTheirOwnPaths(t *testing.T) {
	s := newStage(t)
	p := s.Project(t, "docs.example.com", project.Source{Repository: "file://" + versionSource(t, tagRules), Branch: "main"})
	d := s.publish(t, p, deploy.Production)
	if d.Versions == nil || d.Versions.Default != "v1.1" || len(d.Versions.List) != 3 {
		t.Fatalf("versions: %+v", d.Versions)
	}
	s.want(t, "docs.example.com", map[string]string{
		"/": "200 mark-v11", "/v1.0/": "200 mark-v10", "/main/": "200 mark-main", "/v1.0/only": "200 mark-only", "/only": "404",
		"/main/only": "404", "/main/new": "200 mark-new", "/v1.0": "307 /v1.0/", "/v1.1/": "307 /", "/v1.1/guides/start?a=b": "307 /guides/start?a=b",
		"/latest": "307 /", "/latest/guides/start": "307 /guides/start", "/old/only": "307 /v1.0/only", "/next/": "307 /main/",
		"/latest//evil.example/": "307 /evil.example/", "/old//evil.example": "307 /v1.0/evil.example",
		"/v1.0/old": "308 /v1.0/guides/start", "/v1.0/guides/start/": "308 /v1.0/guides/start", "/v9/": "404", "/v1.0x/": "404",
		"/%761.0/": "404",
	})
	page := body(t, s.get(t, "docs.example.com", "/v1.0/guides/start"))
	for _, want := range []string{
		`<link rel="canonical" href="https://docs.example.com/guides/start">`, `href="/v1.0/guides/start"`,
		`data-versions="/v1.0/_lectern/versions.json"`, `<span class="face">v1.0</span>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if page := body(t, s.get(t, "docs.example.com", "/v1.0/only")); !strings.Contains(page,
		`<link rel="canonical" href="https://docs.example.com/v1.0/only">`) {
		t.Error("a page missing from the default version is not canonical itself")
	}
	for _, path := range []string{"/v1.0/", "/v1.0/llms.txt", "/v1.0/sitemap.xml", "/v1.0/guides/start.md", "/v1.0/nowhere"} {
		r := s.get(t, "docs.example.com", path)
		text := body(t, r)
		for _, values := range r.Header {
			text += strings.Join(values, "\n")
		}
		if strings.Contains(text, deploy.VersionSegment) {
			t.Errorf("%s has the stored segment", path)
		}
	}
	if sitemap := body(t, s.get(t, "docs.example.com", "/sitemap.xml")); strings.Contains(sitemap, "v1.0") {
		t.Errorf("the default version's sitemap lists another version: %s", sitemap)
	}
	t.Run("compressed", func(t *testing.T) { checkVersionTags(t, s) })
	t.Run("list", func(t *testing.T) { checkVersionList(t, s) })
	if link := s.get(t, "docs.example.com", "/v1.0/guides/start.md").Header.Get("Link"); !strings.Contains(link,
		`<https://docs.example.com/guides/start>; rel="canonical"`) || !strings.Contains(link, "</v1.0/llms.txt>") {
		t.Errorf("links of the Markdown format: %s", link)
	}
}

// checkVersionTags checks that two versions' compressed pages have different ETags.
func checkVersionTags(t *testing.T, s *stage) {
	t.Helper()
	tags := map[string]string{}
	for range 2 { // the second time from the cache
		for _, version := range []string{"v1.0", "main"} {
			r := s.get(t, "docs.example.com", "/"+version+"/guides/start", "Accept-Encoding", "gzip")
			z, err := gzip.NewReader(r.Body)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(z)
			if err != nil || !strings.Contains(string(text), `href="/`+version+`/guides/start"`) {
				t.Errorf("%s: %v\n%.300s", version, err, text)
			}
			tag := r.Header.Get("ETag")
			if tags[tag] != "" && tags[tag] != version {
				t.Errorf("two versions have the tag %s", tag)
			}
			tags[tag] = version
			if again := s.get(t, "docs.example.com", "/"+version+"/guides/start", "Accept-Encoding", "gzip", "If-None-Match",
				tag); again.StatusCode != http.StatusNotModified {
				t.Errorf("%s: %d", version, again.StatusCode)
			}
		}
	}
}

// checkVersionList reads the list of versions from two of them.
func checkVersionList(t *testing.T, s *stage) {
	t.Helper()
	for from, want := range map[string]string{"": "main ./main/, v1.1 ./ current, v1.0 ./v1.0/",
		"/v1.0": "main ../main/, v1.1 ../, v1.0 ../v1.0/ current"} {
		var list struct {
			Versions []struct {
				Name, Path string
				Current    bool
			}
		}
		if err := json.NewDecoder(s.get(t, "docs.example.com", from+"/_lectern/versions.json").Body).Decode(&list); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, v := range list.Versions {
			one := v.Name + " " + v.Path
			if v.Current {
				one += " current"
			}
			got = append(got, one)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("from %q: %v", from, got)
		}
	}
}

func TestSearchFindsOnlyPagesOfCurrentVersion(t *testing.T) {
	s := newStage(t)
	s.offers = capability.Offers{Search: true}
	host := sitehost.New(sitehost.Options{Sites: s.Store, Blob: s.Blob, CacheBytes: 1 << 20, Now: s.Now,
		Logger: slog.New(slog.DiscardHandler), Endpoints: map[string]siteapi.Endpoint{capability.SearchPath: sitesearch.New()}})
	s.handler = host.Route(http.NotFoundHandler(), func(sites http.Handler) http.Handler { return sites })
	p := s.Project(t, "docs.example.com", project.Source{Repository: "file://" + versionSource(t, tagRules), Branch: "main"})
	s.publish(t, p, deploy.Production)
	for _, c := range []struct {
		path  string
		found bool
	}{
		{"/_lectern/api/search?q=zebra", false}, {"/v1.0/_lectern/api/search?q=zebra", true},
		{"/main/_lectern/api/search?q=zebra", false}, {"/main/_lectern/api/search?q=giraffe", true},
		{"/v1.0/_lectern/api/search?q=giraffe", false},
	} {
		r := s.get(t, "docs.example.com", c.path)
		if text := body(t, r); r.StatusCode != http.StatusOK || strings.Contains(text, "mark-") != c.found {
			t.Errorf("%s: %d %s", c.path, r.StatusCode, text)
		}
	}
}

// In versions other than the default, too, readers see only what they may see, and nothing before they have signed in.
func TestVersionsOfPrivateSiteHaveViews(t *testing.T) {
	s, asked := newViewStage(t)
	files := groupFiles()
	files["docs.json"] = strings.Replace(files["docs.json"], `"navigation"`, `"gitVersions":{"tags":"v*"},"navigation"`, 1)
	dir := worktest.Write(t, files)
	testgit.Run(t, dir, "init", "-q", "-b", "main")
	commitVersion(t, dir, "v1")
	worktest.Rewrite(t, dir, map[string]string{"index.mdx": "---\ntitle: Home\n---\nNewer.\n"})
	commitVersion(t, dir, "v2")
	p := s.Project(t, "docs.example.com", project.Source{Repository: "file://" + dir, Branch: "main"})
	s.protect(t, p)
	inA := reader.New("a")
	s.ask(t, p, inA)
	s.publish(t, p, deploy.Production)
	for _, path := range []string{"/v1/alpha", "/v1/beta", "/v1/_lectern/api/search?q=canaryalpha"} {
		for _, v := range []reader.View{{}, inA, {Anonymous: true}} {
			r := s.get(t, "docs.example.com", path, "X-View", v.Key())
			visible := v.Key() == inA.Key() && path != "/v1/beta"
			text := body(t, r)
			if visible != (r.StatusCode == http.StatusOK && strings.Contains(text, "canaryalpha")) ||
				strings.Contains(text, "canarybeta") || strings.Contains(r.Header.Get("Cache-Control"), "public") {
				t.Errorf("%s as %q: %d %v", path, v.Key(), r.StatusCode, r.Header)
			}
		}
	}

	// A view that cannot be built is not requested: an update would not change it, and the next reader would trigger
	// another update.
	testgit.Run(t, dir, "checkout", "-q", "-b", "broken", "v1")
	worktest.Rewrite(t, dir, map[string]string{"docs.json": "{"})
	testgit.Run(t, dir, "add", "-A")
	testgit.Run(t, dir, "commit", "-q", "-m", "Break it")
	testgit.Run(t, dir, "tag", "-f", "-a", "-m", "v1", "v1")
	testgit.Run(t, dir, "checkout", "-q", "main")
	s.publish(t, p, deploy.Production)
	asked()
	for _, path := range []string{"/v1/beta", "/beta"} {
		body(t, s.get(t, "docs.example.com", path, "X-View", reader.New("b").Key()))
		want := map[string]string{"/v1/beta": "use:groups=b", "/beta": "groups=b"}[path]
		if got := asked(); got != want {
			t.Errorf("%s requests %q, want %q", path, got, want)
		}
	}

}
