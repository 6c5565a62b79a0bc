package store

import (
	"context"
	"errors"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/endpoint"
	"github.com/lectern-docs/lectern/internal/domain/pullpreview"
	"github.com/lectern-docs/lectern/internal/domain/task"
)

// farPause is longer than any pause of a postponed task. For emails, deliveries and reports to code hosts, pauses may
// be longer; the other constants say by how much.
const (
	farPause     = 2 * task.LongestPause
	farMailPause = 2*task.LongestMailPause - farPause

	farDeliveryPause = 2*endpoint.LongestPause - farPause
	farReportPause   = 2*pullpreview.LongestPause - farPause
)

// ReleaseTask releases a held task that is not finished, without counting the attempt. If there is no outage, for
// example when a worker shuts down, other workers can take the task at once. After an outage, the task waits, each time
// for longer. Once it has waited for the outage's limit, it is not released and the error is task.ErrWaitedTooLong.
func (s *Store) ReleaseTask(ctx context.Context, h task.Hold, outage *task.Outage) error {
	return s.Tx(ctx, func(t *Tx) error {
		if outage != nil {
			return t.postpone(ctx, h, *outage)
		}
		released, err := single(ctx, t.q, scanTask,
			`UPDATE tasks SET state = 'queued', attempts = attempts - 1, lease_until = 0, lease_owner = ''
			WHERE id = $1 AND fence = $2 AND state = 'running' RETURNING `+taskColumns, h.TaskID, h.Fence)
		if errors.Is(err, errNone) {
			return task.Lost{TaskID: h.TaskID}
		}
		if err != nil {
			return wrap("release task", err)
		}
		return t.wakeFor(ctx, released.Kind, released.OrganizationID)
	})
}

// postpone releases a task that will be retried after a delay. It wakes no worker, because every process with workers
// looks for tasks whose delay is over; see RewakeStale.
func (t *Tx) postpone(ctx context.Context, h task.Hold, outage task.Outage) error {
	type waited struct{ times, since int64 }
	was, err := single(ctx, t.q, func(s scanner) (waited, error) {
		var w waited
		err := s.Scan(&w.times, &w.since)
		return w, err
	}, `SELECT waits, waiting_since FROM tasks WHERE id = $1 AND fence = $2 AND state = 'running'`+t.forUpdate(),
		h.TaskID, h.Fence)
	if errors.Is(err, errNone) {
		return task.Lost{TaskID: h.TaskID}
	}
	if err != nil {
		return wrap("find task", err)
	}
	now := micros(t.now())
	if was.since == 0 || was.since > now { // the first outage, or the clock was set back
		was.since = now
	}
	if time.Duration(now-was.since)*time.Microsecond >= outage.Limit {
		return task.ErrWaitedTooLong
	}
	pause := outage.PauseAfter(int(was.times) + 1)
	postponed, err := single(ctx, t.q, scanTask,
		`UPDATE tasks SET state = 'queued', attempts = attempts - 1, waits = waits + 1, waiting_since = $2, not_before = $3,
		lease_until = 0, lease_owner = '' WHERE id = $1 RETURNING `+taskColumns, h.TaskID, was.since,
		now+pause.Microseconds())
	if err != nil {
		return wrap("postpone task", err)
	}
	return t.wakeNext(ctx, postponed.OrganizationID, postponed.Kind.Lane())
}
