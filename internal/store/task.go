package store

import (
	"context"
	"errors"
	"time"

	"github.com/lectern-docs/lectern/internal/fault"
	"github.com/lectern-docs/lectern/internal/task"
)

const taskColumns = `id, kind, organization_id, state, attempts, fence, lease_until, cancel_asked, created_at`

func scanTask(s scanner) (task.Task, error) {
	var t task.Task
	var attempts, lease, created int64
	err := s.Scan(&t.ID, &t.Kind, &t.OrganizationID, &t.State, &attempts, &t.Fence, &lease, &t.CancelAsked, &created)
	t.Attempts, t.LeaseUntil, t.CreatedAt = int(attempts), fromMicros(lease), fromMicros(created)
	return t, err
}

// queue stores a task beside its resource and wakes a worker, all in this transaction (J1).
func (t *Tx) queue(ctx context.Context, kind task.Kind, taskID, organizationID string) error {
	_, err := t.q.exec(ctx, `INSERT INTO tasks (id, kind, organization_id, state, created_at) VALUES ($1, $2, $3, 'queued', $4)`,
		taskID, string(kind), organizationID, micros(t.now()))
	if err != nil {
		return wrap("queue task", err)
	}
	return t.wakeFor(ctx, kind, organizationID)
}

// wakeFor asks for a worker on the kind's lane; an organization with nothing else under way gets the express lane too.
func (t *Tx) wakeFor(ctx context.Context, kind task.Kind, organizationID string) error {
	open, err := single(ctx, t.q, value[int64], `SELECT count(*) FROM (SELECT 1 FROM tasks WHERE organization_id = $1 AND state IN ('queued', 'running') LIMIT 2) x`, organizationID)
	if err != nil {
		return wrap("count open tasks", err)
	}
	if t.s.wake == nil {
		return errors.New("queue task: this store was opened without a queue")
	}
	lane := kind.Lane()
	if lane == task.Ordinary && open <= 1 {
		lane = task.Express
	}
	return wrap("wake a worker", t.s.wake(ctx, t.engine, lane))
}

// TakeTask gives the caller the task that should run next, or ok=false when none waits. Organizations with the
// fewest running tasks come first, then those served longest ago, so that one organization's backlog does not hold up
// another, not even at a single worker (J7); within an organization the longest wait. With express only organizations
// that have nothing running are served. kinds are those the caller can do, none for all: a worker of an older version
// leaves new kinds to those who know them.
func (s *Store) TakeTask(ctx context.Context, owner string, lease time.Duration, express bool, kinds ...task.Kind) (taken task.Task, ok bool, err error) {
	can := kindList(kinds)
	// Looking first without the write lock keeps an idle wake-up from holding up writers.
	if _, err := single(ctx, s.q, value[string], `SELECT id FROM tasks WHERE state = 'queued' AND $1 LIKE '%,' || kind || ',%' LIMIT 1`, can); errors.Is(err, errNone) {
		return task.Task{}, false, nil
	} else if err != nil {
		return task.Task{}, false, wrap("look for a task", err)
	}
	err = s.Tx(ctx, func(t *Tx) error {
		ok = false
		orgs, err := t.waitingOrganizations(ctx, express, can)
		if err != nil {
			return wrap("choose a task", err)
		}
		for _, org := range orgs {
			capped, err := t.exportsCapped(ctx, org)
			if err != nil {
				return err
			}
			taken, err = single(ctx, t.q, scanTask, `UPDATE tasks SET state = 'running', attempts = attempts + 1, fence = fence + 1, lease_owner = $2, lease_until = $3, started_at = $4
				WHERE id = (SELECT id FROM tasks WHERE state = 'queued' AND organization_id = $1 AND $5 LIKE '%,' || kind || ',%' AND ($6 = 0 OR kind <> 'export')
					ORDER BY created_at, id LIMIT 1`+t.skipLocked()+`)
				RETURNING `+taskColumns, org, owner, micros(t.now().Add(lease)), micros(t.now()), can, capped)
			if errors.Is(err, errNone) {
				continue // another worker was quicker, or the organization has as many exports running as it may
			}
			ok = err == nil
			return wrap("take task", err)
		}
		return nil
	})
	return taken, ok, err
}

// kindList is kinds as a text that both engines can look a column's value up in: ",export,deploy,".
func kindList(kinds []task.Kind) string {
	if len(kinds) == 0 {
		kinds = []task.Kind{task.Export, task.Deploy, task.Agent}
	}
	list := ","
	for _, k := range kinds {
		list += string(k) + ","
	}
	return list
}

func (t *Tx) waitingOrganizations(ctx context.Context, express bool, can string) ([]string, error) {
	idle := ""
	if express {
		idle = ` WHERE r.n IS NULL`
	}
	return collect(ctx, t.q, value[string], `SELECT w.organization_id
		FROM (SELECT q.organization_id, min(q.created_at) AS since FROM tasks q
			LEFT JOIN (SELECT organization_id, count(*) AS n FROM tasks WHERE state = 'running' AND kind = 'export' GROUP BY organization_id) x ON x.organization_id = q.organization_id
			WHERE q.state = 'queued' AND $1 LIKE '%,' || q.kind || ',%' AND (q.kind <> 'export' OR COALESCE(x.n, 0) < $2) GROUP BY q.organization_id) w
		LEFT JOIN (SELECT organization_id, count(*) AS n FROM tasks WHERE state = 'running' GROUP BY organization_id) r ON r.organization_id = w.organization_id`+idle+`
		ORDER BY COALESCE(r.n, 0), (SELECT max(s.started_at) FROM tasks s WHERE s.organization_id = w.organization_id), w.since, w.organization_id LIMIT 16`, can, t.s.exportCap())
}

// hold renews the lease and refuses when another worker has the task by now or it has ended: the check and the
// caller's write share one transaction, so a late worker cannot overwrite newer state (J3).
func (t *Tx) hold(ctx context.Context, h task.Hold, lease time.Duration) (cancelAsked bool, err error) {
	cancelAsked, err = single(ctx, t.q, value[bool], `UPDATE tasks SET lease_until = $3 WHERE id = $1 AND fence = $2 AND state = 'running' RETURNING cancel_asked`,
		h.TaskID, h.Fence, micros(t.now().Add(lease)))
	if errors.Is(err, errNone) {
		return false, task.Lost{TaskID: h.TaskID}
	}
	return cancelAsked, wrap("renew lease", err)
}

// Beat renews a lease and reports whether someone asked the work to stop.
func (s *Store) Beat(ctx context.Context, h task.Hold, lease time.Duration) (cancelAsked bool, err error) {
	err = s.Tx(ctx, func(t *Tx) error {
		cancelAsked, err = t.hold(ctx, h, lease)
		return err
	})
	return cancelAsked, err
}

// end marks a held task as done, and wakes a worker for what had to wait for it.
func (t *Tx) end(ctx context.Context, h task.Hold) error {
	ended, err := single(ctx, t.q, scanTask, `UPDATE tasks SET state = 'done', lease_until = 0, lease_owner = '' WHERE id = $1 AND fence = $2 AND state = 'running' RETURNING `+taskColumns, h.TaskID, h.Fence)
	if errors.Is(err, errNone) {
		return task.Lost{TaskID: h.TaskID}
	}
	if err != nil {
		return wrap("end task", err)
	}
	return t.wakeAfterExport(ctx, ended)
}

// ReleaseTask gives a held task back unfinished, as a worker does that is told to stop; the start is not counted.
func (s *Store) ReleaseTask(ctx context.Context, h task.Hold) error {
	return s.Tx(ctx, func(t *Tx) error {
		released, err := single(ctx, t.q, scanTask, `UPDATE tasks SET state = 'queued', attempts = attempts - 1, lease_until = 0, lease_owner = ''
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

// farAhead is beyond any lease: one that ends later was written before the clock was set back, and would keep a dead
// worker's task for as long as it was set back (J10).
const farAhead = 5 * time.Minute

// RequeueLapsed puts tasks whose worker stopped renewing back in the queue, and returns their ids (J2, J3).
func (s *Store) RequeueLapsed(ctx context.Context) (requeued []string, err error) {
	if err := s.syncClock(ctx); err != nil {
		return nil, err // by a wrong clock every lease may seem to have lapsed
	}
	err = s.Tx(ctx, func(t *Tx) error {
		lapsed, err := collect(ctx, t.q, scanTask, `UPDATE tasks SET state = 'queued', lease_until = 0, lease_owner = ''
			WHERE state = 'running' AND (lease_until < $1 OR lease_until > $2) RETURNING `+taskColumns, micros(t.now()), micros(t.now().Add(farAhead)))
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

// RewakeStale wakes workers for tasks of these kinds (none for all) that have waited since then, at most limit of them: a wake-up is lost when the
// process that took it is killed before it takes a task. A task from the future waited before the clock was set back
// (J10). A wake-up too many finds nothing and ends.
func (s *Store) RewakeStale(ctx context.Context, since time.Time, limit int, kinds ...task.Kind) (woken int, err error) {
	err = s.Tx(ctx, func(t *Tx) error {
		waiting, err := collect(ctx, t.q, scanTask, `SELECT `+taskColumns+` FROM tasks WHERE state = 'queued' AND $4 LIKE '%,' || kind || ',%' AND (created_at < $1 OR created_at > $3)
			ORDER BY created_at LIMIT $2`, micros(since), limit, micros(t.now()), kindList(kinds))
		if err != nil {
			return wrap("find waiting tasks", err)
		}
		for _, one := range waiting {
			if err := t.wakeFor(ctx, one.Kind, one.OrganizationID); err != nil {
				return err
			}
		}
		woken = len(waiting)
		return nil
	})
	return woken, err
}

// askCancel raises the flag that a running worker reads with each heartbeat.
func (t *Tx) askCancel(ctx context.Context, taskID string) error {
	_, err := t.q.exec(ctx, `UPDATE tasks SET cancel_asked = TRUE WHERE id = $1 AND state <> 'done'`, taskID)
	return wrap("ask task to stop", err)
}

// FindTask returns a task.
func (r reads) FindTask(ctx context.Context, taskID string) (task.Task, error) {
	t, err := single(ctx, r.q, scanTask, `SELECT `+taskColumns+` FROM tasks WHERE id = $1`, taskID)
	if errors.Is(err, errNone) {
		return t, fault.New(fault.NotFound, "unknown_task", "There is no such task.")
	}
	return t, wrap("find task", err)
}

// CountTasks returns how many tasks wait and how many run, for the metrics.
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
