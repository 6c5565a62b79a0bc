package store

import (
	"context"
	"errors"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

const taskColumns = `id, kind, organization_id, state, attempts, fence, lease_until, cancel_asked, ran_micros, created_at`

func scanTask(s scanner) (task.Task, error) {
	var t task.Task
	var attempts, lease, ran, created int64
	err := s.Scan(&t.ID, &t.Kind, &t.OrganizationID, &t.State, &attempts, &t.Fence, &lease, &t.CancelAsked, &ran,
		&created)
	t.Attempts, t.LeaseUntil, t.CreatedAt = int(attempts), fromMicros(lease), fromMicros(created)
	t.Ran = time.Duration(ran) * time.Microsecond
	return t, err
}

// queue stores a task for the resource with the same id and wakes a worker, in this transaction (J1).
func (t *Tx) queue(ctx context.Context, kind task.Kind, taskID, organizationID string) error {
	return t.queueFor(ctx, kind, taskID, organizationID, "")
}

// queueFor is like queue, but at most maxPerReceiver tasks with the same receiver run at the same time. If receiver is
// "", there is no such limit.
func (t *Tx) queueFor(ctx context.Context, kind task.Kind, taskID, organizationID, receiver string) error {
	_, err := t.q.exec(ctx, `INSERT INTO tasks (id, kind, organization_id, state, created_at, receiver)
		VALUES ($1, $2, $3, 'queued', $4, $5)`, taskID, string(kind), organizationID, micros(t.now()), receiver)
	if err != nil {
		return wrap("queue task", err)
	}
	return t.wakeFor(ctx, kind, organizationID)
}

// hold renews the lease. It fails if the task has ended or another worker holds it. The check and the caller's write
// are in the same transaction, so a late worker cannot overwrite newer state (J3).
func (t *Tx) hold(ctx context.Context, h task.Hold, lease time.Duration) (cancelAsked bool, err error) {
	cancelAsked, err = single(ctx, t.q, value[bool],
		`UPDATE tasks SET lease_until = $3 WHERE id = $1 AND fence = $2 AND state = 'running' RETURNING cancel_asked`,
		h.TaskID, h.Fence, micros(t.now().Add(lease)))
	if errors.Is(err, errNone) {
		return false, task.Lost{TaskID: h.TaskID}
	}
	return cancelAsked, wrap("renew lease", err)
}

// Beat renews a lease and reports whether a stop was requested.
func (s *Store) Beat(ctx context.Context, h task.Hold, lease time.Duration) (cancelAsked bool, err error) {
	err = s.Tx(ctx, func(t *Tx) error {
		cancelAsked, err = t.hold(ctx, h, lease)
		return err
	})
	return cancelAsked, err
}

// end marks a held task as done, and wakes a worker for tasks that had to wait for this one.
func (t *Tx) end(ctx context.Context, h task.Hold) error {
	ended, err := single(ctx, t.q, scanTask,
		`UPDATE tasks SET state = 'done', lease_until = 0, lease_owner = '' WHERE id = $1 AND fence = $2 `+
			`AND state = 'running' RETURNING `+taskColumns, h.TaskID, h.Fence)
	if errors.Is(err, errNone) {
		return task.Lost{TaskID: h.TaskID}
	}
	if err != nil {
		return wrap("end task", err)
	}
	return t.wakeNext(ctx, ended.OrganizationID, ended.Kind.Lane())
}

// farAhead is longer than any lease. A lease that ends later than that was written before the clock was set back. Such
// a lease would otherwise block a dead worker's task for as long as the clock was set back (J10).
const farAhead = 5 * time.Minute

// RequeueLapsed requeues tasks whose lease has expired, and returns their ids (J2, J3). It locks the tasks in the order
// of their ids, so that two concurrent calls cannot deadlock.
func (s *Store) RequeueLapsed(ctx context.Context) (requeued []string, err error) {
	if err := s.syncClock(ctx); err != nil {
		return nil, err // with a wrong clock, every lease might seem to have expired
	}
	if some, err := s.anyTask(ctx, task.Running); err != nil || !some {
		return nil, err
	}
	err = s.Tx(ctx, func(t *Tx) error {
		lapsed, err := collect(ctx, t.q, scanTask,
			`UPDATE tasks SET state = 'queued', lease_until = 0, lease_owner = '',
				ran_micros = ran_micros + CASE WHEN started_at < lease_until AND lease_until < $1 THEN lease_until - started_at ELSE 0 END
			WHERE id IN (SELECT id FROM tasks WHERE state = 'running' AND (lease_until < $1 OR lease_until > $2) `+
				`ORDER BY id`+t.forUpdate()+`)
			RETURNING `+taskColumns, micros(t.now()), micros(t.now().Add(farAhead)))
		if err != nil {
			return wrap("requeue lapsed tasks", err)
		}
		requeued = nil
		for _, one := range lapsed {
			requeued = append(requeued, one.ID)
			if err := t.wakeFor(ctx, one.Kind, one.OrganizationID); err != nil {
				return err
			}
		}
		return nil
	})
	return requeued, err
}

// anyTask reports whether there is a task in the given state. Idle servers call it every few seconds. A transaction
// that looks for tasks to change would cost several times as much.
func (r reads) anyTask(ctx context.Context, state task.State) (bool, error) {
	n, err := single(ctx, r.q, value[int64],
		`SELECT count(*) FROM (SELECT 1 FROM tasks WHERE state = $1 LIMIT 1) x`, string(state))
	return n > 0, wrap("find tasks", err)
}

// askCancel sets the flag that the running worker reads with each heartbeat.
func (t *Tx) askCancel(ctx context.Context, taskID string) error {
	_, err := t.q.exec(ctx, `UPDATE tasks SET cancel_asked = TRUE WHERE id = $1 AND state <> 'done'`, taskID)
	return wrap("request stop of task", err)
}

// FindTask returns a task by id.
func (r reads) FindTask(ctx context.Context, taskID string) (task.Task, error) {
	t, err := single(ctx, r.q, scanTask, `SELECT `+taskColumns+` FROM tasks WHERE id = $1`, taskID)
	if errors.Is(err, errNone) {
		return t, fault.New(fault.NotFound, "unknown_task", "Task not found.")
	}
	return t, wrap("find task", err)
}

// CountTasks returns the number of queued and running tasks, for the metrics.
func (r reads) CountTasks(ctx context.Context) (queued, running int, err error) {
	type pair struct {
		state task.State
		n     int64
	}
	list, err := collect(ctx, r.q, func(s scanner) (pair, error) {
		var p pair
		err := s.Scan(&p.state, &p.n)
		return p, err
	}, `SELECT state, count(*) FROM tasks WHERE state IN ('queued', 'running') GROUP BY state`)
	for _, p := range list {
		if p.state == task.Queued {
			queued = int(p.n)
		} else {
			running = int(p.n)
		}
	}
	return queued, running, wrap("count tasks", err)
}
