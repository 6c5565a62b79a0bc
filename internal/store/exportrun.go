package store

import (
	"context"
	"errors"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// StartExport sets the status of a held export to running. If an earlier worker died, the status is already running. It
// clears the diagnostics and the estimated time of the previous attempt, but not the progress.
func (s *Store) StartExport(ctx context.Context, h task.Hold, lease time.Duration) (export.Job, error) {
	var j export.Job
	err := s.Tx(ctx, func(t *Tx) error {
		if _, err := t.hold(ctx, h, lease); err != nil {
			return err
		}
		if _, err := t.q.exec(ctx,
			`UPDATE static_exports SET status = 'running', stage = $3, pages_per_second = 0, left_micros = NULL, `+
				`diagnostics = '[]', error_code = '', updated_at = $2
			WHERE id = $1 AND status IN ('queued', 'running')`, h.TaskID, micros(t.now()),
			string(export.StageFetching)); err != nil {
			return wrap("start export", err)
		}
		var err error
		j, err = t.FindExportByID(ctx, h.TaskID)
		return err
	})
	return j, err
}

// ExportProgress is what a worker reports while an export runs.
type ExportProgress struct {
	Progress       float64 // percent, from 0 to below 100
	PageCount      int
	PageTotal      int // 0 = not known yet
	PagesPerSecond float64
	Left           *time.Duration // nil = not known
	Stage          export.Stage
	Commit         string // "" = not known yet
}

// AdvanceExport stores progress, renews the lease and reports whether the caller should stop. The progress never
// decreases, even if another attempt starts from the beginning (J5).
func (s *Store) AdvanceExport(ctx context.Context, h task.Hold, lease time.Duration,
	p ExportProgress) (cancelAsked bool, err error) {
	var left *int64
	if p.Left != nil {
		n := max(0, p.Left.Microseconds())
		left = &n
	}
	err = s.Tx(ctx, func(t *Tx) error {
		if cancelAsked, err = t.hold(ctx, h, lease); err != nil {
			return err
		}
		_, err := t.q.exec(ctx, `UPDATE static_exports SET progress = CASE WHEN progress < $2 THEN $2 ELSE progress END,
			page_count = CASE WHEN page_count < $3 THEN $3 ELSE page_count END, stage = $4, commit_id = `+
			`CASE WHEN $5 = '' THEN commit_id ELSE $5 END,
			page_total = CASE WHEN $6 = 0 THEN page_total ELSE $6 END, pages_per_second = $7, left_micros = $8, updated_at = $9
			WHERE id = $1 AND status = 'running' AND (progress < $2 OR page_count < $3 OR stage <> $4 OR ($5 <> '' AND commit_id <> $5)
				OR ($6 <> 0 AND page_total <> $6) OR pages_per_second <> $7 OR left_micros IS DISTINCT FROM $8)`,
			h.TaskID, p.Progress, p.PageCount, cleanText(string(p.Stage)), cleanText(p.Commit), p.PageTotal,
			p.PagesPerSecond, left, micros(t.now()))
		return wrap("store progress", err)
	})
	return cancelAsked, err
}

// LabelExport sets the version of a held export. The version is known only after the source has been read.
func (s *Store) LabelExport(ctx context.Context, h task.Hold, lease time.Duration, version, commit string) error {
	return s.Tx(ctx, func(t *Tx) error {
		if _, err := t.hold(ctx, h, lease); err != nil {
			return err
		}
		_,
			err := t.q.exec(ctx,
			`UPDATE static_exports SET version = $2, commit_id = $3, updated_at = $4 WHERE id = $1 AND status = 'running'`,
			h.TaskID, cleanText(version), cleanText(commit), micros(t.now()))
		return wrap("store version", err)
	})
}

// NoteExport stores the diagnostics of a held export's build and, if it is about to fail, the error code.
func (s *Store) NoteExport(ctx context.Context, h task.Hold, lease time.Duration, code string, found diag.List) error {
	return s.Tx(ctx, func(t *Tx) error {
		if _, err := t.hold(ctx, h, lease); err != nil {
			return err
		}
		_,
			err := t.q.exec(ctx,
			`UPDATE static_exports SET error_code = $2, diagnostics = $3 WHERE id = $1 AND status = 'running'`,
			h.TaskID, code, cleanText(asJSON(found)))
		return wrap("store findings", err)
	})
}

// FailExport marks a held export as failed and stores a message for its owner.
func (s *Store) FailExport(ctx context.Context, h task.Hold, public string) error {
	return s.Tx(ctx, func(t *Tx) error {
		if err := t.end(ctx, h); err != nil {
			return err
		}
		return t.failExport(ctx, h.TaskID, public)
	})
}

// failExport sets a queued export to running and then to failed, because only running exports may fail. If the export
// was canceled, the message says who canceled it.
func (t *Tx) failExport(ctx context.Context, exportID, public string) error {
	if _, err := t.q.exec(ctx, `UPDATE static_exports SET status = 'running' WHERE id = $1 AND status = 'queued'`,
		exportID); err != nil {
		return wrap("fail export", err)
	}
	code := "export_failed"
	if public == task.Export.Canceled() {
		by, err := single(ctx, t.q, value[string], `SELECT canceled_by FROM static_exports WHERE id = $1`, exportID)
		if err != nil && !errors.Is(err, errNone) {
			return wrap("fail export", err)
		}
		public, code = export.CanceledSentence(by), "export_canceled"
	}
	n, err := t.q.exec(ctx,
		`UPDATE static_exports SET status = 'failed', error = $2, error_code = CASE WHEN error_code = '' `+
			`OR $4 = 'export_canceled' THEN $4 ELSE error_code END,
		pages_per_second = 0, left_micros = NULL, updated_at = $3, ended_at = $3 WHERE id = $1 AND status = 'running'`,
		exportID, cleanText(public), micros(t.now()), code)
	if err != nil || n == 0 || code == "export_canceled" { // the cancellation is already in the log
		return wrap("fail export", err)
	}
	j, err := t.FindExportByID(ctx, exportID)
	if err != nil {
		return err
	}
	return t.recordExport(ctx, "export.fail", j, map[string]string{"code": j.ErrorCode})
}

// CancelExport cancels a waiting export at once. A running export stops at its worker's next heartbeat. If the export
// has already ended, the error is a conflict. by names the requester in the message for the export's owner. New
// requests no longer join the export.
func (t *Tx) CancelExport(ctx context.Context, organizationID, exportID, by string) (export.Job, error) {
	// Workers lock the task before its export. Using the same order here avoids deadlocks.
	if _, err := single(ctx, t.q, value[string], `SELECT id FROM tasks WHERE organization_id = $1 AND id = $2`+
		t.forUpdate(), organizationID, exportID); err != nil && !errors.Is(err, errNone) {
		return export.Job{}, wrap("lock task", err)
	}
	j, err := t.FindExport(ctx, organizationID, exportID)
	if err != nil {
		return j, err
	}
	if j.Status.Ended() {
		return j, fault.Newf(fault.Conflict, "export_ended", "The export is already %s.", j.Status)
	}
	if _, err := t.q.exec(ctx,
		`UPDATE static_exports SET identity = '', canceled_by = `+
			`CASE WHEN canceled_by = '' THEN $2 ELSE canceled_by END WHERE id = $1`, exportID, cleanText(by)); err != nil {
		return j, wrap("cancel export", err)
	}
	n, err := t.q.exec(ctx, `UPDATE tasks SET state = 'done' WHERE id = $1 AND state = 'queued'`, exportID)
	if err != nil {
		return j, wrap("cancel export", err)
	}
	if n == 0 { // a worker holds the task
		if err := t.askCancel(ctx, exportID); err != nil {
			return j, err
		}
	} else if err := t.failExport(ctx, exportID, task.Export.Canceled()); err != nil {
		return j, err
	}
	return t.FindExportByID(ctx, exportID)
}
