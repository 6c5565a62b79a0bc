package store

import (
	"context"
	"errors"
	"strconv"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/pullpreview"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

const pullPreviewColumns = `v.id, v.organization_id, v.project_id, v.number, v.url, v.ref, v.commit_id, v.fork, ` +
	`v.state, v.deployment_id, v.outcome, v.changed, v.refused, v.comment_id, v.wanted, v.sent, v.attempts, v.error, ` +
	`v.created_at, v.updated_at, v.base, v.compared`

func scanPullPreview(s scanner) (pullpreview.Preview, error) {
	var v pullpreview.Preview
	var changed, compared string
	var attempts, created, updated int64
	err := s.Scan(&v.ID, &v.OrganizationID, &v.ProjectID, &v.Number, &v.URL, &v.Ref, &v.Commit, &v.Fork, &v.State,
		&v.DeploymentID, &v.Outcome, &changed, &v.Refused, &v.CommentID, &v.Wanted, &v.Sent, &attempts, &v.Error, &created,
		&updated, &v.Base, &compared)
	if err != nil {
		return v, err
	}
	v.Attempts, v.CreatedAt, v.UpdatedAt = int(attempts), fromMicros(created), fromMicros(updated)
	if compared != "" {
		if v.Compared, err = fromJSON[*deploy.Comparison](compared); err != nil {
			return v, err
		}
	}
	v.Changed, err = fromJSON[[]deploy.ChangedPage](changed)
	return v, err
}

var errUnknownPullPreview = fault.New(fault.NotFound, "unknown_preview", "The pull request has no preview.")

func (r reads) onePullPreview(ctx context.Context, where string, args ...any) (pullpreview.Preview, error) {
	v, err := single(ctx, r.q, scanPullPreview, `SELECT `+pullPreviewColumns+` FROM pull_previews v WHERE `+where, args...)
	if errors.Is(err, errNone) {
		return v, errUnknownPullPreview
	}
	return v, wrap("find preview of pull request", err)
}

// FindPullPreview returns the preview for a pull request.
func (r reads) FindPullPreview(ctx context.Context, projectID string, number int64) (pullpreview.Preview, error) {
	return r.onePullPreview(ctx, `v.project_id = $1 AND v.number = $2`, projectID, number)
}

// FindPullPreviewByID returns a preview, for the worker that reports it.
func (r reads) FindPullPreviewByID(ctx context.Context, previewID string) (pullpreview.Preview, error) {
	return r.onePullPreview(ctx, `v.id = $1`, previewID)
}

// FindPullPreviewByRef returns the preview for the pull request with the given ref.
func (r reads) FindPullPreviewByRef(ctx context.Context, projectID, ref string) (pullpreview.Preview, error) {
	return r.onePullPreview(ctx, `v.project_id = $1 AND v.ref = $2 ORDER BY v.updated_at DESC LIMIT 1`, projectID, ref)
}

// OpenPullPreview creates a preview for the newest commit of an open pull request, unless it is refused, and queues a
// report. The caller must record the event. OpenPullPreview does not remove other previews to make room;
// AdmitPullPreview does.
func (t *Tx) OpenPullPreview(ctx context.Context, p project.Project, v pullpreview.Preview) (pullpreview.Preview, error) {
	if err := t.lockProject(ctx, p.ID); err != nil {
		return v, err
	}
	v, err := t.putPullPreview(ctx, p, v)
	if err != nil {
		return v, err
	}
	v.DeploymentID = ""
	if v.Refused == "" {
		d, err := t.QueueDeployment(ctx, p, deploy.Preview, v.Ref, deploy.Pull)
		if err != nil {
			return v, err
		}
		v.DeploymentID = d.ID
	} else if err := t.dropPreviews(ctx, v, ""); err != nil {
		return v, err
	}
	if _, err := t.q.exec(ctx, `UPDATE pull_previews SET refused = $2, deployment_id = $3 WHERE id = $1`, v.ID,
		string(v.Refused), v.DeploymentID); err != nil {
		return v, wrap("store preview of pull request", err)
	}
	return v, t.queueReport(ctx, v)
}

// putPullPreview stores what the code host says about an open pull request.
func (t *Tx) putPullPreview(ctx context.Context, p project.Project, v pullpreview.Preview) (pullpreview.Preview, error) {
	known, err := t.FindPullPreview(ctx, p.ID, v.Number)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return v, err
	}
	v.OrganizationID, v.ProjectID, v.State, v.UpdatedAt = p.OrganizationID, p.ID, pullpreview.Open, t.now()
	if err != nil {
		v.ID, v.CreatedAt = t.s.ids.New(id.PullPreview), v.UpdatedAt
		_, err := t.q.exec(ctx, `INSERT INTO pull_previews (id, organization_id, project_id, number, url, ref, commit_id,
			fork, state, created_at, updated_at, base) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'open', $9, $9, $10)`, v.ID,
			v.OrganizationID, v.ProjectID, v.Number, v.URL, v.Ref, v.Commit, v.Fork, micros(v.UpdatedAt), v.Base)
		return v, wrap("store preview of pull request", err)
	}
	v.ID, v.CreatedAt, v.DeploymentID, v.CommentID = known.ID, known.CreatedAt, known.DeploymentID, known.CommentID
	// if a pull request is reopened, its preview must be admitted again
	_, err = t.q.exec(ctx, `UPDATE pull_previews SET url = $2, ref = $3, commit_id = $4, fork = $5,
		admitted = admitted AND state = 'open', state = 'open',
		updated_at = $6, base = $7 WHERE id = $1`, v.ID, v.URL, v.Ref, v.Commit, v.Fork, micros(v.UpdatedAt), v.Base)
	return v, wrap("store preview of pull request", err)
}

// ClosePullPreview ends the preview for a pull request that was closed or merged. found reports whether there was a
// preview.
func (t *Tx) ClosePullPreview(ctx context.Context, p project.Project, number int64, state pullpreview.State,
	requestID string) (found bool, err error) {
	if err := t.lockProject(ctx, p.ID); err != nil {
		return false, err
	}
	v, err := t.FindPullPreview(ctx, p.ID, number)
	if fault.Is(err, fault.NotFound) || err == nil && v.State != pullpreview.Open {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := t.removePullPreview(ctx, v, "webhook", requestID, string(state)); err != nil { // same lock order as refusePullPreview
		return false, err
	}
	_, err = t.q.exec(ctx, `UPDATE pull_previews SET state = $2, refused = '', updated_at = $3 WHERE id = $1`, v.ID,
		string(state), micros(t.now()))
	return true, wrap("close preview of pull request", err)
}

// removePullPreview deletes a preview's deployments, cancels the running ones, records an event and queues a
// report.
func (t *Tx) removePullPreview(ctx context.Context, v pullpreview.Preview, actor, requestID, why string) error {
	if err := t.dropPreviews(ctx, v, ""); err != nil {
		return err
	}
	if _, err := t.q.exec(ctx, `UPDATE pull_previews SET deployment_id = '' WHERE id = $1`, v.ID); err != nil {
		return wrap("remove preview of pull request", err)
	}
	if v.DeploymentID != "" {
		if err := t.Record(ctx, event.New(v.OrganizationID, actor, "preview.remove", v.ProjectID, requestID, t.now(),
			map[string]string{"project": v.ProjectID, "number": strconv.FormatInt(v.Number, 10), "reason": why})); err != nil {
			return err
		}
	}
	return t.queueReport(ctx, v)
}

// dropPreviews deletes all deployments for a pull request except one. It requests a stop for deployments in progress.
func (t *Tx) dropPreviews(ctx context.Context, v pullpreview.Preview, except string) error {
	const which = `SELECT id FROM deployments WHERE project_id = $1 AND branch = $2 AND kind = 'preview' AND id <> $3
		AND triggered_by = 'pull_request'`
	if _, err := t.q.exec(ctx, `UPDATE tasks SET cancel_asked = TRUE, state = CASE WHEN state = 'queued' THEN 'done' ELSE state END
		WHERE id IN (SELECT id FROM tasks WHERE state <> 'done' AND id IN (`+which+`) ORDER BY id`+t.forUpdate()+`)`,
		v.ProjectID, v.Ref, except); err != nil {
		return wrap("stop previews", err)
	}
	_, err := t.q.exec(ctx, `DELETE FROM deployments WHERE id IN (`+which+`)`, v.ProjectID, v.Ref, except)
	return wrap("remove previews", err)
}

// endPullPreview records how the newest build of a pull request ended, and queues a report. When the new preview is
// published, earlier ones are deleted.
func (t *Tx) endPullPreview(ctx context.Context, d deploy.Deployment, status deploy.Status) error {
	if d.Kind != deploy.Preview {
		return nil
	}
	v, err := t.onePullPreview(ctx, `v.deployment_id = $1`, d.ID)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if status == deploy.Success {
		if err := t.dropPreviews(ctx, v, d.ID); err != nil {
			return err
		}
		v.Changed, v.Compared = d.Changed, d.Compared
	}
	if v.Changed == nil {
		v.Changed = []deploy.ChangedPage{}
	}
	compared := ""
	if v.Compared != nil {
		compared = asJSON(v.Compared)
	}
	if _, err := t.q.exec(ctx, `UPDATE pull_previews SET outcome = $2, changed = $3, compared = $4 WHERE id = $1`, v.ID,
		string(status), asJSON(v.Changed), compared); err != nil {
		return wrap("record end of preview", err)
	}
	return t.queueReport(ctx, v)
}
