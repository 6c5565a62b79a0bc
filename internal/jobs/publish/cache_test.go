package publish_test

import (
	"maps"
	"path/filepath"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/build/buildcache"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// Publishing takes unchanged pages from the cache, and the files are the same as without the cache.
func TestPublishingUsesTheBuildCache(t *testing.T) {
	cache, err := buildcache.Open(filepath.Join(t.TempDir(), "cache"),
		buildcache.Options{Now: time.Now, OnError: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
	defer cache.Close()
	digests := func(cache *buildcache.Store) map[string]string {
		b := worktest.New(t)
		d := b.QueueDeployment(t, b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, site)}),
			deploy.Production, "")
		p := publisher(b)
		p.Cache = cache
		if err := p.Run(t.Context(), b.Take(t)); err != nil {
			t.Fatal(err)
		}
		if d, err = b.Store.FindDeploymentByID(t.Context(), d.ID); err != nil || d.Status != deploy.Success {
			t.Fatal(d, err)
		}
		m, err := publish.LoadManifest(t.Context(), b.Blob, d.ManifestKey)
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]string{}
		for path, f := range m.Files {
			out[path] = f.SHA256
		}
		return out
	}
	want := digests(nil)
	if got := digests(cache); !maps.Equal(got, want) {
		t.Error("with an empty cache, other files are published")
	}
	first := cache.Figures()
	if got := digests(cache); !maps.Equal(got, want) {
		t.Error("with a full cache, other files are published")
	}
	second := cache.Figures()
	if first.Stored == 0 || second.Hits == first.Hits || second.Stored != first.Stored {
		t.Errorf("the cache counts %+v, then %+v", first, second)
	}
}
