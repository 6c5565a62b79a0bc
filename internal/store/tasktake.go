package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/task"
)

// takeTries limits how often a worker chooses again because another worker took a task of the same organization
// first.
const takeTries = 16

// TakeTask takes the task that should run next, or returns ok=false when no task is available. Organizations with
// the fewest running tasks on the lane come first, then those served longest ago, so that one organization's
// backlog does not delay another, even with a single worker (J7); within an organization, the task that has waited
// longest comes first. If express is set, only organizations without running tasks are served. The caps always
// apply. kinds are the kinds that the caller supports, none for all: a worker of an older version leaves new kinds
// to newer workers.
//
// Each organization is examined in its own transaction. A transaction that locked several would do so in the order
// of fairness, which changes constantly, so that two of them could deadlock.
func (s *Store) TakeTask(ctx context.Context, owner string, lease time.Duration, express bool,
	kinds ...task.Kind) (taken task.Task, ok bool, err error) {
	w := want{owner: owner, lease: lease, express: express, can: kindList(kinds), lane: laneOf(kinds)}
	// Check cheaply first: most wake-ups of an idle server find nothing.
	if _, err := single(ctx, s.q, value[string],
		`SELECT id FROM tasks WHERE state = 'queued' AND $1 LIKE '%,' || kind || ',%' LIMIT 1`, w.can); errors.Is(err,
		errNone) {
		return task.Task{}, false, nil
	} else if err != nil {
		return task.Task{}, false, wrap("look for a task", err)
	}
	for try := 1; ; try++ {
		taken, moved, err := s.takeOnce(ctx, w, try == takeTries)
		if err != nil || !moved {
			return taken, taken.ID != "", err
		}
	}
}

// want describes the tasks that a worker can take.
type want struct {
	owner   string
	lease   time.Duration
	express bool
	can     string // supported kinds, see kindList
	lane    task.Lane
}

// laneOf returns the lane of a worker that supports these kinds.
func laneOf(kinds []task.Kind) task.Lane {
	if len(kinds) == 0 {
		return task.Ordinary
	}
	for _, k := range kinds {
		if k.Lane() != kinds[0].Lane() {
			return task.Ordinary
		}
	}
	return kinds[0].Lane()
}

// takeOnce tries the organizations in the order of fairness. moved reports that the order is outdated, because
// another worker took a task first; if last is set, it takes a task regardless.
func (s *Store) takeOnce(ctx context.Context, w want, last bool) (taken task.Task, moved bool, err error) {
	waiting, err := s.waitingOrganizations(ctx, w)
	if err != nil {
		return task.Task{}, false, wrap("choose a task", err)
	}
	for _, seen := range waiting {
		err := s.Tx(ctx, func(t *Tx) (err error) {
			taken, moved, err = t.takeFrom(ctx, w, seen, last)
			return err
		})
		if err != nil || moved || taken.ID != "" {
			return taken, moved, err
		}
	}
	return task.Task{}, false, nil
}

// takeFrom takes the organization's task that has waited longest. The lock lets two concurrent workers see each
// other's task; taking a task does not wait for row locks, so there is no deadlock.
func (t *Tx) takeFrom(ctx context.Context, w want, seen load, last bool) (taken task.Task, moved bool, err error) {
	if err := t.lockOrganization(ctx, seen.organizationID); err != nil {
		return taken, false, err
	}
	now, err := t.runningOf(ctx, seen.organizationID, w.lane)
	if err != nil {
		return taken, false, err
	}
	if now.jobs > seen.jobs && !last {
		return taken, true, nil
	}
	if w.express && now.jobs > 0 || now.jobs >= orAny(t.s.caps.Jobs) {
		return taken, false, nil
	}
	capped := 0
	if now.exports >= orAny(t.s.caps.Exports) {
		capped = 1
	}
	at := t.now()
	taken, err = single(ctx, t.q, scanTask,
		`UPDATE tasks SET state = 'running', attempts = attempts + 1, fence = fence + 1, lease_owner = $2, lease_until = $3, started_at = $4
		WHERE id = (SELECT id FROM tasks WHERE state = 'queued' AND organization_id = $1 `+
			`AND $5 LIKE '%,' || kind || ',%' AND ($6 = 0 OR kind <> 'export')
			AND `+due("$4", "$7")+` AND `+receiverFree+` ORDER BY created_at, id LIMIT 1`+t.skipLocked()+`)
		RETURNING `+taskColumns, seen.organizationID, w.owner, micros(at.Add(w.lease)), micros(at), w.can, capped,
		micros(at.Add(farPause)))
	if errors.Is(err, errNone) {
		// another worker was faster, or the organization has reached its limit of running exports
		return task.Task{}, false, nil
	}
	return taken, false, wrap("take task", err)
}

// kindList encodes kinds as a text in which both engines can search for a column's value: ",export,deploy,".
func kindList(kinds []task.Kind) string {
	if len(kinds) == 0 {
		kinds = []task.Kind{task.Export, task.Deploy, task.Agent, task.Mail, task.Delivery, task.Report, task.Mention}
	}
	list := ","
	for _, k := range kinds {
		list += string(k) + ","
	}
	return list
}

// due returns a condition on queued tasks: postponed tasks must have reached the end of their pause. now and far
// are SQL parameters: the current time, and the latest time at which a pause may end. A pause that ends later was
// written before the clock was set back (J10).
func due(now, far string) string {
	return fmt.Sprintf(`(not_before <= %s OR not_before > %s + CASE kind WHEN 'mail' THEN %d WHEN 'delivery' THEN %d WHEN 'report' THEN %[5]d WHEN 'mention' THEN %[5]d ELSE 0 END)`,
		now, far, farMailPause.Microseconds(), farDeliveryPause.Microseconds(), farReportPause.Microseconds())
}

// maxPerReceiver limits the running tasks with the same receiver, so that a slow or unreachable one does not block
// others.
const maxPerReceiver = 2

// receiverFree is a condition on queued tasks: fewer than maxPerReceiver tasks of their receiver are running.
var receiverFree = fmt.Sprintf(`receiver NOT IN (SELECT b.receiver FROM tasks b WHERE b.state = 'running' AND b.receiver <> ''
	GROUP BY b.receiver HAVING count(*) >= %d)`, maxPerReceiver)

// waitingOrganizations returns the organizations with tasks that may be taken and the number of their running tasks
// on the lane, in the order of fairness.
func (r *Store) waitingOrganizations(ctx context.Context, w want) ([]load, error) {
	most := orAny(r.caps.Jobs)
	if w.express {
		most = 1
	}
	now := r.now()
	// w finds the organizations with queued tasks with one index lookup each, and the rest reads only the first of
	// their tasks, so that a take does not read a whole backlog.
	return collect(ctx, r.q, scanLoad, `WITH RECURSIVE w (id) AS (SELECT min(organization_id) FROM tasks WHERE state = 'queued'
			UNION ALL SELECT (SELECT min(t.organization_id) FROM tasks t WHERE t.state = 'queued' AND t.organization_id > w.id)
				FROM w WHERE w.id IS NOT NULL)
		SELECT c.organization_id, c.jobs, c.exports
		FROM (SELECT w.id AS organization_id, COALESCE(n.jobs, 0) AS jobs, COALESCE(n.exports, 0) AS exports,
				(SELECT q.created_at FROM tasks q WHERE q.state = 'queued' AND q.organization_id = w.id
					AND $1 LIKE '%,' || q.kind || ',%' AND (q.kind <> 'export' OR COALESCE(n.exports, 0) < $4)
					AND `+due("$5", "$6")+` AND `+receiverFree+` ORDER BY q.created_at, q.id LIMIT 1) AS since
			FROM w LEFT JOIN (SELECT organization_id, count(*) AS jobs, sum(CASE WHEN kind = 'export' THEN 1 ELSE 0 END) AS exports
				FROM tasks WHERE state = 'running' AND $2 LIKE '%,' || kind || ',%' GROUP BY organization_id) n
				ON n.organization_id = w.id
			WHERE w.id IS NOT NULL AND COALESCE(n.jobs, 0) < $3) c
		WHERE c.since IS NOT NULL
		ORDER BY c.jobs, (SELECT max(s.started_at) FROM tasks s WHERE s.organization_id = c.organization_id), c.since,
			c.organization_id LIMIT 16`,
		w.can, kindList(w.lane.Kinds()), most, orAny(r.caps.Exports), micros(now), micros(now.Add(farPause)))
}
