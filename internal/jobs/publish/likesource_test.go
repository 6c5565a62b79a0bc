package publish_test

import (
	"bytes"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/testkit/testgit"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// D4: an update takes over files of the live site's stored source, but not from a lost or damaged one.
func TestUpdateRepairsADamagedStoredSource(t *testing.T) {
	for name, damage := range map[string]func(data []byte) []byte{
		"undamaged": func(data []byte) []byte { return data },
		"lost":      func([]byte) []byte { return nil },
		"cut":       func(data []byte) []byte { return data[:len(data)/2] },
		"changed": func(data []byte) []byte {
			data[bytes.Index(data, []byte("start.mdx"))+20] ^= 1 // in the compressed page
			return data
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := worktest.New(t)
			dir := worktest.Write(t, site)
			for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"commit", "-q", "-m", "Begin"}} {
				testgit.Run(t, dir, args...)
			}
			p := b.Project(t, "docs.example.com", project.Source{Repository: "file://" + dir, Branch: "main"})
			live := deployNow(t, b, p, deploy.Production)
			r, _, err := b.Blob.Open(t.Context(), live.SnapshotKey)
			check(t, err)
			data, err := io.ReadAll(r)
			check(t, err)
			check(t, r.Close())
			if data = damage(data); data == nil {
				check(t, b.Blob.Delete(t.Context(), live.SnapshotKey))
			} else {
				_, err = b.Blob.Put(t.Context(), live.SnapshotKey, bytes.NewReader(data))
				check(t, err)
			}
			worktest.Rewrite(t, dir, map[string]string{"new.mdx": "# New\n"})
			testgit.Run(t, dir, "add", ".")
			testgit.Run(t, dir, "commit", "-q", "-m", "Add a page")
			d := deployNow(t, b, p, deploy.Production)
			src, err := b.Source.Open(t.Context(), d.SnapshotKey, t.TempDir())
			check(t, err)
			for file, text := range site {
				if got, err := fs.ReadFile(src.FS, file); err != nil || string(got) != text {
					t.Errorf("%s: %q, %v", file, got, err)
				}
			}
			if _, known := src.Sum("new.mdx"); !known {
				t.Error("the digest of a page was not stored")
			}
			check(t, src.Close())
			for path, text := range map[string]string{"index.html": "Welcome.", "new.html": "New"} {
				if html := page(t, b, d, path); !strings.Contains(html, text) {
					t.Errorf("%s is incomplete", path)
				}
			}
			reported := slices.ContainsFunc(d.Logs,
				func(l deploy.LogLine) bool { return strings.Contains(l.Message, "fetched again") })
			if want := name == "lost" || name == "cut"; reported != want {
				t.Errorf("reported in the log: %t", reported)
			}
		})
	}
}
