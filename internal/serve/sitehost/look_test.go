package sitehost_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/blob"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// lookAccess responds to every request with the site's name and color, as on a sign-in page.
type lookAccess struct{}

func (lookAccess) Admit(w http.ResponseWriter, r *http.Request, site siteapi.Protected) (access.Reader, bool) {
	l := site.Look(r.Context())
	_, _ = fmt.Fprintf(w, "%s %s", l.Name, l.Button)
	return access.Reader{}, false
}

// countedBlobs counts reads from a blob store.
type countedBlobs struct {
	blob.Store
	reads atomic.Int64
}

func (c *countedBlobs) Open(ctx context.Context, key string) (io.ReadSeekCloser, blob.Info, error) {
	c.reads.Add(1)
	return c.Store.Open(ctx, key)
}

// A sign-in page's colors are read once for each version of the site, even if nothing else of the site is cached.
func TestSiteLookIsReadOncePerVersion(t *testing.T) {
	s := &stage{Env: worktest.New(t)}
	blobs := &countedBlobs{Store: s.Blob}
	host := sitehost.New(sitehost.Options{Sites: s.Store, Blob: blobs, CacheBytes: 1, Access: lookAccess{},
		Logger: slog.New(slog.DiscardHandler), Now: func() time.Time {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.ahead += time.Second // so that no lookup of a site is cached
			return time.Now().Add(s.ahead)
		}})
	s.handler = host.Route(http.NotFoundHandler(), func(sites http.Handler) http.Handler { return sites })
	dir := worktest.Write(t, groupFiles())
	other := s.protectedSite(t, "other.example.com")
	s.publish(t, other, deploy.Production)
	p := s.Project(t, "docs.example.com", project.Source{Path: dir})
	if err := s.Store.Tx(t.Context(), func(tx *store.Tx) error {
		_, err := tx.SetReaderAccess(t.Context(), access.Settings{ProjectID: p.ID, Mode: access.Organization})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	wants := func(want string) {
		t.Helper()
		if got := body(t, s.get(t, "docs.example.com", "/login")); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	s.publish(t, p, deploy.Production)
	wants("T #112233")
	body(t, s.get(t, "other.example.com", "/login")) // evicts the cached data of the first site
	before := blobs.reads.Load()
	if before == 0 {
		t.Fatal("nothing was read")
	}
	wants("T #112233")
	if after := blobs.reads.Load(); after != before {
		t.Errorf("%d reads for the second request", after-before)
	}
	if err := os.WriteFile(filepath.Join(dir, "docs.json"), []byte(`{"name":"New","theme":"mint","colors":{"primary":"#223344"},
		"navigation":{"pages":["index"]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s.publish(t, p, deploy.Production)
	wants("New #223344")
}
