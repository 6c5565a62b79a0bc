package store

import (
	"context"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/blocked"
)

const blockedColumns = `project_id, kind, source, page, reports, first_seen, last_seen`

func scanBlocked(row scanner) (e blocked.Entry, err error) {
	var first, last int64
	err = row.Scan(&e.ProjectID, &e.Kind, &e.Source, &e.Page, &e.Reports, &first, &last)
	e.FirstSeen, e.LastSeen = fromMicros(first), fromMicros(last)
	return e, err
}

// AddBlocked adds e.Reports to an existing entry, or creates an entry with one report. It deletes entries without
// recent reports. If the project has too many entries, a new entry replaces one of the entries with the fewest reports,
// the newest of them. Anyone can send reports, so a flood of made-up sources must not push out entries that readers
// reported earlier.
func (s *Store) AddBlocked(ctx context.Context, e blocked.Entry) error {
	return s.Tx(ctx, func(t *Tx) error {
		if _, err := t.FindProjectByID(ctx, e.ProjectID); err != nil {
			return err
		}
		now := t.now()
		if _, err := t.q.exec(ctx, `INSERT INTO blocked (`+blockedColumns+`) VALUES ($1, $2, $3, $4, 1, $5, $5)
			ON CONFLICT (project_id, kind, source) DO UPDATE
			SET page = excluded.page, reports = blocked.reports + $6, last_seen = excluded.last_seen`,
			e.ProjectID, e.Kind, e.Source, e.Page, micros(now), e.Reports); err != nil {
			return wrap("add blocked source", err)
		}
		_, err := t.q.exec(ctx, `DELETE FROM blocked WHERE project_id = $1 AND (last_seen < $2 OR (kind, source) IN
			(SELECT kind, source FROM blocked WHERE project_id = $1 AND NOT (kind = $3 AND source = $4)
			ORDER BY reports DESC, first_seen, kind, source LIMIT $5 OFFSET $6))`, e.ProjectID,
			micros(now.Add(-blocked.KeepFor)), e.Kind, e.Source, blocked.MaxRows, blocked.MaxRows-1)
		return wrap("remove blocked sources", err)
	})
}

// ListBlocked returns the project's entries that were reported since the given time, most reports first.
func (r reads) ListBlocked(ctx context.Context, projectID string, since time.Time) ([]blocked.Entry, error) {
	list, err := collect(ctx, r.q, scanBlocked, `SELECT `+blockedColumns+
		` FROM blocked WHERE project_id = $1 AND last_seen >= $2 ORDER BY reports DESC, last_seen DESC, kind, source LIMIT $3`,
		projectID, micros(since), blocked.MaxRows)
	return list, wrap("list blocked sources", err)
}
