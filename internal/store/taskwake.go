package store

import (
	"context"
	"errors"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/task"
)

// wake sends a wake-up in this transaction.
func (t *Tx) wake(ctx context.Context, lane task.Lane) error {
	if t.s.wake == nil && lane == task.Deliveries {
		return nil // commands that run next to the server record events too; the server's workers find their tasks without a wake-up
	}
	if t.s.wake == nil {
		return errors.New("enqueue task: the store was opened without a queue")
	}
	return wrap("wake a worker", t.s.wake(ctx, t.engine, lane))
}

// wakeFor wakes a worker for a queued task, on the lane of its kind. It also wakes the express lane if that lane may
// serve the task. This is the case if the organization has no running task, and no earlier queued task for which the
// lane was already woken. Otherwise a backlog would fill the express lane with useless wake-ups.
func (t *Tx) wakeFor(ctx context.Context, kind task.Kind, organizationID string) error {
	if lane := kind.Lane(); lane != task.Ordinary {
		return t.wake(ctx, lane)
	}
	open, err := single(ctx, t.q, value[int64],
		`SELECT count(*) FROM (SELECT 1 FROM tasks WHERE organization_id = $1 AND state IN ('queued', 'running') `+
			`AND $2 LIKE '%,' || kind || ',%' LIMIT 2) x`, organizationID, kindList(task.Ordinary.Kinds()))
	if err != nil {
		return wrap("count open tasks", err)
	}
	if open <= 1 {
		return t.wake(ctx, task.Either)
	}
	return t.wake(ctx, task.Ordinary)
}

// wakeNext wakes a worker when a task of an organization has stopped running, because the organization's other tasks
// may now be allowed to run. Their own wake-ups may already be used up: workers may have found that the caps did not
// permit the task, or the express lane was never woken, because it serves only organizations without running tasks
// (J7).
func (t *Tx) wakeNext(ctx context.Context, organizationID string, lane task.Lane) error {
	type state struct{ waiting, running, others int64 }
	now, err := single(ctx, t.q, func(s scanner) (state, error) {
		var v state
		err := s.Scan(&v.waiting, &v.running, &v.others)
		return v, err
	},
		`SELECT (SELECT count(*) FROM (SELECT 1 FROM tasks WHERE organization_id = $1 AND state = 'queued' `+
			`AND $2 LIKE '%,' || kind || ',%' LIMIT 1) a),
		(SELECT count(*) FROM (SELECT 1 FROM tasks WHERE organization_id = $1 AND state = 'running' `+
			`AND $2 LIKE '%,' || kind || ',%' LIMIT 1) b),
		(SELECT count(*) FROM (SELECT 1 FROM tasks WHERE organization_id <> $1 AND state = 'running' `+
			`AND $2 LIKE '%,' || kind || ',%' LIMIT 1) c)`,
		organizationID, kindList(lane.Kinds()))
	if err != nil {
		return wrap("count waiting tasks", err)
	}
	// If no other organization has work, the express lane stays free for the next organization that does.
	express := lane == task.Ordinary && now.running == 0 && now.others > 0
	switch {
	case now.waiting == 0:
		return nil
	case t.s.caps.inForce(lane) && express:
		return t.wake(ctx, task.Either)
	case t.s.caps.inForce(lane):
		return t.wake(ctx, lane)
	case express:
		return t.wake(ctx, task.Express)
	}
	return nil
}

// RewakeStale wakes a lane for up to limit tasks of these kinds that have been waiting since the given time. If kinds
// is empty, it does so for all kinds. A wake-up is lost if the process that received it is killed before it takes a
// task, and postponed tasks have no wake-up. A waiting time in the future was stored before the clock was set back
// (J10). Superfluous wake-ups find nothing and do no harm. For the express lane, only tasks of organizations without
// running tasks count: a process whose ordinary lane is full does not send wake-ups again there, and wake-ups for the
// express lane may be lost as well (J7).
func (s *Store) RewakeStale(ctx context.Context, since time.Time, lane task.Lane, limit int,
	kinds ...task.Kind) (woken int, err error) {
	if some, err := s.anyTask(ctx, task.Queued); err != nil || !some {
		return 0, err
	}
	idle := ""
	if lane == task.Express {
		idle = ` AND NOT EXISTS (SELECT 1 FROM tasks r WHERE r.organization_id = q.organization_id ` +
			`AND r.state = 'running' AND r.kind IN ('export', 'deploy'))`
	}
	err = s.Tx(ctx, func(t *Tx) error {
		now := t.now()
		waiting, err := collect(ctx, t.q, scanTask,
			`SELECT `+taskColumns+` FROM tasks q WHERE state = 'queued' AND $4 LIKE '%,' || kind || ',%'
			AND (created_at < $1 OR created_at > $3) AND `+due("$3")+idle+` ORDER BY created_at LIMIT $2`,
			micros(since), limit, micros(now), kindList(kinds))
		if err != nil {
			return wrap("find waiting tasks", err)
		}
		for _, one := range waiting {
			if lane == task.Express {
				err = t.wake(ctx, task.Express)
			} else {
				err = t.wakeFor(ctx, one.Kind, one.OrganizationID)
			}
			if err != nil {
				return err
			}
		}
		woken = len(waiting)
		return nil
	})
	return woken, err
}
