package store

import (
	"context"
	"fmt"
	"time"
)

// FollowClock sets this store's clock to the database server's clock, now and before each search for expired leases.
// This way, machines with different clocks agree on leases. Otherwise a worker whose clock is an hour ahead would
// requeue every running task (J10). Processes that share a SQLite database run on one machine and need no correction.
func (s *Store) FollowClock(ctx context.Context) error {
	s.follows.Store(true)
	return s.syncClock(ctx)
}

func (s *Store) syncClock(ctx context.Context) error {
	if s.pg == nil || !s.follows.Load() {
		return nil
	}
	asked := s.local()
	theirs, err := single(ctx, s.q, value[int64], `SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint`)
	if err != nil {
		return fmt.Errorf("read database time: %w", err)
	}
	// The server read its clock about half-way through the round trip.
	s.ahead.Store(theirs - micros(asked.Add(s.local().Sub(asked)/2)))
	return nil
}

// clock returns the time to store in rows, in UTC and truncated to microseconds, so that a value is the same after it
// has been stored and read back.
func (s *Store) clock() time.Time { return fromMicros(micros(s.local()) + s.ahead.Load()) }
