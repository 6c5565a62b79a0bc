package store

import (
	"context"
	"errors"
	"time"
)

// Chore is periodic work that one process of the cluster does.
type Chore struct {
	Name    string
	Process string        // the process that claimed it last
	Ago     time.Duration // time since its last start or renewal
}

// databaseTime is an SQL expression for the current time in microseconds by the database's clock, on which processes
// agree even if their clocks differ.
func (s *Store) databaseTime() string {
	if s.pg != nil {
		return `(extract(epoch FROM clock_timestamp()) * 1000000)::bigint`
	}
	return `CAST(unixepoch('subsec') * 1000000 AS INTEGER)`
}

// farClaim is how far in the future a claim may be. Claims can be in the future because a statement that waited for
// another one sees an older time. A claim further in the future was made before the clock was set back (J10).
const farClaim = time.Minute

// ClaimChore claims a chore for a process and returns 0 if the chore was not claimed within the last period. Otherwise
// it returns how long to wait. If several processes call it at the same time, only one of them claims the chore.
func (s *Store) ClaimChore(ctx context.Context, name, process string, every time.Duration) (wait time.Duration,
	err error) {
	// Read first: most processes in a cluster come too late and then do not have to write.
	left, err := single(ctx, s.q, value[int64], `SELECT claimed_at + $2 - `+s.databaseTime()+` FROM chores WHERE name = $1`,
		name, every.Microseconds())
	if err != nil && !errors.Is(err, errNone) {
		return 0, wrap("read chore", err)
	}
	if err == nil && left > 0 && left <= (every+farClaim).Microseconds() {
		return min(time.Duration(left)*time.Microsecond, every), nil
	}
	var claimed int64
	err = s.Tx(ctx, func(t *Tx) (err error) {
		claimed, err = t.q.exec(ctx, `INSERT INTO chores (name, process, claimed_at) VALUES ($1, $2, `+s.databaseTime()+`)
			ON CONFLICT (name) DO UPDATE SET process = excluded.process, claimed_at = excluded.claimed_at
			WHERE chores.claimed_at <= excluded.claimed_at - $3 OR chores.claimed_at > excluded.claimed_at + $4`,
			name, process, every.Microseconds(), farClaim.Microseconds())
		return err
	})
	if err != nil {
		return 0, wrap("claim chore", err)
	}
	if claimed == 0 { // another process has claimed it first
		return every, nil
	}
	return 0, nil
}

// RenewChore restarts the period of a claimed chore while the process still runs it.
func (s *Store) RenewChore(ctx context.Context, name, process string) error {
	return s.Tx(ctx, func(t *Tx) error {
		_, err := t.q.exec(ctx, `UPDATE chores SET claimed_at = `+s.databaseTime()+` WHERE name = $1 AND process = $2`, name,
			process)
		return wrap("renew chore", err)
	})
}

// ListChores returns all chores that were ever claimed, latest claim first.
func (s *Store) ListChores(ctx context.Context) ([]Chore, error) {
	list, err := collect(ctx, s.q, func(row scanner) (c Chore, err error) {
		var ago int64
		err = row.Scan(&c.Name, &c.Process, &ago)
		c.Ago = max(0, time.Duration(ago)*time.Microsecond)
		return c, err
	}, `SELECT name, process, `+s.databaseTime()+` - claimed_at FROM chores ORDER BY claimed_at DESC, name`)
	return list, wrap("list chores", err)
}
