//go:build kubernetes

package kubernetes

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/store/blob"
	blobs "github.com/lectern-docs/lectern/internal/store/blob/s3"
)

// bundleBucket is a bucket with bundles, at an address that pods can reach.
type bundleBucket struct {
	t     *testing.T
	store *blobs.Store
}

func newBundleBucket(t *testing.T) *bundleBucket {
	t.Helper()
	store, err := blobs.Open(context.Background(), blobs.Options{Endpoint: addressForPods(objects.Endpoint),
		Region: objects.Region, Bucket: objects.Bucket(t),
		PathStyle: true, AccessKey: objects.AccessKey, SecretKey: objects.SecretKey})
	if err != nil {
		t.Fatal(err)
	}
	return &bundleBucket{t: t, store: store}
}

// writeSite writes a docs folder whose first page contains the sentence.
func writeSite(t testing.TB, dir, sentence string) {
	t.Helper()
	for name, content := range map[string]string{
		"docs.json": `{"name":"Handbook","theme":"mint","colors":{"primary":"#0055aa"},` +
			`"navigation":{"pages":["index","guides/start"]}}`,
		"index.mdx":        "---\ntitle: Home\n---\n\n" + sentence + "\n",
		"guides/start.mdx": "---\ntitle: Start\n---\n\nBack to [home](/index).\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// put exports a site with a label, stores the bundle and returns a presigned link to it.
func (s *bundleBucket) put(sentence, label string, life time.Duration) blob.Link {
	s.t.Helper()
	dir := s.t.TempDir()
	writeSite(s.t, filepath.Join(dir, "docs"), sentence)
	archive := filepath.Join(dir, "site.tar.gz")
	run(s.t, "lectern", "export", filepath.Join(dir, "docs"), "--out", archive, "--label", label, "--no-cache")
	f, err := os.Open(archive)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // read only
	key := "bundles/" + label + "-" + strings.ToLower(rand.Text()) + ".tar.gz"
	if _, err := s.store.Put(context.Background(), key, f); err != nil {
		s.t.Fatal(err)
	}
	link, err := s.store.Link(context.Background(), key, "", life)
	if err != nil {
		s.t.Fatal(err)
	}
	return link
}
