package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"
)

// Count is how often something happened, over all processes.
type Count struct {
	N    int
	Left time.Duration // until it begins again. No time of day: the clocks of processes differ
}

// CountUp adds n to a count. One that does not run begins with n and lasts for the window; one that runs keeps its end.
// kind separates the counts of different packages under one key.
func (s *Store) CountUp(ctx context.Context, kind, key string, n int, window time.Duration) (c Count, err error) {
	err = s.Tx(ctx, func(t *Tx) error {
		now := t.now()
		c, err = single(ctx, t.q, scanCount(now), `INSERT INTO counters (name, n, until) VALUES ($1, $2, $3)
			ON CONFLICT (name) DO UPDATE SET
				n = CASE WHEN counters.until <= $4 THEN excluded.n ELSE counters.n + excluded.n END,
				until = CASE WHEN counters.until <= $4 THEN excluded.until ELSE counters.until END
			RETURNING n, until`, counterName(kind, key), n, micros(now.Add(window)), micros(now))
		return wrap("count", err)
	})
	return c, err
}

// FindCount returns a count that runs; the zero Count when none does.
func (s *Store) FindCount(ctx context.Context, kind, key string) (Count, error) {
	now := s.now()
	c, err := single(ctx, s.q, scanCount(now), `SELECT n, until FROM counters WHERE name = $1 AND until > $2`,
		counterName(kind, key), micros(now))
	if errors.Is(err, errNone) {
		return Count{}, nil
	}
	return c, wrap("find count", err)
}

// CountDown takes one back.
func (s *Store) CountDown(ctx context.Context, kind, key string) error {
	return s.Tx(ctx, func(t *Tx) error {
		_, err := t.q.exec(ctx, `UPDATE counters SET n = n - 1 WHERE name = $1 AND n > 0`, counterName(kind, key))
		return wrap("count down", err)
	})
}

// CountAnew forgets a count.
func (s *Store) CountAnew(ctx context.Context, kind, key string) error {
	return s.Tx(ctx, func(t *Tx) error {
		_, err := t.q.exec(ctx, `DELETE FROM counters WHERE name = $1`, counterName(kind, key))
		return wrap("forget count", err)
	})
}

// counterName hides what is counted: addresses of people have no place in a table of numbers.
func counterName(kind, key string) string {
	sum := sha256.Sum256([]byte(kind + "\x00" + key))
	return hex.EncodeToString(sum[:16])
}

func scanCount(now time.Time) func(scanner) (Count, error) {
	return func(r scanner) (Count, error) {
		var n, until int64
		err := r.Scan(&n, &until)
		return Count{N: int(n), Left: fromMicros(until).Sub(now)}, err
	}
}
