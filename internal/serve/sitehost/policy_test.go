package sitehost_test

import (
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/csp"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// C5: a site's list of allowed sources applies only to its own pages, and only if the operator allows such lists.
func TestContentPolicyIncludesAllowedSources(t *testing.T) {
	s := newStage(t)
	s.offers = capability.Offers{External: capability.External{On: true}}
	for host, allow := range map[string]string{"a.example.com": `{"script":["https://w.example"]}`, "b.example.com": `{}`} {
		files := map[string]string{"index.mdx": "---\ntitle: Home\n---\nWelcome.\n",
			"docs.json": `{"name":"T","navigation":["index"],"security":{"allow":` + allow + `}}`}
		s.publish(t, s.Project(t, host, project.Source{Path: worktest.Write(t, files)}), deploy.Production)
	}
	listed := csp.Page{Allow: csp.Allow{"script": {"https://w.example"}}}.Policy()
	for _, external := range []bool{true, false} {
		s.handler = sitehost.New(sitehost.Options{Sites: s.Store, Blob: s.Blob, CacheBytes: 1 << 20, External: external,
			Logger: slog.New(slog.DiscardHandler), Now: time.Now}).
			Route(http.NotFoundHandler(), func(sites http.Handler) http.Handler { return sites })
		for range 2 { // the second time from the cache
			for _, c := range []struct{ host, path string }{
				{"a.example.com", "/"}, {"b.example.com", "/"}, {"a.example.com", "/nowhere"},
			} {
				want := csp.Page{}.Policy()
				if external && c.host == "a.example.com" {
					want = listed
				}
				if got := s.get(t, c.host, c.path).Header.Get("Content-Security-Policy"); got != want {
					t.Errorf("external %v, %s%s: %s", external, c.host, c.path, got)
				}
			}
		}
	}
}
