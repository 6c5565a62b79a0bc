package store

import (
	"context"
	"errors"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/task"
)

// takeTries is the maximum number of times that a worker chooses again because another worker has taken a task of the
// same organization first.
const takeTries = 16

// TakeTask takes the task that should run next. ok is false if no task is available. Organizations with the fewest
// running tasks on the lane come first. Among these, the organization that was served longest ago comes first, so that
// one organization's backlog does not delay another organization, even with a single worker (J7). Within an
// organization, the task that has waited longest comes first. If express is set, only organizations without running
// tasks are served. The caps always apply. kinds are the kinds that the caller supports; if there are none, all kinds
// are supported. A worker of an older version therefore leaves new kinds to newer workers.
//
// Each organization is examined in its own transaction. A transaction that locked several organizations would lock them
// in the fairness order. This order changes constantly, so two such transactions could deadlock.
//
// The cost does not grow with the number of waiting tasks and organizations; see chooseTurns.
func (s *Store) TakeTask(ctx context.Context, owner string, lease time.Duration, express bool,
	kinds ...task.Kind) (taken task.Task, ok bool, err error) {
	if len(kinds) == 0 {
		kinds = allKinds()
	}
	w := want{owner: owner, lease: lease, express: express, kinds: kinds, lane: laneOf(kinds)}
	// Check cheaply first: most wake-ups of an idle server find nothing.
	if some, err := s.listNew(ctx, w.kinds); err != nil || !some {
		return task.Task{}, false, wrap("find a task", err)
	}
	for try := 1; ; {
		taken, result, err := s.takeOnce(ctx, w, try == takeTries)
		if err != nil || result == takeEnded {
			return taken, taken.ID != "", err
		}
		if result == takeMoved { // not for takeStale, which has repaired a row and therefore cannot repeat forever
			try++
		}
	}
}

// want describes the tasks that a worker can take.
type want struct {
	owner   string
	lease   time.Duration
	express bool
	kinds   []task.Kind // the kinds that the worker supports, at least one
	lane    task.Lane
}

// mostJobs is the number of running tasks at which an organization is not served any more.
func (w want) mostJobs(c Caps) int64 {
	if w.express {
		return 1
	}
	return orAny(c.Jobs)
}

// takeResult says how to continue after an organization has been examined.
type takeResult int

const (
	takeEnded   takeResult = iota // a task was taken, or no organization has a task that can be taken
	takeBlocked                   // none of this organization's tasks can be taken
	takeMoved                     // the order is outdated because another worker took a task first: choose again
	takeStale                     // a row of task_turns was outdated and has been corrected: choose again
)

// laneOf returns the lane for a worker that supports these kinds.
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

// takeOnce tries the organizations in the fairness order. If last is set, it takes a task even if another worker has
// taken one first.
func (s *Store) takeOnce(ctx context.Context, w want, last bool) (taken task.Task, result takeResult, err error) {
	turns, err := s.chooseTurns(ctx, w)
	if err != nil {
		return task.Task{}, takeEnded, wrap("choose a task", err)
	}
	for _, seen := range turns {
		err := s.Tx(ctx, func(t *Tx) (err error) {
			taken, result, err = t.takeFrom(ctx, w, seen, last)
			return err
		})
		if err != nil || result != takeBlocked {
			return taken, result, err
		}
	}
	return task.Task{}, takeEnded, nil
}

// takeFrom takes the task of the turn's organization and kind that has waited longest. Because of the lock, two
// concurrent workers see each other's task. Taking a task does not wait for row locks, so there is no deadlock.
func (t *Tx) takeFrom(ctx context.Context, w want, seen turn, last bool) (taken task.Task, result takeResult, err error) {
	if err := t.lockOrganization(ctx, seen.organizationID); err != nil {
		return taken, takeEnded, err
	}
	kinds, result, err := t.checkTurn(ctx, seen, last)
	if err != nil || result != takeEnded {
		return taken, result, err
	}
	now, err := t.runningOf(ctx, seen.organizationID, w.lane)
	if err != nil {
		return taken, takeEnded, err
	}
	if now.jobs > seen.jobs && !last {
		return taken, takeMoved, nil
	}
	if now.jobs >= w.mostJobs(t.s.caps) || seen.kind == task.Export && now.exports >= orAny(t.s.caps.Exports) {
		return taken, takeBlocked, nil
	}
	at := t.now()
	taken, err = single(ctx, t.q, scanTask,
		`UPDATE tasks SET state = 'running', attempts = attempts + 1, fence = fence + 1, lease_owner = $2, lease_until = $3,
			started_at = $4, listed = FALSE
		WHERE id = (SELECT id FROM tasks WHERE state = 'queued' AND listed AND id = `+firstFree("$1", seen.kind)+t.skipLocked()+`)
		RETURNING `+taskColumns, seen.organizationID, w.owner, micros(at.Add(w.lease)), micros(at))
	if errors.Is(err, errNone) {
		return task.Task{}, takeBlocked, nil // another transaction, such as a cancellation, has locked it
	}
	if err != nil {
		return taken, takeEnded, wrap("take task", err)
	}
	return taken, takeEnded, t.passTurn(ctx, seen, kinds)
}

// kindList encodes kinds as a text in which both engines can search for a column's value: ",export,deploy,".
func kindList(kinds []task.Kind) string {
	if len(kinds) == 0 {
		kinds = allKinds()
	}
	list := ","
	for _, k := range kinds {
		list += string(k) + ","
	}
	return list
}

func allKinds() []task.Kind {
	return []task.Kind{task.Export, task.Deploy, task.Agent, task.Mail, task.Delivery, task.Report, task.Mention}
}
