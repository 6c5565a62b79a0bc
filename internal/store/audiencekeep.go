package store

import (
	"context"
	"encoding/hex"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/audience"
)

// FindSalt returns the salt for a day, which all processes share. If the day has no salt yet, fresh is stored. Only
// ForgetAudience deletes older salts: counts for earlier days may still be in memory, and the caller's clock may be
// ahead of other clocks.
func (s *Store) FindSalt(ctx context.Context, day audience.Day, fresh []byte) (salt []byte, err error) {
	err = s.Tx(ctx, func(t *Tx) error {
		_, err := t.q.exec(ctx, `INSERT INTO audience_salts (day, salt) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
			int64(day), hex.EncodeToString(fresh))
		if err != nil {
			return wrap("make salt", err)
		}
		text, err := single(ctx, t.q, value[string], `SELECT salt FROM audience_salts WHERE day = $1`, int64(day))
		if err != nil {
			return wrap("find salt", err)
		}
		salt, err = hex.DecodeString(text)
		return wrap("read salt", err)
	})
	return salt, err
}

const (
	forgetAtOnce = 2_000 // rows deleted per transaction, so that counting can continue in between
	// how long a day's visitors are kept after the day ends, because processes may be slow and clocks may be slow
	dayGrace = 10 * time.Minute
)

// forgetVisitors deletes, in batches, the data that identifies readers on days before the given day.
func (s *Store) forgetVisitors(ctx context.Context, day audience.Day) error {
	for _, part := range []struct {
		statement string
		arg       int64
	}{
		{`DELETE FROM audience_salts WHERE day IN (SELECT day FROM audience_salts WHERE day < $1 LIMIT $2)`,
			int64(day)},
		{`DELETE FROM audience_marks WHERE (project_id, day, mark) IN (SELECT project_id, day, mark ` +
			`FROM audience_marks WHERE day < $1 LIMIT $2)`, int64(day)},
		{`UPDATE feedback SET mark = 0 WHERE id IN (SELECT id FROM feedback WHERE mark <> 0 AND created_at < $1 ` +
			`LIMIT $2)`, micros(day.Time())},
	} {
		for n := int64(forgetAtOnce); n == forgetAtOnce; {
			err := s.Tx(ctx, func(t *Tx) (err error) {
				n, err = t.q.exec(ctx, part.statement, part.arg, forgetAtOnce)
				return err
			})
			if err != nil {
				return wrap("delete visitors", err)
			}
		}
	}
	return nil
}

// ForgetAudience deletes the data that identifies readers on earlier days. If keep is not 0, it also deletes counts and
// feedback that are older than keep. It returns the number of rows of these two kinds.
func (s *Store) ForgetAudience(ctx context.Context, keep time.Duration) (removed int64, err error) {
	if err = s.forgetVisitors(ctx, audience.DayOf(s.now().Add(-dayGrace))); err != nil || keep <= 0 {
		return 0, err
	}
	projects, err := collect(ctx, s.q, value[string], `SELECT id FROM projects`)
	if err != nil {
		return 0, wrap("list projects", err)
	}
	for _, id := range projects { // one transaction per project, so that counting can continue in between
		var n int64
		err := s.Tx(ctx, func(t *Tx) (err error) {
			n, err = t.forgetCounts(ctx, id, t.now().Add(-keep))
			return err
		})
		if err != nil {
			return removed, err
		}
		removed += n
	}
	return removed, nil
}

func (t *Tx) forgetCounts(ctx context.Context, projectID string, before time.Time) (removed int64, err error) {
	for _, c := range []counts{dayCounts, pageCounts, referrerCounts, searchCounts, clickCounts, missingCounts,
		tryCounts} {
		n, err := t.q.exec(ctx, `DELETE FROM `+c.table+` WHERE project_id = $1 AND day < $2`, projectID,
			int64(audience.DayOf(before)))
		if err != nil {
			return 0, wrap("remove "+c.table, err)
		}
		removed += n
	}
	n, err := t.q.exec(ctx, `DELETE FROM feedback WHERE project_id = $1 AND created_at < $2`, projectID, micros(before))
	return removed + n, wrap("remove feedback", err)
}
