package sitehost_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// Requests for invented host names do not evict the sites that are served from memory while the database is
// unavailable.
func TestInventedHostsDoNotEvictKnownSites(t *testing.T) {
	s := newStage(t)
	sites := &away{Sites: s.Store}
	at := time.Now()
	host := sitehost.New(sitehost.Options{Sites: sites, Blob: s.Blob, CacheBytes: 1 << 20,
		PreviewDomain: "preview.example.net",
		Logger:        slog.New(slog.DiscardHandler), Now: func() time.Time { return at }})
	handler := host.Route(http.NotFoundHandler(), func(h http.Handler) http.Handler { return h })
	status := func(domain string) int {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+domain+"/", nil))
		return w.Code
	}
	s.publish(t, s.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, siteFiles("one"))}),
		deploy.Production)
	if got := status("docs.example.com"); got != http.StatusOK {
		t.Fatal(got)
	}
	for i := range 25_000 { // more than the size of any of the caches
		name := fmt.Sprintf("invented-%d.example.org", i)
		if i%2 == 0 {
			name = fmt.Sprintf("invented-%d.preview.example.net", i)
		}
		if got := status(name); got != http.StatusNotFound {
			t.Fatalf("%s: %d", name, got)
		}
	}
	at = at.Add(time.Minute)
	sites.err = fmt.Errorf("%w: connection refused", fault.ErrUnavailable)
	if got := status("docs.example.com"); got != http.StatusOK {
		t.Errorf("the site was evicted by a flood of invented names: %d", got)
	}
}
