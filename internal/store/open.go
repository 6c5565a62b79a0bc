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

	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

// Options say which database to open and what the store measures time and makes ids with.
type Options struct {
	URL  string           // "postgres://…", or the path of an SQLite file
	Now  func() time.Time // the clock
	IDs  id.Source
	Wake Wake // called in the transaction that queues a task; nil where nothing is ever queued (key and plan commands)

	Domains project.DomainPolicy // which domains need a proof
}

// Wake puts a wake-up for one queued task into the queue, inside the given engine transaction (*sql.Tx or pgx.Tx),
// so that the task and its wake-up are committed together or not at all (J1).
type Wake func(ctx context.Context, engineTx any, lane task.Lane) error

// Store is an open database. It is safe for concurrent use.
type Store struct {
	reads
	local   func() time.Time // this machine's clock
	ahead   atomic.Int64     // microseconds by which the database's clock is ahead of it; 0 until followed
	follows atomic.Bool
	ids     id.Source
	wake    Wake
	domains project.DomainPolicy

	caps Caps

	principals shared[Principal]
	exports    shared[export.Job]

	lite *sqlitePools  // nil on PostgreSQL
	pg   *pgxpool.Pool // nil on SQLite
}

// reads are the queries that both a Store and a Tx answer.
type reads struct {
	q   querier
	now func() time.Time
}

// Open connects and checks that the database answers. It changes nothing; see Migrate.
func Open(ctx context.Context, opt Options) (*Store, error) {
	s := &Store{local: opt.Now, ids: opt.IDs, wake: opt.Wake, domains: opt.Domains}
	var err error
	if IsPostgres(opt.URL) {
		s.pg, err = openPostgres(ctx, opt.URL)
		s.principals.life, s.exports.life = sharedLife, sharedLife
		s.reads = reads{q: pgQuerier{s.pg}, now: s.clock}
	} else {
		if s.lite, err = openSQLite(ctx, opt.URL); err == nil {
			s.reads = reads{q: sqliteQuerier{s.lite.read}, now: s.clock}
		}
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// IsPostgres reports whether a database URL names a PostgreSQL server.
func IsPostgres(url string) bool {
	return strings.HasPrefix(url, "postgres://") || strings.HasPrefix(url, "postgresql://")
}

// SetWake sets what queueing a task calls. The queue is built on the store's own connections, so it comes after
// Open; call it before the first transaction.
func (s *Store) SetWake(w Wake) { s.wake = w }

// SetCaps limits what one organization may have running at once; a store begins without limits. Call it before the
// first task is taken.
func (s *Store) SetCaps(c Caps) { s.caps = c }

// SQLite is the writing pool, or nil on PostgreSQL. The queue shares it.
func (s *Store) SQLite() *sql.DB {
	if s.lite == nil {
		return nil
	}
	return s.lite.write
}

// Postgres is the pool, or nil on SQLite. The queue shares it.
func (s *Store) Postgres() *pgxpool.Pool { return s.pg }

// Alone reports whether the database was opened for this process alone, because the disk was too full for the files
// that processes share. Other processes cannot use it before this one has ended.
func (s *Store) Alone() bool { return s.lite != nil && s.lite.alone }

// Close closes every connection.
func (s *Store) Close() error {
	if s.pg != nil {
		s.pg.Close()
		return nil
	}
	return s.lite.close()
}

// Ping reports whether the database answers.
func (s *Store) Ping(ctx context.Context) error {
	_, err := single(ctx, s.q, value[int64], `SELECT 1`)
	return err
}

// CheckIntegrity reads an embedded database to its end and fails when it is damaged. PostgreSQL checks itself.
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

// Tx is one transaction: changes, and the reads they depend on.
type Tx struct {
	reads
	s      *Store
	engine any // *sql.Tx or pgx.Tx, for the queue
}

// maxTries bounds how often a transaction that lost a race is run again.
const maxTries = 10

// Tx runs fn in a transaction and commits when fn returns nil. A transaction that lost a race with another one is
// run again from its start, so fn must do nothing outside the database.
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
	defer func() { _ = t.Rollback() }() // after Commit it does nothing
	if err := fn(&Tx{reads: reads{q: sqliteQuerier{t}, now: s.clock}, s: s, engine: t}); err != nil {
		return err
	}
	return t.Commit()
}

// forUpdate ends a SELECT that must lock its row until the transaction ends. SQLite has locked the whole database by
// then. Keys do not change, and saying so matters: every insert that refers to a row locks its key, so a lock on the
// key would make two transactions that insert and then lock wait for each other.
func (t *Tx) forUpdate() string {
	if t.s.pg != nil {
		return " FOR NO KEY UPDATE"
	}
	return ""
}

// skipLocked ends a SELECT that passes over rows another worker is taking at this moment.
func (t *Tx) skipLocked() string {
	if t.s.pg != nil {
		return " FOR NO KEY UPDATE SKIP LOCKED"
	}
	return ""
}

// isUnique reports whether a statement failed because the value is already taken.
func isUnique(err error) bool { return sqliteUnique(err) || pgCode(err) == pgUniqueViolation }
