package sitehost_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// frozen is a database. The process using it can freeze during the next query.
type frozen struct {
	sitehost.Sites
	freeze func() // nil = no freeze
}

func (f *frozen) ListLive(ctx context.Context, host string) ([]store.Live, error) {
	if stop := f.freeze; stop != nil {
		f.freeze = nil
		stop()
		return nil, context.DeadlineExceeded // the timeout expired long before
	}
	return f.Sites.ListLive(ctx, host)
}

// A server that was frozen for a while, as happens to virtual machines, looks sites up again instead of serving
// cached state.
func TestFrozenServerDoesNotServeStaleState(t *testing.T) {
	s := newStage(t)
	sites := &frozen{Sites: s.Store}
	at := time.Now()
	host := sitehost.New(sitehost.Options{Sites: sites, Blob: s.Blob, CacheBytes: 1 << 20,
		Logger: slog.New(slog.DiscardHandler), Now: func() time.Time { return at }})
	handler := host.Route(http.NotFoundHandler(), func(h http.Handler) http.Handler { return h })
	read := func() string {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://docs.example.com/",
			nil))
		return w.Body.String()
	}
	dir := worktest.Write(t, siteFiles("one"))
	p := s.Project(t, "docs.example.com", project.Source{Path: dir})
	s.publish(t, p, deploy.Production)
	if !strings.Contains(read(), "mark-one") {
		t.Fatal("the site is not published")
	}
	worktest.Rewrite(t, dir, siteFiles("two"))
	s.publish(t, p, deploy.Production)
	at = at.Add(time.Minute)
	sites.freeze = func() { at = at.Add(5 * time.Second) }
	if got := read(); !strings.Contains(got, "mark-two") {
		t.Errorf("old page served: %.300s", got)
	}
}
