package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"
)

// Count is the value of a counter that all processes share.
type Count struct {
	N    int
	Left time.Duration // time until the counter resets; a duration, because the clocks of processes differ
}

// CountUp adds n to a counter. The first increment starts the window; later increments do not extend it. kind keeps the
// counters of different packages apart if they use the same key.
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

// FindCount returns the current count, or the zero Count if no window is running.
func (s *Store) FindCount(ctx context.Context, kind, key string) (Count, error) {
	now := s.now()
	c, err := single(ctx, s.q, scanCount(now), `SELECT n, until FROM counters WHERE name = $1 AND until > $2`,
		counterName(kind, key), micros(now))
	if errors.Is(err, errNone) {
		return Count{}, nil
	}
	return c, wrap("find count", err)
}

// CountDown subtracts one from a counter.
func (s *Store) CountDown(ctx context.Context, kind, key string) error {
	return s.Tx(ctx, func(t *Tx) error {
		_, err := t.q.exec(ctx, `UPDATE counters SET n = n - 1 WHERE name = $1 AND n > 0`, counterName(kind, key))
		return wrap("count down", err)
	})
}

// CountAnew resets a counter.
func (s *Store) CountAnew(ctx context.Context, kind, key string) error {
	return s.Tx(ctx, func(t *Tx) error {
		_, err := t.q.exec(ctx, `DELETE FROM counters WHERE name = $1`, counterName(kind, key))
		return wrap("delete count", err)
	})
}

// counterName hashes the key, so that the table does not contain email or IP addresses.
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
