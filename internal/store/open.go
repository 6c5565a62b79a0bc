package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

// Options configures a Store.
type Options struct {
	URL  string           // "postgres://…", or the path of an SQLite file
	Now  func() time.Time // the clock
	IDs  id.Source
	Wake Wake // called in the transaction that queues a task; nil if the process never queues tasks (key and plan commands)

	Domains project.DomainPolicy // decides which domains need proof
}

// Wake adds a wake-up for a queued task to the queue, inside the given engine transaction (*sql.Tx or pgx.Tx), so that
// the task and its wake-up are either committed together or not at all (J1).
type Wake func(ctx context.Context, engineTx any, lane task.Lane) error

// Store is an open database. It is safe for concurrent use.
type Store struct {
	reads
	local   func() time.Time // this machine's clock
	ahead   atomic.Int64     // microseconds by which the database's clock is ahead of local; 0 until FollowClock
	follows atomic.Bool
	ids     id.Source
	wake    Wake
	domains project.DomainPolicy

	caps Caps

	principals *Shared[Principal]

	lite *sqlitePools  // nil on PostgreSQL
	pg   *pgxpool.Pool // nil on SQLite
}

// reads holds the queries that Store and Tx have in common.
type reads struct {
	q   querier
	now func() time.Time
}

// Open connects to the database and checks that it responds. It does not change the schema; see Migrate.
func Open(ctx context.Context, opt Options) (*Store, error) {
	s := &Store{local: opt.Now, ids: opt.IDs, wake: opt.Wake, domains: opt.Domains}
	var err error
	if IsPostgres(opt.URL) {
		s.pg, err = openPostgres(ctx, opt.URL)
		s.reads = reads{q: pgQuerier{s.pg}, now: s.clock}
	} else {
		if s.lite, err = openSQLite(ctx, opt.URL); err == nil {
			s.reads = reads{q: sqliteQuerier{s.lite.read}, now: s.clock}
		}
	}
	if err != nil {
		return nil, err
	}
	s.principals = ShareReads[Principal](s)
	return s, nil
}

// IsPostgres reports whether a database URL names a PostgreSQL server.
func IsPostgres(url string) bool {
	return strings.HasPrefix(url, "postgres://") || strings.HasPrefix(url, "postgresql://")
}

// SetWake sets the function that is called when a task is queued. The queue uses the store's connections, so it is
// created after Open. SetWake must be called before the first transaction.
func (s *Store) SetWake(w Wake) { s.wake = w }

// SetCaps limits how many of an organization's tasks may run at the same time. The default is no limit. It must be
// called before the first task is taken.
func (s *Store) SetCaps(c Caps) { s.caps = c }

// SQLite returns the connection pool for writes, or nil on PostgreSQL. The queue shares it.
func (s *Store) SQLite() *sql.DB {
	if s.lite == nil {
		return nil
	}
	return s.lite.write
}

// Postgres returns the connection pool, or nil on SQLite. The queue shares it.
func (s *Store) Postgres() *pgxpool.Pool { return s.pg }

// Alone reports whether this process has locked the SQLite database for its exclusive use, because the disk was too
// full for the files that processes share. Other processes cannot use the database until this process exits.
func (s *Store) Alone() bool { return s.lite != nil && s.lite.alone }

// Close closes all connections.
func (s *Store) Close() error {
	if s.pg != nil {
		s.pg.Close()
		return nil
	}
	return s.lite.close()
}

// Ping checks that the database responds.
func (s *Store) Ping(ctx context.Context) error {
	_, err := single(ctx, s.q, value[int64], `SELECT 1`)
	return err
}

// CheckIntegrity reads the whole of an embedded database and returns an error if the database is damaged. PostgreSQL
// checks its own data.
func (s *Store) CheckIntegrity(ctx context.Context) error {
	if s.lite == nil {
		return nil
	}
	found, err := single(ctx, s.q, value[string], `PRAGMA quick_check(1)`)
	if err == nil && found != "ok" {
		err = fmt.Errorf("%w: %s", fault.ErrDatabaseDamaged, found)
	}
	return wrap("check database", err)
}

// Tx is a transaction. It has methods for changes and for the reads that the changes depend on.
type Tx struct {
	reads
	s      *Store
	engine any // *sql.Tx or pgx.Tx, for the queue
}

// maxTries is the maximum number of times that a transaction runs when it conflicts with others.
const maxTries = 10

// Tx runs fn in a transaction and commits if fn returns nil. If the transaction conflicts with another one, fn runs
// again from the beginning, so it must not have effects outside the database.
func (s *Store) Tx(ctx context.Context, fn func(*Tx) error) error {
	for try := 1; ; try++ {
		err := s.once(ctx, fn)
		if err == nil || try == maxTries || !lostRace(err) {
			return mark(err)
		}
		select {
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		case <-time.After(time.Duration(try) * 5 * time.Millisecond):
		}
	}
}

func lostRace(err error) bool {
	code := pgCode(err)
	return sqliteBusy(err) || code == pgSerializationFailure || code == pgDeadlock
}

func (s *Store) once(ctx context.Context, fn func(*Tx) error) error {
	if s.pg != nil {
		return pgx.BeginFunc(ctx, s.pg, func(t pgx.Tx) error {
			return fn(&Tx{reads: reads{q: pgQuerier{t}, now: s.clock}, s: s, engine: t})
		})
	}
	t, err := s.lite.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin transaction: %w", err)
	}
	defer func() { _ = t.Rollback() }() // a no-op after Commit
	if err := fn(&Tx{reads: reads{q: sqliteQuerier{t}, now: s.clock}, s: s, engine: t}); err != nil {
		return err
	}
	return t.Commit()
}

// forUpdate returns the end of a SELECT that must lock its row until the transaction ends. On SQLite the whole database
// is already locked. NO KEY matters: every insert that refers to a row locks the row's key. With a full lock, two
// transactions that first insert and then lock could wait for each other.
func (t *Tx) forUpdate() string {
	if t.s.pg != nil {
		return " FOR NO KEY UPDATE"
	}
	return ""
}

// skipLocked returns the end of a SELECT that skips rows which other workers have locked.
func (t *Tx) skipLocked() string {
	if t.s.pg != nil {
		return " FOR NO KEY UPDATE SKIP LOCKED"
	}
	return ""
}

// isUnique reports whether a statement violated a unique constraint.
func isUnique(err error) bool { return sqliteUnique(err) || pgCode(err) == pgUniqueViolation }
