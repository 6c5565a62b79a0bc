package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"github.com/lectern-docs/lectern/internal/foundation/filelock"
)

//go:embed migrations
var migrationFiles embed.FS

// Step runs after the migrations, under the same lock, each time Migrate is called.
type Step func(ctx context.Context) error

// Migrate brings the schema up to date. Any number of processes may call it at the same time: one does the work, and
// the others wait. It returns how many of our own migrations it applied. If a newer program has already migrated the
// database, Migrate changes nothing, because the newer program has also run the steps of other packages. In this case,
// it returns an error if the schema no longer supports this program.
func (s *Store) Migrate(ctx context.Context, after ...Step) (applied int, err error) {
	if newer, err := s.CheckSchema(ctx); err != nil || newer {
		return 0, err
	}
	if s.pg != nil {
		return s.migratePostgres(ctx, after)
	}
	unlock, err := s.lockFile(ctx)
	if err != nil {
		return 0, err
	}
	defer unlock()
	p, err := newProvider(goose.DialectSQLite3, s.lite.write, "sqlite")
	if err != nil {
		return 0, err
	}
	return s.up(ctx, p, after)
}

func (s *Store) migratePostgres(ctx context.Context, after []Step) (int, error) {
	db := stdlib.OpenDBFromPool(s.pg)
	defer func() { _ = db.Close() }() // the pool stays open
	// Poll the lock often, because startup waits for it. Poll it for so long that even a large migration can finish.
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 600))
	if err != nil {
		return 0, fmt.Errorf("prepare migration lock: %w", err)
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return 0, fmt.Errorf("connect for migration: %w", err)
	}
	defer func() { _ = conn.Close() }()
	if err := locker.SessionLock(ctx, conn); err != nil {
		return 0, fmt.Errorf("wait for migration lock: %w", err)
	}
	defer func() { _ = locker.SessionUnlock(context.WithoutCancel(ctx), conn) }()
	p, err := newProvider(goose.DialectPostgres, db, "postgres")
	if err != nil {
		return 0, err
	}
	return s.up(ctx, p, after)
}

func newProvider(d goose.Dialect, db *sql.DB, engine string) (*goose.Provider, error) {
	p, err := goose.NewProvider(d, db, migrationsFor(engine))
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	return p, nil
}

// up runs while this process holds the lock. The previous holder may have been a newer program, so it checks the schema
// again.
func (s *Store) up(ctx context.Context, p *goose.Provider, after []Step) (int, error) {
	if newer, err := s.CheckSchema(ctx); err != nil || newer {
		return 0, err
	}
	done, err := p.Up(ctx)
	if err != nil {
		return len(done), fmt.Errorf("migrate database: %w", mark(err))
	}
	for _, step := range after {
		if err := step(ctx); err != nil {
			return len(done), fmt.Errorf("migrate database: %w", mark(err))
		}
	}
	return len(done), s.noteOldestProgram(ctx)
}

// lockFile takes an exclusive lock next to the SQLite file, so that two processes do not migrate the file at the same
// time.
func (s *Store) lockFile(ctx context.Context) (unlock func(), err error) {
	name, err := single(ctx, sqliteQuerier{s.lite.read}, value[string],
		`SELECT file FROM pragma_database_list WHERE name = 'main'`)
	if err != nil {
		return nil, fmt.Errorf("find database file: %w", err)
	}
	f, err := filelock.WaitFile(ctx, name+".migrate")
	if err != nil {
		return nil, fmt.Errorf("wait for migration lock: %w", err)
	}
	return func() { _ = f.Close() }, nil // closing the file releases the lock
}

// engineFS combines the migrations that both engines share with the migrations for one engine. Each number occurs in
// only one of the two folders.
type engineFS struct{ engine string }

func migrationsFor(engine string) fs.FS { return engineFS{engine} }

func (e engineFS) Open(name string) (fs.File, error) {
	f, err := migrationFiles.Open("migrations/common/" + name)
	if errors.Is(err, fs.ErrNotExist) {
		return migrationFiles.Open("migrations/" + e.engine + "/" + name)
	}
	return f, err
}

// Glob lists the files in both folders. The migration library uses it to find the migrations.
func (e engineFS) Glob(pattern string) ([]string, error) {
	var out []string
	for _, dir := range []string{"common", e.engine} {
		sub, err := fs.Sub(migrationFiles, "migrations/"+dir)
		if err != nil {
			return nil, err
		}
		found, err := fs.Glob(sub, pattern)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}
