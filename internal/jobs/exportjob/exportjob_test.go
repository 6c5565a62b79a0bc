package exportjob_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/jobs/exportjob"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/blob"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

var site = map[string]string{
	"docs.json":        `{"name":"T","theme":"mint","colors":{"primary":"#112233"},"navigation":{"pages":["index","guides/start"]}}`,
	"index.mdx":        "---\ntitle: Home\n---\nWelcome to [start](/guides/start).\n",
	"guides/start.mdx": "---\ntitle: Start\n---\nBegin here.\n",
}

func siteURL(d string) string { return "https://" + d }

func exporter(b *worktest.Env) *exportjob.Exporter {
	return &exportjob.Exporter{Store: b.Store, Blob: b.Blob, Source: b.Source, Scratch: b.Scratch, SiteURL: siteURL,
		Tool: "test", Lease: worktest.Lease, Interval: time.Millisecond, Now: b.Now}
}

func queueExport(t *testing.T, b *worktest.Env, p project.Project, paths ...string) export.Job {
	t.Helper()
	var j export.Job
	err := b.Store.Tx(t.Context(), func(tx *store.Tx) (err error) {
		j, err = tx.CreateExport(t.Context(), export.Job{OrganizationID: p.OrganizationID, ProjectID: p.ID,
			Domain: p.Domains[0], Version: "v1", Paths: paths})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func exportNow(t *testing.T, b *worktest.Env, p project.Project, paths ...string) export.Job {
	t.Helper()
	j := queueExport(t, b, p, paths...)
	if err := exporter(b).Run(t.Context(), b.Take(t)); err != nil {
		t.Fatal(err)
	}
	return find(t, b, j.ID)
}

func find(t *testing.T, b *worktest.Env, id string) export.Job {
	t.Helper()
	j, err := b.Store.FindExportByID(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func read(t *testing.T, b *worktest.Env, j export.Job, f export.Format) []byte {
	t.Helper()
	bundle, err := j.Bundle(f)
	if err != nil {
		t.Fatal(err)
	}
	r, _, err := b.Blob.Open(t.Context(), bundle.Key)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != bundle.SHA256 || int64(len(data)) != bundle.Size {
		t.Fatalf("%s: digest or size of the bundle differs from the job (B7)", f)
	}
	return data
}

func tarNames(t *testing.T, data []byte) (names []string) {
	t.Helper()
	zr, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for tr := tar.NewReader(zr); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return names
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, h.Name)
	}
}

// tarFile returns one file of an archive.
func tarFile(t *testing.T, data []byte, name string) []byte {
	t.Helper()
	zr, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for tr := tar.NewReader(zr); ; {
		h, err := tr.Next()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if h.Name == name {
			body, err := io.ReadAll(tr)
			if err != nil {
				t.Fatal(err)
			}
			return body
		}
	}
}

func TestExportContainsTheWholeSiteInBothFormats(t *testing.T) {
	b := worktest.New(t)
	j := exportNow(t, b, b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, site)}))
	if j.Status != export.Completed || j.Progress != 100 || j.PageCount != 2 {
		t.Fatalf("%+v", j)
	}
	names := tarNames(t, read(t, b, j, export.TarGz))
	for _, want := range []string{"index.html", "guides/start.html", "guides/start.md", "manifest.json"} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is missing from %v", want, names)
		}
	}
	raw := read(t, b, j, export.Zip)
	zr, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	var zipped []string
	for _, f := range zr.File {
		zipped = append(zipped, f.Name)
	}
	if !slices.Equal(names, zipped) {
		t.Errorf("tar has %v, zip has %v", names, zipped)
	}
}

// B6: the same source yields the same bytes.
func TestExportsOfOneSourceAreByteIdentical(t *testing.T) {
	b := worktest.New(t)
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, site)})
	one, two := exportNow(t, b, p), exportNow(t, b, p)
	for _, f := range []export.Format{export.TarGz, export.Zip} {
		if !bytes.Equal(read(t, b, one, f), read(t, b, two, f)) {
			t.Errorf("%s differs", f)
		}
	}
}

// An export contains what readers see, not the source as it has changed since.
func TestExportUsesThePublishedSite(t *testing.T) {
	b := worktest.New(t)
	dir := worktest.Write(t, site)
	p := b.Project(t, "docs.example.com", project.Source{Path: dir})
	b.QueueDeployment(t, p, deploy.Production, "")
	pub := &publish.Publisher{Store: b.Store, Blob: b.Blob, Source: b.Source, Scratch: b.Scratch, SiteURL: siteURL,
		Lease: worktest.Lease, Now: b.Now}
	if err := pub.Run(t.Context(), b.Take(t)); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	j := exportNow(t, b, p)
	if j.Status != export.Completed || j.PageCount != 2 || j.Commit == "" {
		t.Fatalf("%+v", j)
	}
}

func TestPathsLimitTheExportToASubset(t *testing.T) {
	b := worktest.New(t)
	j := exportNow(t, b, b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, site)}),
		"guides/start")
	names := tarNames(t, read(t, b, j, export.TarGz))
	if j.PageCount != 1 || !slices.Contains(names, "guides/start.html") {
		t.Fatalf("%d pages: %v", j.PageCount, names)
	}
}

// J6: a broken page fails the export, and the error says which page it is; partial output is never offered as a bundle.
func TestExportErrorNamesBrokenPage(t *testing.T) {
	b := worktest.New(t)
	dir := worktest.Write(t, site)
	worktest.Rewrite(t, dir, map[string]string{"guides/start.mdx": "---\ntitle: [\n---\n"})
	p := b.Project(t, "docs.example.com", project.Source{Path: dir})
	queueExport(t, b, p)
	err := exporter(b).Run(t.Context(), b.Take(t))
	f, ok := fault.As(err)
	if !ok || !strings.Contains(f.Public, "guides/start.mdx:") {
		t.Fatalf("%v", err)
	}
	if left := b.Keys(t, "exports/"); len(left) > 0 {
		t.Fatalf("left in the blob store: %v", left)
	}
}

// J8: a stopped export leaves nothing behind, neither in the blob store nor in the work folder.
func TestStoppedExportLeavesNothing(t *testing.T) {
	b := worktest.New(t)
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, site)})
	queueExport(t, b, p)
	h := b.Take(t)
	ctx, stop := context.WithCancel(t.Context())
	e := exporter(b)
	e.SiteURL = func(d string) string { stop(); return siteURL(d) } // called just before the build starts
	if err := e.Run(ctx, h); err == nil {
		t.Fatal("no error")
	}
	if left := b.Keys(t, ""); len(left) > 0 {
		t.Errorf("left in the blob store: %v", left)
	}
	if left, err := filepath.Glob(filepath.Join(b.ScratchDir, "process-*", "export-*")); err != nil || len(left) > 0 {
		t.Errorf("left in the work folder: %v %v", left, err)
	}
}

func TestExportOfDeletedProjectReportsReason(t *testing.T) {
	b := worktest.New(t)
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, site)})
	queueExport(t, b, p)
	if err := b.Store.Tx(t.Context(),
		func(tx *store.Tx) error { return tx.DeleteProject(t.Context(), p.OrganizationID, p.ID) }); err != nil {
		t.Fatal(err)
	}
	if err := exporter(b).Run(t.Context(), b.Take(t)); !fault.HasCode(err, "project_gone") {
		t.Fatal(err)
	}
}

// J3: an attempt that lost its lease does not complete the job.
func TestAttemptWithExpiredLeaseCannotCompleteJob(t *testing.T) {
	b := worktest.New(t)
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, site)})
	j := queueExport(t, b, p)
	h := b.Take(t)
	h.Fence-- // like a worker that held the lease earlier
	var lost task.Lost
	if err := exporter(b).Run(t.Context(), h); !errors.As(err, &lost) {
		t.Fatal(err)
	}
	if got := find(t, b, j.ID); got.Status != export.Queued {
		t.Fatalf("%+v", got)
	}
}

// endings counts the uploads that have ended.
type endings struct {
	blob.Store
	ended chan error
}

func (e endings) Put(ctx context.Context, key string, r io.Reader) (int64, error) {
	n, err := e.Store.Put(ctx, key, r)
	e.ended <- err
	return n, err
}

// An export that panics leaves no upload waiting forever.
func TestPanicAbortsUploads(t *testing.T) {
	b := worktest.New(t)
	p := b.Project(t, "docs.example.com", project.Source{Path: worktest.Write(t, site)})
	queueExport(t, b, p)
	e := exporter(b)
	uploads := endings{b.Blob, make(chan error, 2)}
	e.Blob, e.SiteURL = uploads, func(string) string { panic("boom") }
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		_ = e.Run(t.Context(), b.Take(t))
	}()
	for range 2 {
		if err := <-uploads.ended; err == nil {
			t.Error("half a bundle was stored")
		}
	}
	if left := b.Keys(t, "exports/"); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}
