package publish

import (
	"context"
	"errors"
	"fmt"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/source/snapshot"
)

// fetched is a source in a scratch folder.
type fetched struct {
	*snapshot.Source
	remove func() // closes the source and removes the folder
}

// inScratch returns the source that fetch creates in a scratch folder.
func (r *run) inScratch(name string, fetch func(dir string) (*snapshot.Source, error)) (fetched, error) {
	dir, remove, err := r.Scratch.Folder(name)
	if err != nil {
		return fetched{}, err
	}
	src, err := fetch(dir)
	if err != nil {
		return fetched{}, errors.Join(err, remove())
	}
	return fetched{src, func() { _, _ = src.Close(), remove() }}, nil // read only; removed when the process ends, if not here
}

// buildSource builds a source. Only this function sets Options.Sum: the digests decide what comes from the build cache,
// so those of other files would show pages that readers may not see.
func buildSource(ctx context.Context, src *snapshot.Source, opt build.Options, to output.Sink) (*build.Report, error) {
	opt.Sum = src.Sum
	return build.Build(ctx, src.FS, opt, to)
}

// fetch fetches the source.
func (r *run) fetch(ctx context.Context, p project.Project) (fetched, error) {
	src, err := r.inScratch("publish", func(dir string) (*snapshot.Source, error) { return r.source(ctx, p, dir) })
	if err != nil {
		return src, err
	}
	if _, err := r.Store.AdvanceDeployment(ctx, r.h, r.Lease, r.d); err != nil {
		src.remove()
		return fetched{}, err
	}
	return src, nil
}

// source returns the source, which uses the empty folder dir: its current state or, if only features or readers
// changed, the copy of the live source. In the latter case, commits whose publication was not requested are not
// published.
func (r *run) source(ctx context.Context, p project.Project, dir string) (*snapshot.Source, error) {
	if r.rebuilds(p) {
		return r.kept(ctx, p, dir)
	}
	if p.Source.Path != "" {
		r.logLine("Reading the source folder.")
	} else {
		r.logLine("Fetching the repository.")
	}
	got, err := r.Source.Fetch(ctx, p, r.d.Branch, dir, r.like)
	if err != nil {
		return nil, err
	}
	r.d.Commit, r.d.Change, r.d.Diagnostics = got.Commit, deploy.Change(got.Change), got.Diagnostics
	r.logLine(fmt.Sprintf("The source is %s; files: %d, bytes: %d.", got.Commit, got.Files, got.Bytes))
	return got, nil
}

// openLike opens the live site's stored source, whose unchanged files are not fetched and compressed again. It only
// saves time, so only an outage or a canceled update is an error. A second attempt does not use it: the first one may have
// failed because it is damaged.
func (r *run) openLike(ctx context.Context, p project.Project) (remove func(), err error) {
	remove = func() {}
	if p.LiveID == "" || r.h.Fence > 1 || r.rebuilds(p) {
		return remove, nil
	}
	live, err := r.Store.FindDeploymentByID(ctx, p.LiveID)
	if err != nil || !snapshot.Reusable(live.SnapshotKey) {
		return remove, err
	}
	src, err := r.inScratch("like", func(dir string) (*snapshot.Source, error) {
		return r.Source.Open(ctx, live.SnapshotKey, dir)
	})
	switch {
	case err == nil && !src.Damaged():
		r.like = src.Source
		return func() { r.like = nil; src.remove() }, nil
	case err == nil:
		src.remove()
		err = errors.New("it does not match its checksum")
	case ctx.Err() != nil || fault.IsOutage(err) && !fault.IsFull(err):
		return remove, err
	}
	if fault.IsFull(err) { // the fetched files alone may still fit
		return remove, nil
	}
	r.logLine("The stored source of the live site is missing or damaged; all files are fetched again.")
	if r.Logger != nil {
		r.Logger.Warn("cannot use the stored source of the live site, fetching all files again",
			"project", r.d.ProjectID, "deployment", r.d.ID, "error", err)
	}
	return remove, nil
}

// rebuilds reports whether the update rebuilds the live site from its stored source.
func (r *run) rebuilds(p project.Project) bool {
	return (r.d.Trigger == deploy.Features || r.d.Trigger == deploy.Views) && p.LiveID != ""
}

// kept opens the stored source of the live site.
func (r *run) kept(ctx context.Context, p project.Project, dir string) (*snapshot.Source, error) {
	if r.d.Trigger == deploy.Views {
		r.logLine("Readers in other groups requested the site. Building it for them too.")
	} else {
		r.logLine("Features changed. Rebuilding the live site.")
	}
	live, err := r.Store.FindDeploymentByID(ctx, p.LiveID)
	if err != nil {
		return nil, err
	}
	if live.SnapshotKey == "" {
		return nil, fault.New(fault.Conflict, "source_gone", "The source of the live site is no longer stored.").
			WithHint("Update the project to publish it with the current features.")
	}
	src, err := r.Source.Open(ctx, live.SnapshotKey, dir)
	if err != nil {
		return nil, err
	}
	r.d.Commit, r.d.Change, r.d.Replaces = live.Commit, live.Change, live.ID
	r.like = src // for the versions of the site
	r.logLine(fmt.Sprintf("The source is the stored copy of %s.", live.Commit))
	return src, nil
}
