package adminapi_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/feature"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
	"github.com/lectern-docs/lectern/internal/site/link"
)

var rocketSite = fstest.MapFS{
	"docs.json": {Data: []byte(
		`{"name":"Rockets","theme":"mint","colors":{"primary":"#112233"},"navigation":{"groups":[{"group":"Guides","pages":["index","guides/start","guides/fuel","guides/hidden"]}]}}`)},
	"index.mdx": {Data: []byte("---\ntitle: Home\n---\nWelcome.\n")},
	"guides/start.mdx": {Data: []byte(
		"---\ntitle: Start\ntag: NEW\n---\n## Install the thruster\n\nBolt the thruster to the fuselage with four screws.\n")},
	"guides/fuel.mdx": {Data: []byte("---\ntitle: Fuel\n---\nThe thruster burns kerosene.\n")},
	"old notes.mdx":   {Data: []byte("---\ntitle: Notes\n---\nA parachute, once.\n")},
	"secret.mdx":      {Data: []byte("---\ntitle: Secret\ngroups: [staff]\n---\ncanary-7c1 thruster\n")},
}

// builtSite returns a small site, built once in the same way as for publishing.
func builtSite(t testing.TB) *sitehost.Built {
	t.Helper()
	built, err := buildOnce()
	must(t, err)
	return built
}

var buildOnce = sync.OnceValues(func() (*sitehost.Built, error) {
	built := &sitehost.Built{}
	report, err := build.Build(context.Background(), rocketSite, build.Options{BaseURL: "https://docs.example.com",
		Links: link.Clean, Offers: capability.Offers{Search: true}}, built)
	if err == nil {
		built.Manifest.Name = report.Name
	}
	return built, err
})

type hit struct {
	Content  string
	Path     string
	Metadata struct {
		Title, Heading, Anchor, URL string
		Crumbs                      []string
		Score                       float64
	}
}

func TestDiscoverySearchesAndReadsSite(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	key, _ := w.newKey(t, x.org.ID, func(k *account.Key) { k.Scopes = []account.Scope{account.ScopeDiscovery} })
	search := func(body string) reply {
		return w.do(t, ask{"POST", "/discovery/v1/search/" + x.project.Domains[0], key, body, nil})
	}
	hits := read[[]hit](t, search(`{"query":"thruster screws"}`).want(t, 200))
	if len(hits) == 0 || hits[0].Path != "guides/start" || hits[0].Metadata.Score != 1 ||
		!strings.Contains(hits[0].Content, "four screws") ||
		!strings.HasPrefix(hits[0].Metadata.URL, "http://"+x.project.Domains[0]+":8080/guides/start") {
		t.Fatalf("%+v", hits)
	}
	if got := read[[]hit](t, search(`{"query":"parachute"}`).want(t, 200)); len(got) != 1 ||
		!strings.HasSuffix(got[0].Metadata.URL, "/old%20notes") {
		t.Errorf("a name with a space: %+v", got)
	}
	if got := read[[]hit](t, search(`{"query":"thruster","pageSize":1}`).want(t, 200)); len(got) != 1 {
		t.Errorf("%d hits, want 1", len(got))
	}
	for _, h := range read[[]hit](t, search(`{"query":"thruster","scoreThreshold":1}`).want(t, 200)) {
		if h.Metadata.Score < 1 {
			t.Errorf("below the threshold: %+v", h)
		}
	}
	if got := search(`{"query":"zzzzunheardof"}`).want(t, 200); string(got.body) != "[]\n" {
		t.Errorf("nothing found: %s", got.body)
	}
	for body, field := range map[string]string{
		`{"query":""}`: "query", `{"query":"` + strings.Repeat("x", 501) + `"}`: "query",
		`{"query":"x","pageSize":0}`: "pageSize", `{"query":"x","pageSize":51}`: "pageSize",
		`{"query":"x","scoreThreshold":1.1}`:        "scoreThreshold",
		`{"query":"x","filter":{"colour":"red"}}`:   "filter.colour",
		`{"query":"x","filter":{"groups":"staff"}}`: "filter.groups",
	} {
		if got := search(body).want(t, 400); !strings.Contains(string(got.body), `"field":"`+field+`"`) {
			t.Errorf("%.60s: %s", body, got.body)
		}
	}
	page := func(path string) reply {
		return w.do(t, ask{"POST", "/discovery/v1/page/" + x.project.Domains[0], key, `{"path":"` + path + `"}`, nil})
	}
	for _, path := range []string{"guides/start", "/guides/start", "guides/start.md",
		"https://docs.example.com/guides/start#install"} {
		if got := page(path).want(t, 200).object(t); got["path"] != "guides/start" ||
			!strings.HasPrefix(got["content"].(string), "# Start") {
			t.Errorf("%s: %v", path, got)
		}
	}
	for _, path := range []string{"none", "", "../../etc/passwd", "guides/start.html/../../secret",
		"_lectern/search/index.js", strings.Repeat("a/", 3000)} {
		if path == "" {
			continue // the first page
		}
		if got := page(path).want(t, 404); got.code(t) != "unknown_page" {
			t.Errorf("%.60s: %s", path, got.body)
		}
	}
	w.do(t, ask{"GET", "/v1/projects", key, "", nil}).want(t, 403) // the key permits nothing else
}

// C7: the groups in a request determine which view is read, in every operation.
func TestDiscoveryUsesViewOfRequestedGroups(t *testing.T) {
	var views []string
	w, x := newWorldOf(t, account.PlanFree, func(o *adminapi.Options) {
		o.Libraries = func(_ context.Context, projectID, manifestKey string, v reader.View) (*sitereader.Library, error) {
			if projectID == "" || manifestKey == "" {
				t.Errorf("project %q, manifest %q", projectID, manifestKey)
			}
			views = append(views, v.Key())
			return builtSite(t).Library(), nil
		}
	})
	for _, c := range []struct{ op, body, want string }{
		{"search", `{"query":"thruster"}`, ""}, {"search", `{"query":"thruster","filter":{"groups":["b","a"]}}`, "groups=a,b"},
		{"page", `{"path":"index"}`, ""}, {"page", `{"path":"index","groups":["staff"]}`, "groups=staff"},
	} {
		views = nil
		w.do(t, ask{"POST", "/discovery/v1/" + c.op + "/" + x.project.Domains[0], x.key, c.body, nil}).want(t, 200)
		if len(views) != 1 || views[0] != c.want {
			t.Errorf("%s %s read %q", c.op, c.body, views)
		}
	}
	for op, body := range map[string]string{"search": `{"query":"x","filter":{"groups":[""]}}`, "page": `{"path":"x","groups":["\u0001"]}`} {
		w.do(t, ask{"POST", "/discovery/v1/" + op + "/" + x.project.Domains[0], x.key, body, nil}).want(t, 400)
	}
}

// C7: a restricted page outside the view for the caller's groups appears nowhere.
func TestDiscoveryHidesRestrictedPages(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	for _, body := range []string{`{"query":"canary-7c1"}`,
		`{"query":"secret thruster","pageSize":50,"filter":{"groups":["staff"]}}`} {
		if got := w.do(t, ask{"POST", "/discovery/v1/search/" + x.project.Domains[0], x.key, body, nil}).
			want(t, 200); strings.Contains(string(got.body), "canary-7c1 thruster") ||
			strings.Contains(string(got.body), `"secret"`) {
			t.Errorf("%s: %s", body, got.body)
		}
	}
	w.do(t, ask{"POST", "/discovery/v1/page/" + x.project.Domains[0], x.key, `{"path":"secret","groups":["staff"]}`,
		nil}).want(t, 404)
}

func TestDiscoveryExplainsWhyItIsUnavailable(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*adminapi.Options)
		status int
		code   string
	}{
		"feature off": {func(o *adminapi.Options) {
			o.Deployment = feature.Decide(feature.Setup{Type: feature.AirGapped})
		}, 403, "feature_unavailable"},
		"no index": {func(o *adminapi.Options) {
			o.Libraries = func(context.Context, string, string, reader.View) (*sitereader.Library, error) {
				return sitereader.New("x", noFiles{}), nil
			}
		}, 409, "no_search_index"},
		"too many": {func(o *adminapi.Options) { o.DiscoveryLimit = 1 }, 429, "rate_limited"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, c.change)
			x := w.newTenant(t, "a", account.PlanFree)
			body := ask{"POST", "/discovery/v1/search/" + x.project.Domains[0], x.key, `{"query":"thruster"}`, nil}
			if c.status == 429 {
				w.do(t, body).want(t, 200)
				w.do(t, ask{"POST", "/discovery/v1/page/" + x.project.Domains[0], x.key, `{"path":"index"}`, nil}).
					want(t, 429)
			}
			if got := w.do(t, body).want(t, c.status); got.code(t) != c.code {
				t.Errorf("%s", got.body)
			}
		})
	}
	w, x := newWorldOf(t, account.PlanFree, nil)
	for op, body := range map[string]string{"search": `{"query":"x"}`, "page": `{"path":"x"}`} {
		if got := w.do(t, ask{"POST", "/discovery/v1/" + op + "/" + x.folder.Domains[0], x.key, body, nil}).
			want(t, 409); got.code(t) != "site_not_published" {
			t.Errorf("%s before the first publish: %s", op, got.body)
		}
	}
}

// noFiles is a site without files.
type noFiles struct{}

func (noFiles) Has(string) bool                              { return false }
func (noFiles) Read(context.Context, string) ([]byte, error) { return nil, nil }
