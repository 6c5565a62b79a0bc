package exportjob

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"time"

	"github.com/lectern-docs/lectern/internal/blob"
	"github.com/lectern-docs/lectern/internal/diag"
	"github.com/lectern-docs/lectern/internal/export"
	"github.com/lectern-docs/lectern/internal/fault"
	"github.com/lectern-docs/lectern/internal/jsrun"
	"github.com/lectern-docs/lectern/internal/link"
	"github.com/lectern-docs/lectern/internal/openapi"
	"github.com/lectern-docs/lectern/internal/outtree"
	"github.com/lectern-docs/lectern/internal/scratch"
	"github.com/lectern-docs/lectern/internal/sitebuild"
	"github.com/lectern-docs/lectern/internal/snapshot"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/task"
)

// Exporter does export tasks.
type Exporter struct {
	Store    *store.Store
	Blob     blob.Store
	Source   *snapshot.Fetcher
	Scratch  *scratch.Space
	SiteURL  func(domain string) string // canonical origin of a site
	Tool     string                     // version of this program, for the manifest
	Press    *sitebuild.Tools           // shared by all builds; nil = each makes its own
	Scripts  jsrun.Host                 // where author code runs, if it does
	Fetch    openapi.Fetch              // gets API descriptions from other hosts; nil = they are left out
	Search   bool                       // bundles have search
	Lease    time.Duration
	Interval time.Duration // least time between two stored progress figures
}

// Run exports the held task's site. It ends the task in the store when it succeeds.
func (e *Exporter) Run(ctx context.Context, h task.Hold) error {
	job, err := e.Store.StartExport(ctx, h, e.Lease)
	if err != nil {
		return err
	}
	dir, remove, err := e.Scratch.Folder("export")
	if err != nil {
		return err
	}
	defer func() { _ = remove() }() // leftovers go with the process
	meter := e.startMeter(ctx, h)
	defer meter.stop()

	meter.stage("Fetching the source")
	commit, made, err := e.source(ctx, job, dir)
	if err != nil {
		return err
	}
	meter.commit(commit)
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("open source folder: %w", err)
	}
	defer func() { _ = root.Close() }()

	folder := path.Join("exports", job.ID, fmt.Sprint(h.Fence)) // an attempt's own, so that a late one overwrites nothing
	bundles := []*bundleWriter{
		e.startBundle(ctx, path.Join(folder, "site.tar.gz"), export.TarGz),
		e.startBundle(ctx, path.Join(folder, "site.zip"), export.Zip),
	}
	defer abandon(bundles)
	work, removeWork, err := e.Scratch.Folder("build")
	if err != nil {
		return err
	}
	defer func() { _ = removeWork() }()
	report, err := sitebuild.Build(ctx, root.FS(), sitebuild.Options{
		BaseURL: e.SiteURL(job.Domain), Links: link.Relative, Version: job.Version, Commit: commit, Tool: e.Tool, Tools: e.Press, Scripts: e.Scripts, Fetch: e.Fetch, Now: sitebuild.Day(made),
		Paths: job.Paths, Search: e.Search, Modified: snapshot.Modified(root.FS()), Scratch: work, Manifest: true, Progress: meter.build,
	}, outtree.Tee(bundles[0].archive, bundles[1].archive))
	if err == nil {
		err = verdict(report)
	}
	done, err := finish(bundles, err)
	if err != nil {
		e.discard(ctx, bundles)
		return err
	}
	meter.stop()
	return e.Store.CompleteExport(ctx, h, report.Pages, done)
}

// Fail ends the task with a reason for its owner.
func (e *Exporter) Fail(ctx context.Context, h task.Hold, public string) error {
	return e.Store.FailExport(ctx, h, public)
}

// source restores what is published, or fetches the source when nothing was published yet. made is when readers got to see it, which
// author code takes for the time: a bundle equals the site it is made from.
func (e *Exporter) source(ctx context.Context, job export.Job, dir string) (commit string, made time.Time, err error) {
	p, err := e.Store.FindProject(ctx, job.OrganizationID, job.ProjectID)
	if fault.Is(err, fault.NotFound) {
		return "", made, fault.New(fault.NotFound, "project_gone", "The project was deleted before the export ran.")
	}
	if err != nil {
		return "", made, err
	}
	if p.LiveID != "" {
		live, err := e.Store.FindDeploymentByID(ctx, p.LiveID)
		if err != nil {
			return "", made, err
		}
		return live.Commit, live.CreatedAt, e.Source.Load(ctx, live.SnapshotKey, dir)
	}
	got, err := e.Source.Fetch(ctx, p, "", dir)
	return got.Commit, job.CreatedAt, err
}

// verdict says whether a build may be offered as a bundle: every page asked for must be in it.
func verdict(r *sitebuild.Report) error {
	if r.Failed == 0 && r.Pages > 0 && !r.Diagnostics.HasErrors() {
		return nil
	}
	for _, d := range r.Diagnostics {
		if d.Severity == diag.Error {
			return fault.Newf(fault.Invalid, "build_failed", "The site does not build: %s", d)
		}
	}
	return fault.New(fault.Invalid, "no_pages", "The site has no pages to export.")
}

// discard removes what an unsuccessful attempt has stored.
func (e *Exporter) discard(ctx context.Context, bundles []*bundleWriter) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	for _, b := range bundles {
		_ = e.Blob.Delete(ctx, b.key) // the sweep finds what stays
	}
}

// abandon breaks off bundles that a panic left open, so that the blob store does not wait for the rest of them. Those
// that are closed stay as they are.
func abandon(bundles []*bundleWriter) {
	for _, b := range bundles {
		b.blob.Abandon()
	}
}

// finish closes the bundles, whether or not the build succeeded, and returns what they became.
func finish(bundles []*bundleWriter, buildErr error) ([]export.Bundle, error) {
	var out []export.Bundle
	errs := []error{buildErr}
	for _, b := range bundles {
		done, err := b.close(buildErr)
		errs = append(errs, err)
		out = append(out, done)
	}
	if buildErr != nil {
		return nil, buildErr
	}
	return out, errors.Join(errs...)
}
