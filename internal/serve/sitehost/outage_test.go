package sitehost_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"syscall"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// away is a database that can become unavailable.
type away struct {
	sitehost.Sites
	err error
}

func (a *away) ListLive(ctx context.Context, host string) ([]store.Live, error) {
	if a.err != nil {
		return nil, a.err
	}
	return a.Sites.ListLive(ctx, host)
}

// Readers can continue to read for some time while the database is unavailable; sites that were not looked up before
// cannot be served.
func TestShortDatabaseOutageIsInvisibleToReaders(t *testing.T) {
	s := newStage(t)
	sites := &away{Sites: s.Store}
	at := time.Now()
	host := sitehost.New(sitehost.Options{Sites: sites, Blob: s.Blob, CacheBytes: 1 << 20,
		Logger: slog.New(slog.DiscardHandler), Now: func() time.Time { return at }})
	handler := host.Route(http.NotFoundHandler(), func(h http.Handler) http.Handler { return h })
	status := func(domain string) int {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+domain+"/", nil))
		return w.Code
	}
	for _, domain := range []string{"docs.example.com", "quiet.example.com"} {
		s.publish(t, s.Project(t, domain, project.Source{Path: worktest.Write(t, siteFiles("one"))}), deploy.Production)
	}
	if got := status("docs.example.com"); got != 200 {
		t.Fatal(got)
	}
	sites.err = fmt.Errorf("%w: connection refused", fault.ErrUnavailable)
	for passed := time.Duration(0); passed < 9*time.Minute; passed += time.Minute {
		at = at.Add(time.Minute)
		if got := status("docs.example.com"); got != 200 {
			t.Fatalf("%s after the outage began: %d", passed, got)
		}
	}
	if got := status("quiet.example.com"); got != 503 {
		t.Errorf("a site that was not requested before: %d", got)
	}
	at = at.Add(2 * time.Minute)
	if got := status("docs.example.com"); got != 503 {
		t.Errorf("after more than ten minutes: %d", got)
	}
	sites.err = errors.New("no such column") // not an outage: waiting does not help
	if got := status("docs.example.com"); got != 500 {
		t.Errorf("after an internal error: %d", got)
	}
	sites.err = nil
	if got := status("docs.example.com"); got != 200 {
		t.Errorf("when the database is back: %d", got)
	}
}

// A page that cannot be read for lack of file descriptors will be available again soon, so the response is 503, not
// 500.
func TestMissingFileDescriptorsReturn503(t *testing.T) {
	s := newStage(t)
	s.publish(t, s.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, siteFiles("one"))}),
		deploy.Production)
	var most syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &most); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: 1, Max: most.Max}); err != nil {
		t.Fatal(err)
	}
	got := s.get(t, "docs.example.com", "/")
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &most); err != nil {
		t.Fatal(err)
	}
	if got.StatusCode != http.StatusServiceUnavailable || got.Header.Get("Retry-After") == "" {
		t.Errorf("without file descriptors: %d, wait %q", got.StatusCode, got.Header.Get("Retry-After"))
	}
	if got := s.get(t, "docs.example.com", "/"); got.StatusCode != http.StatusOK {
		t.Errorf("with file descriptors again: %d", got.StatusCode)
	}
}
