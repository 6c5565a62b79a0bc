package publish_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/store/blob"
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
			if want := name != "undamaged"; reported != want {
				t.Errorf("reported in the log: %t", reported)
			}
		})
	}
}

// openCounter counts how often stored sources are opened, and may fail.
type openCounter struct {
	blob.Store
	opened int
	err    error // of reading a stored source; nil = none
}

func (c *openCounter) Open(ctx context.Context, key string) (io.ReadSeekCloser, blob.Info, error) {
	r, info, err := c.Store.Open(ctx, key)
	if err != nil || !strings.HasPrefix(key, "snapshots/") {
		return r, info, err
	}
	if c.opened++; c.err != nil {
		return unreadable{r, c.err}, info, nil
	}
	return r, info, nil
}

type unreadable struct {
	io.ReadSeekCloser
	err error
}

func (u unreadable) Read([]byte) (int, error) { return 0, u.err }

// counted returns a publisher that reads stored sources through c.
func counted(b *worktest.Env, c *openCounter) *publish.Publisher {
	c.Store = b.Source.Blob
	source := *b.Source
	source.Blob = c
	of := publisher(b)
	of.Source = &source
	return of
}

// A disk that is too full for the stored source of the live site may have room for the new one.
func TestFullDiskWithoutRoomForTheLiveSourceIsNoFailure(t *testing.T) {
	b := worktest.New(t)
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, site)})
	deployNow(t, b, p, deploy.Production)
	d := b.QueueDeployment(t, p, deploy.Production, "")
	c := &openCounter{err: fmt.Errorf("write: %w", syscall.ENOSPC)}
	check(t, counted(b, c).Run(t.Context(), b.Take(t)))
	d, err := b.Store.FindDeploymentByID(t.Context(), d.ID)
	if check(t, err); d.Status != deploy.Success || c.opened != 1 {
		t.Errorf("%+v, opened %d times", d, c.opened)
	}
}

func TestRebuildReadsTheStoredSourceOnce(t *testing.T) {
	b := worktest.New(t)
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, site)})
	deployNow(t, b, p, deploy.Production)
	again(t, b, p)
	c := &openCounter{}
	check(t, counted(b, c).Run(t.Context(), b.Take(t)))
	if c.opened != 1 {
		t.Errorf("opened %d times", c.opened)
	}
}

// An old tag may have a file whose name archives cannot contain.
func TestVersionWithAnUnusableFileNameIsPublished(t *testing.T) {
	b, r := worktest.New(t), versioned(t)
	r.commit(t, map[string]string{"a:note.txt": "x"}, "v1.0")
	testgit.Run(t, r.dir, "rm", "-q", "a:note.txt")
	r.commit(t, text("Two"), "v2.0")
	p := r.project(t, b)
	d := b.QueueDeployment(t, p, deploy.Production, "")
	check(t, publisher(b).Run(t.Context(), takeDeploy(t, b)))
	d, err := b.Store.FindDeploymentByID(t.Context(), d.ID)
	if check(t, err); d.Status != deploy.Success {
		t.Errorf("%+v", d)
	}
}
