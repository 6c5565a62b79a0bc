package store

import (
	"context"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

// MigrateTo brings a database to the schema of an older release and no further.
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
