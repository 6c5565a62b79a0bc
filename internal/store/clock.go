package store

import (
	"context"
	"fmt"
	"time"
)

// FollowClock sets this store's clock by the database server's, now and before each search for expired leases, so that
// leases written by machines whose clocks differ mean the same to all of them: a worker an hour ahead would otherwise
// take every running task from its owner (J10). SQLite's processes share a machine, and with it a clock.
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
	// The answer was true about half-way between question and answer.
	s.ahead.Store(theirs - micros(asked.Add(s.local().Sub(asked)/2)))
	return nil
}

// clock returns the time by which rows are written, in whole microseconds of UTC: a value is returned as it will be
// found.
func (s *Store) clock() time.Time { return fromMicros(micros(s.local()) + s.ahead.Load()) }
