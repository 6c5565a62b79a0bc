package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"modernc.org/sqlite" // the SQLite driver: pure Go, so the binary needs no C library
	sqlitelib "modernc.org/sqlite/lib"

	"github.com/lectern-docs/lectern/internal/foundation/durable"
)

// sqlitePools holds one connection for writes and several connections for reads, all for the same file. SQLite allows
// only one writer at a time anyway. Waiting for the connection in this process is fair and quick, whereas SQLite polls.
type sqlitePools struct {
	write *sql.DB
	read  *sql.DB
	alone bool // the file is locked for this process, because the disk was too full for the shared index of the log
}

const sqliteReaders = 8

// withoutIndexFile is the name of the SQLite VFS that keeps the index of the write-ahead log in memory. While it is
// used, no other process can use the file.
const withoutIndexFile = "unix-excl"

// openSQLite opens the file. Processes share an index of the write-ahead log. On a full disk, this index cannot be
// created. In that case, this process locks the file, so that the data can still be read.
func openSQLite(ctx context.Context, file string) (*sqlitePools, error) {
	p, err := openSQLiteBy(ctx, file, "")
	if !sqliteFull(err) {
		return p, mark(err)
	}
	if p, err = openSQLiteBy(ctx, file, withoutIndexFile); err == nil {
		p.alone = true
	}
	return p, mark(err)
}

func openSQLiteBy(ctx context.Context, file, vfs string) (*sqlitePools, error) {
	dsn := func(extra ...string) string {
		v := url.Values{"_pragma": append([]string{"busy_timeout(10000)", "foreign_keys(1)", "journal_mode(WAL)",
			"synchronous(FULL)"}, extra...)}
		v.Set("_txlock", "immediate")
		if vfs != "" {
			v.Set("vfs", vfs)
		}
		return "file:" + (&url.URL{Path: file}).EscapedPath() + "?" + v.Encode()
	}
	// The file is created here so that only its owner can read it. SQLite gives its other files the same mode.
	if err := makeFile(file); err != nil {
		return nil, fmt.Errorf("create database file: %w", err)
	}
	w, err := openPool(dsn())
	if err != nil {
		return nil, err
	}
	w.SetMaxOpenConns(1)
	if err := w.PingContext(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open database: %w", err), w.Close())
	}
	r, err := openPool(dsn("query_only(1)"))
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	r.SetMaxOpenConns(sqliteReaders)
	r.SetMaxIdleConns(sqliteReaders)
	return &sqlitePools{write: w, read: r}, nil
}

func openPool(dsn string) (*sql.DB, error) {
	c, err := sqlite.NewConnector(dsn)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	return sql.OpenDB(preparingConnector{c}), nil
}

// makeFile creates an empty file if the file does not exist, and syncs its directory entry. SQLite does that only for
// its other files.
func makeFile(name string) error {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrExist) {
		f, err = os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		return f.Close()
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), durable.Sync(filepath.Dir(name)))
}

func (p *sqlitePools) close() error { return errors.Join(p.read.Close(), p.write.Close()) }

// sqliteQuerier runs statements in a transaction, or on any connection of a pool.
type sqliteQuerier struct {
	db interface {
		ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error)
		QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error)
	}
}

func (q sqliteQuerier) exec(ctx context.Context, text string, args ...any) (int64, error) {
	if err := checkText(args); err != nil {
		return 0, err
	}
	res, err := q.db.ExecContext(ctx, text, args...)
	if err != nil {
		return 0, mark(err)
	}
	return res.RowsAffected()
}

func (q sqliteQuerier) query(ctx context.Context, text string, args ...any) (rows, error) {
	if err := checkText(args); err != nil {
		return nil, err
	}
	rs, err := q.db.QueryContext(ctx, text, args...)
	return sqlRows{rs}, mark(err)
}

// sqlRows drops the error that Close returns, because database/sql also reports it through Err.
type sqlRows struct{ *sql.Rows }

func (r sqlRows) Close() { _ = r.Rows.Close() }

// Err returns the error that ended the iteration, if any.
func (r sqlRows) Err() error { return mark(r.Rows.Err()) }

// sqliteCode returns the extended and the primary code of an SQLite error, or 0 for any other error.
func sqliteCode(err error) (detailed, plain int) {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0, 0
	}
	return e.Code(), e.Code() & 0xff
}

// sqliteBusy reports whether a statement failed because another process holds the write lock.
func sqliteBusy(err error) bool {
	_, code := sqliteCode(err)
	return code == sqlitelib.SQLITE_BUSY || code == sqlitelib.SQLITE_LOCKED
}

// sqliteFull reports whether the disk was too full for a change, or for the index that processes share.
func sqliteFull(err error) bool {
	detailed, code := sqliteCode(err)
	return code == sqlitelib.SQLITE_FULL || detailed == sqlitelib.SQLITE_IOERR_SHMSIZE
}

// sqliteDamaged reports whether the file is not a valid database.
func sqliteDamaged(err error) bool {
	_, code := sqliteCode(err)
	return code == sqlitelib.SQLITE_CORRUPT || code == sqlitelib.SQLITE_NOTADB
}

// sqliteUnavailable reports whether the file cannot be used at the moment: another process holds a lock on it, it could
// not be opened (for example because there were no file descriptors left), or the disk failed or became read-only.
func sqliteUnavailable(err error) bool {
	_, code := sqliteCode(err)
	return sqliteBusy(err) || code == sqlitelib.SQLITE_CANTOPEN || code == sqlitelib.SQLITE_IOERR ||
		code == sqlitelib.SQLITE_READONLY
}

func sqliteUnique(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) &&
		(e.Code() == sqlitelib.SQLITE_CONSTRAINT_UNIQUE || e.Code() == sqlitelib.SQLITE_CONSTRAINT_PRIMARYKEY)
}
