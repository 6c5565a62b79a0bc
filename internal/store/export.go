package store

import (
	"context"
	"errors"
	"time"

	"github.com/lectern-docs/lectern/internal/export"
	"github.com/lectern-docs/lectern/internal/fault"
	"github.com/lectern-docs/lectern/internal/id"
	"github.com/lectern-docs/lectern/internal/task"
)

const exportColumns = `e.id, e.organization_id, e.project_id, e.domain, e.version, e.paths, e.status, e.progress, e.page_count, e.stage, e.commit_id, e.error, e.bundles, e.created_at, e.updated_at`

func scanExport(s scanner) (export.Job, error) {
	var j export.Job
	var paths, bundles string
	var pages, created, updated int64
	if err := s.Scan(&j.ID, &j.OrganizationID, &j.ProjectID, &j.Domain, &j.Version, &paths, &j.Status, &j.Progress, &pages, &j.Stage, &j.Commit, &j.Error, &bundles, &created, &updated); err != nil {
		return j, err
	}
	j.PageCount, j.CreatedAt, j.UpdatedAt = int(pages), fromMicros(created), fromMicros(updated)
	var err error
	if paths != "[]" {
		if j.Paths, err = fromJSON[[]string](paths); err != nil {
			return j, err
		}
	}
	if bundles != "[]" {
		j.Bundles, err = fromJSON[[]export.Bundle](bundles)
	}
	return j, err
}

var errUnknownExport = fault.New(fault.NotFound, "unknown_export", "There is no such export job.")

// CreateExport stores a queued export and its task.
func (t *Tx) CreateExport(ctx context.Context, j export.Job) (export.Job, error) {
	j.ID, j.Status, j.CreatedAt = t.s.ids.New(id.Export), export.Queued, t.now()
	j.UpdatedAt = j.CreatedAt
	_, err := t.q.exec(ctx, `INSERT INTO static_exports (id, organization_id, project_id, domain, version, paths, status, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, 'queued', $7, $7)`,
		j.ID, j.OrganizationID, j.ProjectID, j.Domain, j.Version, asJSON(j.Paths), micros(j.CreatedAt))
	if err != nil {
		return j, wrap("store export", err)
	}
	return j, t.queue(ctx, task.Export, j.ID, j.OrganizationID)
}

// FindExport returns an export of the organization.
func (r reads) FindExport(ctx context.Context, organizationID, exportID string) (export.Job, error) {
	return r.oneExport(ctx, `SELECT `+exportColumns+` FROM static_exports e WHERE e.organization_id = $1 AND e.id = $2`, organizationID, exportID)
}

// FindExportByID returns an export for the worker that does it.
func (r reads) FindExportByID(ctx context.Context, exportID string) (export.Job, error) {
	return r.oneExport(ctx, `SELECT `+exportColumns+` FROM static_exports e WHERE e.id = $1`, exportID)
}

func (r reads) oneExport(ctx context.Context, query string, args ...any) (export.Job, error) {
	j, err := single(ctx, r.q, scanExport, query, args...)
	if errors.Is(err, errNone) {
		return j, errUnknownExport
	}
	return j, wrap("find export", err)
}

// ListExports returns a page of an organization's exports, newest first; status "" means all.
func (r reads) ListExports(ctx context.Context, organizationID string, status export.Status, p Page) ([]export.Job, string, error) {
	at, after, err := p.place()
	if err != nil {
		return nil, "", err
	}
	list, err := collect(ctx, r.q, scanExport, `SELECT `+exportColumns+` FROM static_exports e WHERE e.organization_id = $1 AND (e.created_at, e.id) < ($2, $3)
		AND ($4 = '' OR e.status = $4) ORDER BY e.created_at DESC, e.id DESC LIMIT $5`, organizationID, at, after, string(status), p.Limit+1)
	if err != nil {
		return nil, "", wrap("list exports", err)
	}
	list, next := cut(list, p.Limit, func(j export.Job) (int64, string) { return micros(j.CreatedAt), j.ID })
	return list, next, nil
}

// StartExport moves a held export to running; one that was running before its worker died stays so.
func (s *Store) StartExport(ctx context.Context, h task.Hold, lease time.Duration) (export.Job, error) {
	var j export.Job
	err := s.Tx(ctx, func(t *Tx) error {
		if _, err := t.hold(ctx, h, lease); err != nil {
			return err
		}
		if _, err := t.q.exec(ctx, `UPDATE static_exports SET status = 'running', updated_at = $2 WHERE id = $1 AND status IN ('queued', 'running')`, h.TaskID, micros(t.now())); err != nil {
			return wrap("start export", err)
		}
		var err error
		j, err = t.FindExportByID(ctx, h.TaskID)
		return err
	})
	return j, err
}

// ExportProgress is what a worker reports between start and end.
type ExportProgress struct {
	Progress  float64 // 0 to below 100
	PageCount int
	Stage     string
	Commit    string // "" = not known yet
}

// AdvanceExport stores progress, renews the lease and reports whether the caller should stop. Figures never fall,
// also when a second attempt starts from the beginning (J5).
func (s *Store) AdvanceExport(ctx context.Context, h task.Hold, lease time.Duration, p ExportProgress) (cancelAsked bool, err error) {
	err = s.Tx(ctx, func(t *Tx) error {
		if cancelAsked, err = t.hold(ctx, h, lease); err != nil {
			return err
		}
		_, err := t.q.exec(ctx, `UPDATE static_exports SET progress = CASE WHEN progress < $2 THEN $2 ELSE progress END,
			page_count = CASE WHEN page_count < $3 THEN $3 ELSE page_count END, stage = $4, commit_id = CASE WHEN $5 = '' THEN commit_id ELSE $5 END, updated_at = $6
			WHERE id = $1 AND status = 'running' AND (progress < $2 OR page_count < $3 OR stage <> $4 OR ($5 <> '' AND commit_id <> $5))`,
			h.TaskID, p.Progress, p.PageCount, cleanText(p.Stage), cleanText(p.Commit), micros(t.now()))
		return wrap("store progress", err)
	})
	return cancelAsked, err
}

// CompleteExport ends a held export well.
func (s *Store) CompleteExport(ctx context.Context, h task.Hold, pages int, bundles []export.Bundle) error {
	return s.Tx(ctx, func(t *Tx) error {
		if err := t.end(ctx, h); err != nil {
			return err
		}
		_, err := t.q.exec(ctx, `UPDATE static_exports SET status = 'completed', progress = 100, page_count = CASE WHEN page_count < $2 THEN $2 ELSE page_count END,
			stage = '', bundles = $3, updated_at = $4 WHERE id = $1`, h.TaskID, pages, asJSON(bundles), micros(t.now()))
		return wrap("complete export", err)
	})
}

// FailExport ends a held export with a sentence for its owner.
func (s *Store) FailExport(ctx context.Context, h task.Hold, public string) error {
	return s.Tx(ctx, func(t *Tx) error {
		if err := t.end(ctx, h); err != nil {
			return err
		}
		return t.failExport(ctx, h.TaskID, public)
	})
}

// failExport walks queued → running → failed, because no other edge leads to failed.
func (t *Tx) failExport(ctx context.Context, exportID, public string) error {
	if _, err := t.q.exec(ctx, `UPDATE static_exports SET status = 'running' WHERE id = $1 AND status = 'queued'`, exportID); err != nil {
		return wrap("fail export", err)
	}
	_, err := t.q.exec(ctx, `UPDATE static_exports SET status = 'failed', stage = '', error = $2, updated_at = $3 WHERE id = $1 AND status = 'running'`, exportID, cleanText(public), micros(t.now()))
	return wrap("fail export", err)
}

// CancelExport stops an export: at once when it waits, by its worker's next heartbeat when it runs. An ended one is a conflict.
func (t *Tx) CancelExport(ctx context.Context, organizationID, exportID string) (export.Job, error) {
	// Workers lock the task before its export; locking in the same order keeps the two from waiting for each other.
	if _, err := single(ctx, t.q, value[string], `SELECT id FROM tasks WHERE organization_id = $1 AND id = $2`+t.forUpdate(), organizationID, exportID); err != nil && !errors.Is(err, errNone) {
		return export.Job{}, wrap("lock task", err)
	}
	j, err := t.FindExport(ctx, organizationID, exportID)
	if err != nil {
		return j, err
	}
	if j.Status.Ended() {
		return j, fault.Newf(fault.Conflict, "export_ended", "The export is already %s.", j.Status)
	}
	n, err := t.q.exec(ctx, `UPDATE tasks SET state = 'done' WHERE id = $1 AND state = 'queued'`, exportID)
	if err != nil {
		return j, wrap("cancel export", err)
	}
	if n == 0 { // a worker has it
		if err := t.askCancel(ctx, exportID); err != nil {
			return j, err
		}
	} else if err := t.failExport(ctx, exportID, task.Export.Canceled()); err != nil {
		return j, err
	}
	return t.FindExportByID(ctx, exportID)
}
