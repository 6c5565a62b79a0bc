package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/task"
)

// turn is a row of task_turns: an organization with listed tasks of a kind. Only workers change rows. A row never comes
// later in the order than it should. Code that removes tasks leaves the row unchanged, and the worker that reaches the
// row corrects it (checkTurn).
type turn struct {
	organizationID string
	kind           task.Kind
	jobs           int64 // the organization's running tasks on the worker's lane
	lastStart      int64 // latest start of any of the organization's tasks
	firstID        string
}

// turnsAtOnce is the maximum number of turns that a worker tries.
const turnsAtOnce = 16

// chooseTurns returns whose turn it is, in the fairness order. There may be thousands of organizations without running
// tasks. They are read in order from an index, and only as many as needed. The other organizations are looked up one by
// one, because there are no more of them than there are workers.
func (s *Store) chooseTurns(ctx context.Context, w want) ([]turn, error) {
	return collect(ctx, s.q, func(s scanner) (t turn, err error) {
		err = s.Scan(&t.organizationID, &t.kind, &t.jobs, &t.lastStart, &t.firstID)
		return t, err
	}, turnsQuery(w.kinds), kindList(w.lane.Kinds()), w.mostJobs(s.caps), orAny(s.caps.Exports))
}

func turnsQuery(kinds []task.Kind) string {
	var parts []string
	for _, k := range kinds {
		parts = append(parts, fmt.Sprintf(`SELECT * FROM (SELECT t.organization_id, t.kind, 0 AS jobs, t.last_start, t.first_at, t.first_id
				FROM task_turns t WHERE t.kind = '%s' AND t.organization_id NOT IN (SELECT organization_id FROM n)
				ORDER BY t.last_start, t.first_at, t.organization_id, t.first_id LIMIT %d) idle
			UNION ALL SELECT t.organization_id, t.kind, n.jobs,
				(SELECT max(s.started_at) FROM tasks s WHERE s.organization_id = t.organization_id), q.created_at, q.id
				FROM n JOIN task_turns t ON t.organization_id = n.organization_id AND t.kind = '%[1]s'
				JOIN tasks q ON q.id = %[3]s
				WHERE n.jobs < $2 AND ('%[1]s' <> 'export' OR n.exports < $3)`,
			k, turnsAtOnce, firstFree("t.organization_id", k)))
	}
	return fmt.Sprintf(`WITH n AS (SELECT organization_id, count(*) AS jobs, sum(CASE WHEN kind = 'export' THEN 1 ELSE 0 END) AS exports
			FROM tasks WHERE state = 'running' AND $1 LIKE '%%,' || kind || ',%%' GROUP BY organization_id)
		SELECT c.organization_id, c.kind, c.jobs, c.last_start, c.first_id FROM (%s) c
		ORDER BY c.jobs, c.last_start, c.first_at, c.organization_id, c.first_id LIMIT %d`, strings.Join(parts, "\nUNION ALL "),
		turnsAtOnce)
}

// checkTurn locks the organization's turns and compares one of them with the organization's tasks. result is takeEnded
// if the turn has not changed since it was read. kinds is the number of the organization's turns.
func (t *Tx) checkTurn(ctx context.Context, seen turn, last bool) (kinds int, result takeResult, err error) {
	turns, err := t.lockTurns(ctx, seen.organizationID)
	if err != nil {
		return 0, takeEnded, err
	}
	now, err := single(ctx, t.q, func(s scanner) (now turn, err error) {
		err = s.Scan(&now.lastStart, &now.firstID)
		return now, err
	}, `SELECT (SELECT COALESCE(max(started_at), 0) FROM tasks WHERE organization_id = $1), COALESCE((SELECT id FROM tasks
		WHERE organization_id = $1 AND kind = $2 AND state = 'queued' AND listed ORDER BY created_at, id LIMIT 1), '')`,
		seen.organizationID, string(seen.kind))
	if err != nil {
		return 0, takeEnded, wrap("check turn", err)
	}
	for _, stored := range turns {
		if stored.kind != seen.kind {
			continue
		}
		if stored.lastStart != now.lastStart || stored.firstID != now.firstID {
			return 0, takeStale, t.refreshTurn(ctx, seen.organizationID, seen.kind)
		}
		if seen.jobs == 0 && !last && (stored.lastStart != seen.lastStart || stored.firstID != seen.firstID) {
			return 0, takeMoved, nil
		}
		return len(turns), takeEnded, nil
	}
	return 0, takeMoved, nil // another worker has taken its last task
}

// lockTurns locks an organization's turns and returns them. All transactions lock them in the same order.
func (t *Tx) lockTurns(ctx context.Context, organizationID string) ([]turn, error) {
	turns, err := collect(ctx, t.q, func(s scanner) (v turn, err error) {
		err = s.Scan(&v.kind, &v.lastStart, &v.firstID)
		return v, err
	}, `SELECT kind, last_start, first_id FROM task_turns WHERE organization_id = $1 ORDER BY kind`+t.forUpdate(),
		organizationID)
	return turns, wrap("lock turns", err)
}

// passTurn moves an organization to the end of its order after one of the organization's tasks was taken.
func (t *Tx) passTurn(ctx context.Context, taken turn, kinds int) error {
	if err := t.refreshTurn(ctx, taken.organizationID, taken.kind); err != nil || kinds == 1 {
		return err
	}
	_, err := t.q.exec(ctx, `UPDATE task_turns SET last_start = (SELECT max(started_at) FROM tasks WHERE organization_id = $1)
		WHERE organization_id = $1 AND kind <> $2`, taken.organizationID, string(taken.kind))
	return wrap("pass turn", err)
}

// refreshTurn makes a row of task_turns match the organization's tasks, or removes it if no such task is listed. The
// caller must have locked the organization's turns.
func (t *Tx) refreshTurn(ctx context.Context, organizationID string, kind task.Kind) error {
	n, err := t.q.exec(ctx, `INSERT INTO task_turns (organization_id, kind, last_start, first_at, first_id)
		SELECT q.organization_id, q.kind, (SELECT max(s.started_at) FROM tasks s WHERE s.organization_id = $1), q.created_at, q.id
			FROM tasks q WHERE q.organization_id = $1 AND q.kind = $2 AND q.state = 'queued' AND q.listed
			ORDER BY q.created_at, q.id LIMIT 1
		ON CONFLICT (organization_id, kind) DO UPDATE
			SET last_start = excluded.last_start, first_at = excluded.first_at, first_id = excluded.first_id`,
		organizationID, string(kind))
	if err == nil && n == 0 {
		_, err = t.q.exec(ctx, `DELETE FROM task_turns WHERE organization_id = $1 AND kind = $2`, organizationID, string(kind))
	}
	return wrap("store turn", err)
}
