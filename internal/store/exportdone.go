package store

import (
	"context"
	"maps"

	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// ExportDone is the result of an export that a worker has finished.
type ExportDone struct {
	Pages       int
	Bundles     []export.Bundle
	Diagnostics diag.List
	// Making identifies everything in the program that affects the files; see export.Job.Identify. "" means that the
	// bundles are never reused.
	Making string
	Limits export.Limits
}

// CompleteExport ends a held export successfully, without checking limits.
func (s *Store) CompleteExport(ctx context.Context, h task.Hold, pages int, bundles []export.Bundle) error {
	return s.CompleteExportWithin(ctx, h, ExportDone{Pages: pages, Bundles: bundles})
}

// CompleteExportWithin ends a held export successfully. If the organization exceeds its quota, the same transaction
// expires older bundles. If that does not free enough space, it returns a fault and the export does not end. If a stop
// was requested for the export, it returns task.ErrCanceled and the export does not end.
func (s *Store) CompleteExportWithin(ctx context.Context, h task.Hold, d ExportDone) error {
	return s.Tx(ctx, func(t *Tx) error {
		if err := t.end(ctx, h); err != nil {
			return err
		}
		k, err := t.FindTask(ctx, h.TaskID)
		if err != nil {
			return err
		}
		if k.CancelAsked {
			return task.ErrCanceled
		}
		j, err := t.FindExportByID(ctx, h.TaskID)
		if err != nil {
			return err
		}
		if d.Limits.MaxStored > 0 {
			if err := t.makeRoom(ctx, j, d); err != nil {
				return err
			}
		}
		return t.complete(ctx, j, d)
	})
}

// complete stores the result in a running export. The identity is computed for the program that made the files, which
// may differ from the program that accepted the request.
func (t *Tx) complete(ctx context.Context, j export.Job, d ExportDone) error {
	if d.Making == "" || j.Identity == "" {
		j.Identity = ""
	} else {
		j = j.Identify(d.Making)
	}
	_,
		err := t.q.exec(ctx,
		`UPDATE static_exports SET status = 'completed', progress = 100, page_count = CASE WHEN page_count < $2 THEN $2 ELSE page_count END,
		page_total = $2, stage = $3, bundles = $4, diagnostics = $5, identity = $6, error_code = '', `+
			`pages_per_second = 0, left_micros = NULL, updated_at = $7, ended_at = $7 WHERE id = $1`,
		j.ID, d.Pages, string(export.StageDone), asJSON(d.Bundles), cleanText(asJSON(d.Diagnostics)), j.Identity,
		micros(t.now()))
	if err != nil {
		return wrap("complete export", err)
	}
	return t.recordExport(ctx, "export.complete", j, nil)
}

// recordExport records an event for the end of an export.
func (t *Tx) recordExport(ctx context.Context, action string, j export.Job, data map[string]string) error {
	out := map[string]string{"project": j.ProjectID, "domain": j.Domain, "version": j.Version}
	maps.Copy(out, data)
	return t.Record(ctx, event.New(j.OrganizationID, "system", action, j.ID, "", t.now(), filled(out)))
}

// makeRoom expires older bundles until j's bundles fit into the quota.
func (t *Tx) makeRoom(ctx context.Context, j export.Job, d ExportDone) error {
	if err := t.lockOrganization(ctx, j.OrganizationID); err != nil {
		return err
	}
	all, err := t.storedExports(ctx, j.OrganizationID)
	if err != nil {
		return err
	}
	var size int64
	for _, b := range d.Bundles {
		size += b.Size
	}
	old, ok := d.Limits.MakeRoom(all, j.Domain, size, t.now())
	if !ok {
		return d.Limits.OverQuota(size)
	}
	return t.expireExports(ctx, j.OrganizationID, old, "quota")
}
