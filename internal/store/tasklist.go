package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/task"
)

// listAtOnce is the number of tasks that one transaction lists. On SQLite, other writers wait for the transaction.
const listAtOnce = 200

// waiting describes the queued tasks of one kind.
type waiting struct {
	kind   task.Kind
	due    bool // some tasks are due and not listed
	ahead  bool // some tasks that are not listed were postponed before the clock was set back
	listed bool
}

// listNew lists the tasks that became due since a worker last looked, and reports whether any task is listed.
//
// Transactions that queue a task do not change task_turns themselves. They hold other locks, and workers that hold the
// organization's row would have to wait for them.
func (s *Store) listNew(ctx context.Context, kinds []task.Kind) (some bool, err error) {
	now := micros(s.now())
	found, err := collect(ctx, s.q, func(s scanner) (v waiting, err error) {
		err = s.Scan(&v.kind, &v.due, &v.ahead, &v.listed)
		return v, err
	}, waitingQuery(kinds), now)
	if err != nil {
		return false, err
	}
	for _, v := range found {
		if v.due {
			err = s.listAll(ctx, v.kind, `not_before <= $2`, now)
		}
		if v.ahead && err == nil {
			err = s.listAll(ctx, v.kind, `not_before > $2`, now+longestPause(v.kind).Microseconds())
		}
		if err != nil {
			return false, err
		}
		some = some || v.due || v.ahead || v.listed
	}
	return some, nil
}

// waitingQuery returns a query that reads only one index row per result.
func waitingQuery(kinds []task.Kind) string {
	var parts []string
	for _, k := range kinds {
		unlisted := fmt.Sprintf(`EXISTS (SELECT 1 FROM tasks WHERE state = 'queued' AND NOT listed AND kind = '%s' AND not_before`, k)
		parts = append(parts, fmt.Sprintf(`SELECT '%s', %s <= $1), %[2]s > $1 + %d), EXISTS (SELECT 1 FROM task_turns WHERE kind = '%[1]s')`,
			k, unlisted, longestPause(k).Microseconds()))
	}
	return strings.Join(parts, " UNION ALL ")
}

// listAll lists the unlisted tasks of a kind that satisfy condition. The condition refers to value as $2.
func (s *Store) listAll(ctx context.Context, kind task.Kind, condition string, value int64) error {
	for {
		n := 0
		err := s.Tx(ctx, func(t *Tx) (err error) {
			n, err = t.listSome(ctx, kind, condition, value)
			return err
		})
		if err != nil || n < listAtOnce {
			return wrap("list waiting tasks", err)
		}
	}
}

func (t *Tx) listSome(ctx context.Context, kind task.Kind, condition string, limit int64) (n int, err error) {
	if err := t.lockListing(ctx); err != nil {
		return 0, err
	}
	organizations, err := collect(ctx, t.q, value[string], fmt.Sprintf(`UPDATE tasks SET listed = TRUE WHERE id IN (SELECT id FROM tasks
		WHERE state = 'queued' AND NOT listed AND kind = $1 AND %s LIMIT %d%s) RETURNING organization_id`, condition,
		listAtOnce, t.skipLocked()), string(kind), limit)
	if err != nil {
		return 0, err
	}
	n = len(organizations)
	slices.Sort(organizations)
	for _, of := range slices.Compact(organizations) {
		if _, err := t.lockTurns(ctx, of); err != nil {
			return 0, err
		}
		if err := t.refreshTurn(ctx, of, kind); err != nil {
			return 0, err
		}
	}
	return n, nil
}

// listingLock is an arbitrary number that is used for no other advisory lock.
const listingLock = 4_311_043

// lockListing lets only one transaction at a time list tasks. If a worker finds nothing to list because another worker
// has not committed yet, it must wait for that worker. Otherwise it would take no task although tasks are waiting.
func (t *Tx) lockListing(ctx context.Context) error {
	if t.s.pg == nil {
		return nil // SQLite has only one writer
	}
	_, err := t.q.exec(ctx, `SELECT pg_advisory_xact_lock($1)`, int64(listingLock))
	return err
}
