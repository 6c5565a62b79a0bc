package store

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/pullpreview"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// queueReport queues a report about a preview to the code host. If a report is already waiting, it will contain the
// newest state anyway. If a report is running, another one follows it.
func (t *Tx) queueReport(ctx context.Context, v pullpreview.Preview) error {
	if _, err := t.q.exec(ctx, `UPDATE pull_previews SET wanted = wanted + 1 WHERE id = $1`, v.ID); err != nil {
		return wrap("want a report", err)
	}
	_, err := single(ctx, t.q, value[string], `SELECT id FROM tasks WHERE id = $1`, v.ID)
	if errors.Is(err, errNone) {
		return t.queueFor(ctx, task.Report, v.ID, v.OrganizationID, v.ProjectID)
	}
	if err != nil {
		return wrap("find report", err)
	}
	return t.requeueReport(ctx, v.ID, v.OrganizationID)
}

// requeueReport queues a task again for immediate execution, unless it is running.
func (t *Tx) requeueReport(ctx context.Context, previewID, organizationID string) error {
	if _, err := t.q.exec(ctx, `UPDATE tasks SET state = 'queued', attempts = 0, waits = 0, waiting_since = 0, not_before = 0,
		ran_micros = 0 WHERE id = $1 AND state <> 'running'`, previewID); err != nil {
		return wrap("queue report", err)
	}
	return t.wakeFor(ctx, task.Report, organizationID)
}

// EndReport ends a held report. v is the state that was reported. why is "" if the report arrived, otherwise the reason
// why retrying is pointless. If the state has changed in the meantime, the task is queued again.
func (s *Store) EndReport(ctx context.Context, h task.Hold, v pullpreview.Preview, why string) error {
	return s.Tx(ctx, func(t *Tx) error {
		if err := t.end(ctx, h); err != nil {
			return err
		}
		if _, err := t.q.exec(ctx, `UPDATE pull_previews SET sent = $2, comment_id = $3, error = $4, attempts = 0 WHERE id = $1`,
			h.TaskID, v.Wanted, v.CommentID, cleanText(why)); err != nil {
			return wrap("end report", err)
		}
		now, err := t.FindPullPreviewByID(ctx, h.TaskID)
		if fault.Is(err, fault.NotFound) { // it was deleted together with its project
			return nil
		}
		if err != nil {
			return err
		}
		if why != "" && why != v.Error {
			if err := t.Record(ctx, event.New(now.OrganizationID, "system", "preview.report_fail", now.ProjectID, "", t.now(),
				map[string]string{"project": now.ProjectID, "number": strconv.FormatInt(now.Number, 10),
					"reason": cleanText(why)})); err != nil {
				return err
			}
		}
		if now.Wanted > v.Wanted {
			return t.requeueReport(ctx, now.ID, now.OrganizationID)
		}
		return nil
	})
}

// PostponeReport releases a held report until pause has passed, after the code host did not accept it. v holds the
// progress made so far.
func (s *Store) PostponeReport(ctx context.Context, h task.Hold, v pullpreview.Preview, why string,
	pause time.Duration) error {
	return s.Tx(ctx, func(t *Tx) error {
		if err := t.delay(ctx, h, pause); err != nil {
			return err
		}
		if _, err := t.q.exec(ctx, `UPDATE pull_previews SET attempts = attempts + 1, error = $2, comment_id = $3 WHERE id = $1`,
			h.TaskID, cleanText(why), v.CommentID); err != nil {
			return wrap("postpone report", err)
		}
		return t.wakeNext(ctx, v.OrganizationID, task.Deliveries)
	})
}

// delay releases a held task that will be retried later.
func (t *Tx) delay(ctx context.Context, h task.Hold, pause time.Duration) error {
	n, err := t.q.exec(ctx, `UPDATE tasks SET state = 'queued', attempts = 0, waits = 0, waiting_since = 0, not_before = $3,
		lease_until = 0, lease_owner = '' WHERE id = $1 AND fence = $2 AND state = 'running'`, h.TaskID, h.Fence,
		micros(t.now().Add(pause)))
	if err != nil {
		return wrap("postpone task", err)
	}
	if n == 0 {
		return task.Lost{TaskID: h.TaskID}
	}
	return nil
}
