package exportjob

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"path"
	"time"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/build/buildcache"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
	"github.com/lectern-docs/lectern/internal/foundation/scratch"
	"github.com/lectern-docs/lectern/internal/script/jsrun"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/openapi"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/source/snapshot"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// Exporter does export tasks.
type Exporter struct {
	Store   *store.Store
	Blob    blob.Store
	Source  *snapshot.Fetcher
	Scratch *scratch.Space
	SiteURL func(domain string) string // canonical origin of a site
	Tool    string                     // version of this program, for the manifest
	Press   *build.Tools               // shared by all builds; nil = each makes its own
	Cache   *buildcache.Store          // what earlier builds made; nil = none
	Scripts jsrun.Host                 // where author code runs, if it does
	// gets API descriptions from other hosts for sources that were not published; nil = they are left out
	Fetch openapi.Fetch
	// what a bundle offers of the site that has this canonical origin; nil = nothing
	Offers     func(origin string) capability.Offers
	Repository func(project.Project) site.Repository // where readers find a project's sources; nil = nowhere
	Signer     ed25519.PrivateKey                    // signs manifests; nil = they are not signed
	// what of this program and its settings the files depend on, see export.Job.Identify
	Making   string
	Limits   export.Limits
	Lease    time.Duration
	Interval time.Duration // least time between two stored progress figures
	Now      func() time.Time
}

// Run exports the held task's site. It ends the task in the store when it succeeds.
func (e *Exporter) Run(ctx context.Context, h task.Hold) error {
	job, err := e.Store.StartExport(ctx, h, e.Lease)
	if err != nil {
		return err
	}
	report, err := e.attempt(ctx, h, job)
	if fault.IsOutage(err) && ctx.Err() == nil {
		_, noted := e.Store.AdvanceExport(ctx, h, e.Lease, store.ExportProgress{Stage: export.StageWaiting})
		return errors.Join(err, noted)
	}
	if f, ok := fault.As(err); ok && f.Kind != fault.Internal {
		// The worker stores the message; this stores the details that it does not know. Without them the job fails all
		// the same.
		_ = e.Store.NoteExport(ctx, h, e.Lease, f.Code, findings(report))
	}
	return err
}

// attempt makes and stores the bundles within the operator's caps. The report is nil unless the build came to its end.
func (e *Exporter) attempt(ctx context.Context, h task.Hold, job export.Job) (*build.Report, error) {
	run, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	if e.Limits.MaxTime > 0 {
		defer time.AfterFunc(e.Limits.MaxTime, func() { stop(e.Limits.TooLong()) }).Stop()
	}
	meter := e.startMeter(run, h)
	defer meter.stop()
	report, done, err := e.produce(run, stop, h, job, meter)
	if err != nil {
		if over, ok := fault.As(context.Cause(run)); ok { // a cap ended it
			return report, over
		}
		return report, err
	}
	meter.stop()
	return report, e.complete(ctx, h, store.ExportDone{Pages: report.Pages, Bundles: done,
		Diagnostics: findings(report), Making: e.Making, Limits: e.Limits})
}

// produce builds the site into bundles. After an error none of them is stored.
func (e *Exporter) produce(ctx context.Context, stop context.CancelCauseFunc, h task.Hold, job export.Job,
	m *meter) (*build.Report, []export.Bundle, error) {
	dir, remove, err := e.Scratch.Folder("export")
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = remove() }() // leftovers go with the process
	src, err := e.source(ctx, job, dir)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = src.Close() }() // read only
	m.fetched(src.commit)
	if job, err = e.label(ctx, h, job, src.commit); err != nil {
		return nil, nil, err
	}

	// an attempt's own, so that a late one overwrites nothing
	folder := path.Join("exports", job.ID, fmt.Sprint(h.Fence))
	bundles := []*bundleWriter{
		e.startBundle(ctx, path.Join(folder, "site.tar.gz"), export.TarGz),
		e.startBundle(ctx, path.Join(folder, "site.zip"), export.Zip),
	}
	defer abandon(bundles)
	work, removeWork, err := e.Scratch.Folder("build")
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = removeWork() }()
	opt := build.Options{
		BaseURL: e.SiteURL(job.Domain), Links: link.Relative, Version: job.Version, Commit: src.commit, Tool: e.Tool,
		Tools: e.Press, Scripts: e.Scripts, Fetch: src.fetch, Now: build.Day(src.made),
		Repository: src.repository, View: reader.New(job.Groups...), Paths: job.Paths, Offers: e.offers(job.Domain), Modified: snapshot.Modified(src.FS),
		Scratch: work, ResponsiveImages: true, Manifest: true, Signer: e.Signer, Progress: e.watch(m, stop),
	}
	if session := e.Cache.Begin(); session != nil {
		defer session.Close() // also after a failure: what was made is good
		opt.Cache, opt.Program = session, session.Program()
	}
	report, err := build.Build(ctx, src.FS, opt,
		&gauge{to: output.Tee(bundles[0].archive, bundles[1].archive), limits: e.Limits})
	if err == nil {
		err = verdict(report)
	}
	done, err := finish(bundles, err, m)
	if err != nil {
		e.discard(ctx, bundles)
	}
	return report, done, err
}

// label gives the job its version, where that was not known before the source was there.
func (e *Exporter) label(ctx context.Context, h task.Hold, job export.Job, commit string) (export.Job, error) {
	label := job.LabelFor(commit)
	if label == job.Version {
		return job, nil
	}
	job.Version, job.Commit = label, commit
	return job, e.Store.LabelExport(ctx, h, e.Lease, label, commit)
}

// watch passes the build's reports on, and stops it when it has more pages than it may.
func (e *Exporter) watch(m *meter, stop context.CancelCauseFunc) func(build.Progress) {
	return func(p build.Progress) {
		m.build(p)
		if e.Limits.MaxPages > 0 && p.Total > e.Limits.MaxPages {
			stop(e.Limits.TooManyPages(p.Total))
		}
	}
}

// complete ends the task well. A cancel that comes at this moment is seen inside the transaction and does not cut it
// off: half-way, it would be unknown whether the bundles are offered.
func (e *Exporter) complete(ctx context.Context, h task.Hold, done store.ExportDone) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), e.Lease)
	defer cancel()
	err := e.Store.CompleteExportWithin(ctx, h, done)
	var lost task.Lost
	if _, refused := fault.As(err); refused || errors.Is(err, task.ErrCanceled) || errors.As(err, &lost) {
		for _, b := range done.Bundles {
			_ = e.Blob.Delete(ctx, b.Key) // the sweep finds what stays
		}
	}
	return err
}

// Fail ends the task with a reason for its owner.
func (e *Exporter) Fail(ctx context.Context, h task.Hold, why task.Failure) error {
	return e.Store.FailExport(ctx, h, why.Sentence)
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
func finish(bundles []*bundleWriter, buildErr error, m *meter) ([]export.Bundle, error) {
	var out []export.Bundle
	errs := []error{buildErr}
	for i, b := range bundles {
		done, err := b.close(buildErr)
		errs = append(errs, err)
		out = append(out, done)
		if buildErr == nil {
			m.stored(i+1, len(bundles))
		}
	}
	if buildErr != nil {
		return nil, buildErr
	}
	return out, errors.Join(errs...)
}

func (e *Exporter) offers(domain string) capability.Offers {
	if e.Offers == nil {
		return capability.Offers{}
	}
	return e.Offers(e.SiteURL(domain))
}
