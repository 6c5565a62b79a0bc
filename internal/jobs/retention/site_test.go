package retention_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/jobs/retention"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/blob"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// countedBlobs counts calls to a blob store.
type countedBlobs struct {
	blob.Store
	opened, listed int
	onOpen, onList func() // called for each opened or listed file; nil = nothing
}

func (c *countedBlobs) Open(ctx context.Context, key string) (io.ReadSeekCloser, blob.Info, error) {
	c.opened++
	if c.onOpen != nil {
		c.onOpen()
	}
	return c.Store.Open(ctx, key)
}

func (c *countedBlobs) List(ctx context.Context, prefix string, yield func(blob.Info) error) error {
	c.listed++
	return c.Store.List(context.WithoutCancel(ctx), prefix, func(i blob.Info) error {
		if c.onList != nil {
			c.onList()
		}
		return yield(i)
	})
}

// A sweep runs every hour for every project: it reads a manifest only in the first sweep after the deployment, and
// lists stored files once for all projects.
func TestSweepReadsManifestsOnceAndListsFilesOnce(t *testing.T) {
	b := worktest.New(t)
	for _, domain := range []string{"a.example.com", "b.example.com", "c.example.com"} {
		p := b.Project(t, domain, project.Source{Path: worktest.Write(t, siteFiles(domain))})
		publishNow(t, b, p)
	}
	blobs := &countedBlobs{Store: b.Blob}
	s := &retention.Sweeper{Store: b.Store, Blob: blobs, Keep: store.Keep{Productions: 1, Previews: time.Hour},
		Logger: slog.New(slog.DiscardHandler), Now: func() time.Time { return time.Now().Add(48 * time.Hour) }}
	all := b.Keys(t, "")
	for round, manifests := range []int{3, 0} {
		blobs.opened, blobs.listed = 0, 0
		if err := s.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if blobs.opened != manifests || blobs.listed != 3 {
			t.Errorf("round %d: read %d files, want %d, and listed %d times, want 3: sites, sources, exports", round,
				blobs.opened, manifests, blobs.listed)
		}
		if left := b.Keys(t, ""); !slices.Equal(left, all) {
			t.Errorf("round %d: left %v of %v", round, left, all)
		}
	}
}

// The references of many projects' manifests are stored in one transaction, because each transaction waits for the
// disk.
func TestSweepBatchesReferencesOfManyProjects(t *testing.T) {
	b := worktest.New(t)
	for _, domain := range []string{"a.example.com", "b.example.com", "c.example.com"} {
		p := b.Project(t, domain, project.Source{Path: worktest.Write(t, siteFiles(domain))})
		publishNow(t, b, p)
	}
	count := func() (n int) {
		if err := b.Store.SQLite().QueryRowContext(t.Context(), `SELECT count(*) FROM manifest_needs`).Scan(&n); err != nil {
			t.Error(err)
		}
		return n
	}
	blobs := &countedBlobs{Store: b.Blob, onOpen: func() {
		if n := count(); n != 0 {
			t.Errorf("references of %d manifests are stored before all were read", n)
		}
	}}
	s := &retention.Sweeper{Store: b.Store, Blob: blobs, Keep: store.Keep{Productions: 1, Previews: time.Hour},
		Logger: slog.New(slog.DiscardHandler), Now: b.Now}
	if err := s.Sweep(t.Context()); err != nil || blobs.opened != 3 || count() != 3 {
		t.Errorf("read %d manifests, stored references of %d (error %v)", blobs.opened, count(), err)
	}
}

// A sweep that is interrupted, for example because the server stops, reports that once and not for each project.
func TestInterruptedSweepReportsErrorOnce(t *testing.T) {
	b := worktest.New(t)
	for i := range 30 {
		key := fmt.Sprintf("sites/prj_%d/packs/a-0", i)
		if _, err := b.Blob.Put(t.Context(), key, strings.NewReader("x")); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	blobs := &countedBlobs{Store: b.Blob, onList: stop}
	s := &retention.Sweeper{Store: b.Store, Blob: blobs, Keep: store.Keep{Productions: 1, Previews: time.Hour},
		Logger: slog.New(slog.DiscardHandler), Now: b.Now}
	err := s.Sweep(ctx)
	if !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "prj_") {
		t.Error(err)
	}
}
