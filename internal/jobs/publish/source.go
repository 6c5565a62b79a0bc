package publish

import (
	"context"
	"fmt"
	"os"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// source puts the source into dir: its current state or, if only features or readers changed, the copy of the live
// source. Commits whose publication was not requested are not published then.
func (r *run) source(ctx context.Context, p project.Project, dir string) error {
	if (r.d.Trigger == deploy.Features || r.d.Trigger == deploy.Views) && p.LiveID != "" {
		return r.kept(ctx, p, dir)
	}
	if p.Source.Path != "" {
		r.logLine("Reading the source folder.")
	} else {
		r.logLine("Fetching the repository.")
	}
	got, err := r.Source.Fetch(ctx, p, r.d.Branch, dir)
	if err != nil {
		return err
	}
	r.d.Commit, r.d.Change, r.d.Diagnostics = got.Commit, deploy.Change(got.Change), got.Diagnostics
	r.logLine(fmt.Sprintf("The source is %s; files: %d, bytes: %d.", got.Commit, got.Files, got.Bytes))
	return nil
}

// kept unpacks the stored source of the live site.
func (r *run) kept(ctx context.Context, p project.Project, dir string) error {
	if r.d.Trigger == deploy.Views {
		r.logLine("Readers in other groups requested the site. Building it for them too.")
	} else {
		r.logLine("Features changed. Rebuilding the live site.")
	}
	live, err := r.Store.FindDeploymentByID(ctx, p.LiveID)
	if err != nil {
		return err
	}
	if live.SnapshotKey == "" {
		return fault.New(fault.Conflict, "source_gone", "The source of the live site is no longer stored.").
			WithHint("Update the project to publish it with the current features.")
	}
	work, remove, err := r.Scratch.Folder("kept")
	if err != nil {
		return err
	}
	defer func() { _ = remove() }() // removed when the process ends, if not here
	src, closer, err := r.Source.Open(ctx, live.SnapshotKey, work)
	if err != nil {
		return err
	}
	defer func() { _ = closer.Close() }() // read only
	if err := os.CopyFS(dir, src); err != nil {
		return fmt.Errorf("unpack stored source: %w", err)
	}
	r.d.Commit, r.d.Change, r.d.Replaces = live.Commit, live.Change, live.ID
	r.logLine(fmt.Sprintf("The source is the stored copy of %s.", live.Commit))
	return nil
}
