package store

import (
	"context"
	"errors"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

const exportColumns = `e.id, e.organization_id, e.project_id, e.domain, e.version, e.paths, e.status, ` +
	`e.progress, e.page_count, e.stage, e.commit_id, e.error, e.bundles, e.created_at, e.updated_at,
	e.deployment_id, e.identity, e.page_total, e.pages_per_second, e.left_micros, e.error_code, e.canceled_by, ` +
	`e.diagnostics, e.reused_from, e.ended_at, e.expired_at, e.link_until, e.reader_groups`

func scanExport(s scanner) (export.Job, error) {
	var j export.Job
	var paths, bundles, diagnostics, stage, groups string
	var pages, created, updated, total, link int64
	var left, ended, expired *int64
	if err := s.Scan(&j.ID, &j.OrganizationID, &j.ProjectID, &j.Domain, &j.Version, &paths, &j.Status, &j.Progress,
		&pages, &stage, &j.Commit, &j.Error, &bundles, &created, &updated,
		&j.DeploymentID, &j.Identity, &total, &j.PagesPerSecond, &left, &j.ErrorCode, &j.CanceledBy, &diagnostics,
		&j.ReusedFrom, &ended, &expired, &link, &groups); err != nil {
		return j, err
	}
	j.PageCount, j.PageTotal, j.Stage, j.CreatedAt, j.UpdatedAt = int(pages), int(total),
		export.CleanStage(stage, j.Status), fromMicros(created), fromMicros(updated)
	j.EndedAt, j.ExpiredAt = fromMicrosOrNull(ended), fromMicrosOrNull(expired)
	if j.Status.Ended() && j.EndedAt == nil { // an earlier release ended the export
		j.EndedAt = &j.UpdatedAt
	}
	if link > 0 {
		j.LinkUntil = fromMicros(link)
	}
	if left != nil && !j.Status.Ended() {
		d := time.Duration(*left) * time.Microsecond
		j.Left = &d
	}
	return j, exportLists(&j, paths, bundles, diagnostics, groups)
}

func exportLists(j *export.Job, paths, bundles, diagnostics, groups string) (err error) {
	if groups != "[]" {
		if j.Groups, err = fromJSON[[]string](groups); err != nil {
			return err
		}
	}
	if paths != "[]" {
		if j.Paths, err = fromJSON[[]string](paths); err != nil {
			return err
		}
	}
	if diagnostics != "[]" {
		if j.Diagnostics, err = fromJSON[diag.List](diagnostics); err != nil {
			return err
		}
	}
	if bundles != "[]" {
		j.Bundles, err = fromJSON[[]export.Bundle](bundles)
	}
	return err
}

var errUnknownExport = fault.New(fault.NotFound, "unknown_export", "Export job not found.")

// UnknownExport returns the NotFound fault. It is for callers that must not reveal whether an export exists.
func UnknownExport() error { return errUnknownExport }

// CreateExport stores a queued export and its task, without looking for an equal export. Requests use QueueExport
// instead.
func (t *Tx) CreateExport(ctx context.Context, j export.Job) (export.Job, error) {
	j, err := t.insertExport(ctx, j)
	if err != nil {
		return j, err
	}
	return j, t.queue(ctx, task.Export, j.ID, j.OrganizationID)
}

// insertExport stores a queued export without a task.
func (t *Tx) insertExport(ctx context.Context, j export.Job) (export.Job, error) {
	j.ID, j.Status, j.Stage, j.CreatedAt = t.s.ids.New(id.Export), export.Queued, export.StageQueued, t.now()
	j.UpdatedAt = j.CreatedAt
	_,
		err := t.q.exec(ctx,
		`INSERT INTO static_exports (id, organization_id, project_id, domain, version, paths, deployment_id, `+
			`identity, reused_from, status, stage, created_at, updated_at, reader_groups)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'queued', 'queued', $10, $10, $11)`,
		j.ID, j.OrganizationID, j.ProjectID, j.Domain, j.Version, asJSON(j.Paths), j.DeploymentID, j.Identity,
		j.ReusedFrom, micros(j.CreatedAt), asJSON(append([]string{}, j.Groups...)))
	return j, wrap("store export", err)
}

// FindExport returns an export that belongs to the organization.
func (r reads) FindExport(ctx context.Context, organizationID, exportID string) (export.Job, error) {
	return r.oneExport(ctx, `SELECT `+exportColumns+` FROM static_exports e WHERE e.organization_id = $1 AND e.id = $2`,
		organizationID, exportID)
}

// FindExportByID returns an export, for the worker that runs it.
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

// ListExports returns a page of an organization's exports, newest first. If status is "", exports with any status are
// included.
func (r reads) ListExports(ctx context.Context, organizationID string, status export.Status, p Page) ([]export.Job,
	string, error) {
	at, after, err := p.place()
	if err != nil {
		return nil, "", err
	}
	within, args := p.within("e.project_id", organizationID, at, after, string(status), p.Limit+1)
	list, err := collect(ctx, r.q, scanExport,
		`SELECT `+exportColumns+` FROM static_exports e WHERE e.organization_id = $1 AND (e.created_at, e.id) < ($2, $3)
		AND ($4 = '' OR e.status = $4)`+within+` ORDER BY e.created_at DESC, e.id DESC LIMIT $5`, args...)
	if err != nil {
		return nil, "", wrap("list exports", err)
	}
	list, next := cut(list, p.Limit, func(j export.Job) (int64, string) { return micros(j.CreatedAt), j.ID })
	return list, next, nil
}
