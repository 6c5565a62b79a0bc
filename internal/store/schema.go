package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// oldestProgram is the lowest schema version that a program must know to run on the newest schema. It must be raised by
// a migration that removes or changes something that older programs use. As long as it is lower than the newest schema,
// servers of the previous release keep running, and can be restarted, on a database that this release has migrated
// (D2).
const oldestProgram = 7

// floorSetting is the setting in which a program that migrates the database stores its oldestProgram.
const floorSetting = "oldest_program"

// NewestSchema returns the number of the newest migration in this program.
func NewestSchema() int64 {
	files, err := migrationsFor("sqlite").(engineFS).Glob("*.sql")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	newest := int64(0)
	for _, f := range files {
		number, _, _ := strings.Cut(f, "_")
		if n, err := strconv.ParseInt(number, 10, 64); err == nil {
			newest = max(newest, n)
		}
	}
	return newest
}

// SchemaVersion returns the number of the newest migration that was applied to the database, or 0 if there is none.
func (s *Store) SchemaVersion(ctx context.Context) (int64, error) {
	there := `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'goose_db_version'`
	if s.pg != nil {
		there = `SELECT count(*) FROM (SELECT to_regclass('goose_db_version') AS t) x WHERE t IS NOT NULL`
	}
	n, err := single(ctx, s.q, value[int64], there)
	if err != nil || n == 0 {
		return 0, wrap("find the schema's version", err)
	}
	version, err := single(ctx, s.q, value[int64], `SELECT COALESCE(max(version_id), 0) FROM goose_db_version`)
	return version, wrap("read the schema's version", err)
}

// CheckSchema reports whether a newer program has migrated the database. It returns an error if this program cannot run
// on the database. A newer schema is accepted only if it declares that it supports this program.
func (s *Store) CheckSchema(ctx context.Context) (newer bool, err error) {
	version, err := s.SchemaVersion(ctx)
	if err != nil || version <= NewestSchema() {
		return false, err
	}
	floor := ""
	list, err := collect(ctx, s.q, value[string], `SELECT value FROM settings WHERE name = '`+floorSetting+`'`)
	if err != nil {
		return true, wrap("read the oldest compatible program", err)
	}
	if len(list) == 1 {
		floor = list[0]
	}
	if n, err := strconv.ParseInt(floor, 10, 64); err == nil && n <= NewestSchema() {
		return true, nil
	}
	return true, NewerSchema(version)
}

// NewerSchema returns the fault for a database or backup that requires a newer program.
func NewerSchema(version int64) error {
	return fault.Newf(fault.Conflict, "newer_schema",
		"The database has schema %d; this version of Lectern supports up to %d.", version, NewestSchema()).
		WithHint("Run the newer version of Lectern that created it, or restore a backup from this version.")
}

// noteOldestProgram stores oldestProgram. Only a program that knows the newest schema may do so.
func (s *Store) noteOldestProgram(ctx context.Context) error {
	return s.Tx(ctx, func(t *Tx) error { return t.raiseOldestProgram(ctx, oldestProgram) })
}

// choreProgram is the first schema version whose programs no longer need River's tables.
const choreProgram = 28

// RequireOwnQueue keeps older programs that use River out of a database without River's tables, because such a program
// could not queue anything. It is a step of Migrate.
func (s *Store) RequireOwnQueue(ctx context.Context) error {
	there := `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'river_job'`
	if s.pg != nil {
		there = `SELECT count(*) FROM (SELECT to_regclass('river_job') AS t) x WHERE t IS NOT NULL`
	}
	n, err := single(ctx, s.q, value[int64], there)
	if err != nil || n > 0 {
		return wrap("find tables of an earlier queue", err)
	}
	return s.Tx(ctx, func(t *Tx) error { return t.raiseOldestProgram(ctx, choreProgram) })
}

// raiseOldestProgram locks out programs that do not know a schema version. It never lowers the stored number, because a
// row may require a newer program than the tables do.
func (t *Tx) raiseOldestProgram(ctx context.Context, schema int64) error {
	held, err := t.ClaimSetting(ctx, floorSetting, strconv.FormatInt(schema, 10))
	if err != nil {
		return err
	}
	if n, err := strconv.ParseInt(held, 10, 64); err == nil && n >= schema {
		return nil
	}
	return t.SetSetting(ctx, floorSetting, strconv.FormatInt(schema, 10))
}

// Snapshot writes a consistent copy of an embedded database to a new file while others read and write the database. The
// copy contains nothing that identifies the day's readers, because backups are kept for longer.
func (s *Store) Snapshot(ctx context.Context, file string) error {
	if s.lite == nil {
		return fmt.Errorf("copy database: %w", errNotEmbedded)
	}
	conn, err := s.lite.write.Conn(ctx)
	if err != nil {
		return fmt.Errorf("copy database: %w", err)
	}
	defer func() { _ = conn.Close() }()
	// VACUUM INTO takes only a read lock, so writers are not blocked
	if _, err := conn.ExecContext(ctx, `VACUUM INTO $1`, file); err != nil {
		return fmt.Errorf("copy database: %w", err)
	}
	return forgetReaders(ctx, file)
}

var errNotEmbedded = errors.New("not an embedded database")
