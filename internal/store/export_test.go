package store

import (
	"context"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"github.com/lectern-docs/lectern/internal/domain/task"
)

// MigrateTo migrates a database to the schema of an older release.
func (s *Store) MigrateTo(ctx context.Context, version int64) error {
	dialect, engine, db := goose.DialectSQLite3, "sqlite", s.SQLite()
	if s.pg != nil {
		dialect, engine, db = goose.DialectPostgres, "postgres", stdlib.OpenDBFromPool(s.pg)
	}
	p, err := newProvider(dialect, db, engine)
	if err != nil {
		return err
	}
	_, err = p.UpTo(ctx, version)
	return err
}

// TurnsQuery returns the statement that chooses whose turn it is, for exports and deployments, together with its
// arguments.
func (s *Store) TurnsQuery() (text string, lane string, most, exports int64) {
	w := want{kinds: task.Ordinary.Kinds()}
	return turnsQuery(w.kinds), kindList(w.kinds), w.mostJobs(s.caps), orAny(s.caps.Exports)
}

// WaitingQuery returns the statement that looks for tasks to list. Its argument is a time.
func WaitingQuery() string { return waitingQuery(task.Ordinary.Kinds()) }
