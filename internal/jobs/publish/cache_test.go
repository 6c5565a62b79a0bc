package publish_test

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"maps"
	"os"
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

// D4: a build does not load what the live site has stored. Every file of the new site can be read, also after a pack of
// the live site was lost, and the files are the same as after a publication without a cache.
func TestUpdateTakesUnchangedFilesFromTheLiveSite(t *testing.T) {
	cache, err := buildcache.Open(filepath.Join(t.TempDir(), "cache"),
		buildcache.Options{Now: time.Now, OnError: func(err error) { t.Error(err) }})
	check(t, err)
	defer cache.Close()
	b, dir := worktest.New(t), worktest.Write(t, site)
	p := b.Project(t, "docs.example.com", project.Source{Path: dir})
	for _, step := range []string{"first", "nothing", "edit", "edit", "lost pack"} {
		switch step {
		case "edit":
			name := filepath.Join(dir, "index.mdx")
			old, err := os.ReadFile(name)
			check(t, err)
			check(t, os.WriteFile(name, append(old, "One more sentence.\n"...), 0o644))
		case "lost pack":
			d, err := b.Store.FindDeploymentByID(t.Context(), liveOf(t, b, p))
			check(t, err)
			m, err := publish.LoadManifest(t.Context(), b.Blob, d.ManifestKey)
			check(t, err)
			check(t, b.Blob.Delete(t.Context(), m.Packs[0]))
		}
		warm := publishedFiles(t, b, p, cache)
		other := worktest.New(t)
		cold := publishedFiles(t, other, other.Project(t, "docs.example.com", project.Source{Path: dir}), nil)
		if !maps.Equal(warm, cold) {
			t.Errorf("%s: the files differ from those of a publication without a cache", step)
		}
	}
}

func liveOf(t *testing.T, b *worktest.Env, p project.Project) string {
	t.Helper()
	p, err := b.Store.FindProject(t.Context(), p.OrganizationID, p.ID)
	check(t, err)
	return p.LiveID
}

// publishedFiles publishes a project and returns the digests of its files, which it compares with the stored contents.
func publishedFiles(t *testing.T, b *worktest.Env, p project.Project, cache *buildcache.Store) map[string]string {
	t.Helper()
	d := b.QueueDeployment(t, p, deploy.Production, "")
	by := publisher(b)
	by.Cache = cache
	check(t, by.Run(t.Context(), b.Take(t)))
	d, err := b.Store.FindDeploymentByID(t.Context(), d.ID)
	check(t, err)
	m, err := publish.LoadManifest(t.Context(), b.Blob, d.ManifestKey)
	check(t, err)
	out := map[string]string{}
	for path, f := range m.Files {
		out[path] = f.SHA256
		stored, err := publish.OpenFile(t.Context(), b.Blob, m, f)
		check(t, err)
		var from io.Reader = stored
		if f.Gzip {
			from, err = gzip.NewReader(stored)
			check(t, err)
		}
		h := sha256.New()
		n, err := io.Copy(h, from)
		check(t, err)
		check(t, stored.Close())
		if n != f.Size || hex.EncodeToString(h.Sum(nil)) != f.SHA256 {
			t.Errorf("%s: the stored content has %d bytes instead of %d, or another digest", path, n, f.Size)
		}
	}
	return out
}
