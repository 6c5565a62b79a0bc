package exportjob

import (
	"context"
	"errors"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/openapi"
	"github.com/lectern-docs/lectern/internal/source/snapshot"
)

// source is the input of a bundle.
type source struct {
	*snapshot.Source
	commit     string
	fetch      openapi.Fetch   // loads API descriptions from remote addresses
	repository site.Repository // where readers find the sources
	// when the source was published. Author code gets this as the current time, so that a bundle equals the published
	// site
	made time.Time
}

// source opens the published source, or fetches the project's source if nothing has been published yet. dir is an
// empty folder for the files.
func (e *Exporter) source(ctx context.Context, job export.Job, dir string) (source, error) {
	p, err := e.Store.FindProject(ctx, job.OrganizationID, job.ProjectID)
	if fault.Is(err, fault.NotFound) {
		return source{}, fault.New(fault.NotFound, "project_gone", "The project was deleted before the export started.")
	}
	if err != nil {
		return source{}, err
	}
	published := job.DeploymentID
	if published == "" { // nothing was live when the export was requested, or an earlier release did not record it
		published = p.LiveID
	}
	if published != "" {
		live, err := e.Store.FindDeploymentByID(ctx, published)
		if err != nil {
			return source{}, err
		}
		return e.published(ctx, p, live, dir)
	}
	got, err := e.Source.Fetch(ctx, p, "", dir, nil)
	if err != nil {
		return source{}, err
	}
	return source{got, got.Commit, e.Fetch, e.repository(p), job.CreatedAt}, nil
}

// published opens a deployment's stored source. For remote API descriptions it uses the copies from that build. Their
// hosts are contacted again only if an earlier release of Lectern stored the source.
func (e *Exporter) published(ctx context.Context, p project.Project, live deploy.Deployment, dir string) (source,
	error) {
	src, err := e.Source.Open(ctx, live.SnapshotKey, dir)
	if err != nil {
		return source{}, err
	}
	copies, err := snapshot.Remote(src.FS)
	if err != nil {
		return source{}, errors.Join(err, src.Close())
	}
	return source{src, live.Commit, snapshot.Replay(copies, e.Fetch), e.repository(p), live.CreatedAt}, nil
}

func (e *Exporter) repository(p project.Project) (out site.Repository) {
	if e.Repository != nil {
		out = e.Repository(p)
	}
	return out
}
