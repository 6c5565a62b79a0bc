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

// Exporter runs export tasks.
type Exporter struct {
	Store   *store.Store
	Blob    blob.Store
	Source  *snapshot.Fetcher
	Scratch *scratch.Space
	SiteURL func(domain string) string // returns a site's canonical origin
	Tool    string                     // version of this program, for the manifest
	Press   *build.Tools               // shared by all builds; nil = each build creates its own
	Cache   *buildcache.Store          // results of earlier builds; nil = none
	Scripts jsrun.Host                 // runs author code, if enabled
	// fetches API descriptions from other hosts for sources that were not published; nil = leave them out
	Fetch openapi.Fetch
	// returns the features that a bundle has for the site with this canonical origin; nil = none
	Offers     func(origin string) capability.Offers
	Repository func(project.Project) site.Repository // returns where readers find a project's sources; nil = nowhere
	Signer     ed25519.PrivateKey                    // signs manifests; nil = they are not signed
	// identifies this program's version and settings that affect the files; see export.Job.Identify
	Making   string
	Limits   export.Limits
	Lease    time.Duration
	Interval time.Duration // minimum time between two stored progress updates
	Now      func() time.Time
}

// Run exports the site of the held task. On success it completes the task in the store.
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
		// The worker stores the message; this stores the details that the worker does not have. If this fails, the
		// job still fails as usual.
		_ = e.Store.NoteExport(ctx, h, e.Lease, f.Code, findings(report))
	}
	return err
}

// attempt creates and stores the bundles within the operator's limits. The report is nil unless the build ran to
// completion.
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
		if over, ok := fault.As(context.Cause(run)); ok { // a limit ended it
			return report, over
		}
		return report, err
	}
	meter.stop()
	return report, e.complete(ctx, h, store.ExportDone{Pages: report.Pages, Bundles: done,
		Diagnostics: findings(report), Making: e.Making, Limits: e.Limits})
}

// produce builds the site into bundles. On an error, it stores none of them.
func (e *Exporter) produce(ctx context.Context, stop context.CancelCauseFunc, h task.Hold, job export.Job,
	m *meter) (*build.Report, []export.Bundle, error) {
	dir, remove, err := e.Scratch.Folder("export")
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = remove() }() // if not here, removed when the process ends
	src, err := e.source(ctx, job, dir)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = src.Close() }() // read only
	m.fetched(src.commit)
	if job, err = e.label(ctx, h, job, src.commit); err != nil {
		return nil, nil, err
	}

	// A separate folder for each attempt, so that a late attempt overwrites nothing.
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
		defer session.Close() // also after a failure: the rendered results are valid
		opt.Cache, opt.Program, opt.Sum = session, session.Program(), src.Sum
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

// label sets the job's version, if it was unknown before the source was fetched.
func (e *Exporter) label(ctx context.Context, h task.Hold, job export.Job, commit string) (export.Job, error) {
	label := job.LabelFor(commit)
	if label == job.Version {
		return job, nil
	}
	job.Version, job.Commit = label, commit
	return job, e.Store.LabelExport(ctx, h, e.Lease, label, commit)
}

// watch forwards the build's progress, and stops the build if it exceeds the page limit.
func (e *Exporter) watch(m *meter, stop context.CancelCauseFunc) func(build.Progress) {
	return func(p build.Progress) {
		m.build(p)
		if e.Limits.MaxPages > 0 && p.Total > e.Limits.MaxPages {
			stop(e.Limits.TooManyPages(p.Total))
		}
	}
}

// complete marks the task as completed. A cancellation that arrives now is checked within the transaction but does
// not interrupt it; otherwise it would be unclear whether the bundles are available.
func (e *Exporter) complete(ctx context.Context, h task.Hold, done store.ExportDone) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), e.Lease)
	defer cancel()
	err := e.Store.CompleteExportWithin(ctx, h, done)
	var lost task.Lost
	if _, refused := fault.As(err); refused || errors.Is(err, task.ErrCanceled) || errors.As(err, &lost) {
		for _, b := range done.Bundles {
			_ = e.Blob.Delete(ctx, b.Key) // the sweep removes leftovers
		}
	}
	return err
}

// Fail marks the task as failed and stores a message for its owner.
func (e *Exporter) Fail(ctx context.Context, h task.Hold, why task.Failure) error {
	return e.Store.FailExport(ctx, h, why.Sentence)
}

// discard removes what an unsuccessful attempt stored.
func (e *Exporter) discard(ctx context.Context, bundles []*bundleWriter) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	for _, b := range bundles {
		_ = e.Blob.Delete(ctx, b.key) // the sweep removes leftovers
	}
}

// abandon aborts bundles left open by a panic, so that the blob store does not wait for more data. Closed bundles are
// unaffected.
func abandon(bundles []*bundleWriter) {
	for _, b := range bundles {
		b.blob.Abandon()
	}
}

// finish closes the bundles, whether or not the build succeeded, and returns those that were stored.
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
