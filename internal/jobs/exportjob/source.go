package exportjob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/openapi"
	"github.com/lectern-docs/lectern/internal/source/snapshot"
)

// source is what a bundle is made from.
type source struct {
	fs.FS
	io.Closer
	commit     string
	fetch      openapi.Fetch   // where API descriptions at addresses come from
	repository site.Repository // where readers find the sources
	// when readers got to see it, which author code takes for the time: a bundle equals the site it is made from
	made time.Time
}

// source opens what is published, or fetches the source when nothing was published yet. It lies in the empty folder
// dir.
func (e *Exporter) source(ctx context.Context, job export.Job, dir string) (source, error) {
	p, err := e.Store.FindProject(ctx, job.OrganizationID, job.ProjectID)
	if fault.Is(err, fault.NotFound) {
		return source{}, fault.New(fault.NotFound, "project_gone", "The project was deleted before the export started.")
	}
	if err != nil {
		return source{}, err
	}
	published := job.DeploymentID
	if published == "" { // nothing was live when it was asked for, or an earlier release did not note what
		published = p.LiveID
	}
	if published != "" {
		live, err := e.Store.FindDeploymentByID(ctx, published)
		if err != nil {
			return source{}, err
		}
		return e.published(ctx, p, live, dir)
	}
	got, err := e.Source.Fetch(ctx, p, "", dir)
	if err != nil {
		return source{}, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return source{}, fmt.Errorf("open source folder: %w", err)
	}
	return source{root.FS(), root, got.Commit, e.Fetch, e.repository(p), job.CreatedAt}, nil
}

// published opens the kept source of a deployment. API descriptions at addresses are those that it was built from: the
// hosts are not asked again, unless the source was kept by an earlier release.
func (e *Exporter) published(ctx context.Context, p project.Project, live deploy.Deployment, dir string) (source,
	error) {
	src, closer, err := e.Source.Open(ctx, live.SnapshotKey, dir)
	if err != nil {
		return source{}, err
	}
	copies, err := snapshot.Remote(src)
	if err != nil {
		return source{}, errors.Join(err, closer.Close())
	}
	return source{src, closer, live.Commit, snapshot.Replay(copies, e.Fetch), e.repository(p), live.CreatedAt}, nil
}

func (e *Exporter) repository(p project.Project) (out site.Repository) {
	if e.Repository != nil {
		out = e.Repository(p)
	}
	return out
}
