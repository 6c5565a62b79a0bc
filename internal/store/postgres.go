package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

func openPostgres(ctx context.Context, url string) (*pgxpool.Pool, error) {
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("read database URL: %w", redact(err))
	}
	cfg.ConnConfig.RuntimeParams["application_name"] = "lectern"
	// A process that freezes inside a transaction keeps its row locks, and with them its task. The server ends such a
	// transaction, so that the task can go to another worker (J3). Ours never pause between two statements. It is a
	// statement and not a start-up parameter, because connection poolers refuse parameters they do not know.
	cfg.AfterConnect = func(ctx context.Context, c *pgx.Conn) error {
		_, err := c.Exec(ctx, `SET idle_in_transaction_session_timeout = '5s'`)
		return err
	}
	// A server that does not answer must not keep callers for as long as TCP would.
	if cfg.ConnConfig.ConnectTimeout == 0 {
		cfg.ConnConfig.ConnectTimeout = 5 * time.Second
	}
	cfg.MaxConns = poolSize(url, cfg.MaxConns)
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("connect to database: %w", err)
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("connect to database: %w", err)
	}
	return pool, nil
}

// Connections of one process. The library would take one for each processor, which on large machines makes a handful of
// processes more than PostgreSQL lets in (max_connections, 100 by default), and on small ones too few for a server's
// requests.
const (
	connections      = 16
	fewestConnection = 4 // the queue listens on one, a task takes two at times
)

// poolSize returns how many connections a process opens at most: what the URL says with pool_max_conns, which the
// library has read, or ours.
func poolSize(url string, read int32) int32 {
	if !strings.Contains(url, "pool_max_conns=") {
		return connections
	}
	return max(read, fewestConnection)
}

// redact drops a parse error's text: it repeats the URL, and with it the password.
func redact(err error) error {
	var parse *pgconn.ParseConfigError
	if errors.As(err, &parse) {
		return errors.New("not a PostgreSQL URL (postgres://user:password@host:5432/name)")
	}
	return err
}

// pgxRunner is what a pool and a transaction have in common.
type pgxRunner interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// pgQuerier runs statements on PostgreSQL; pgx prepares each text once per connection by itself.
type pgQuerier struct{ run pgxRunner }

func (q pgQuerier) exec(ctx context.Context, text string, args ...any) (int64, error) {
	if err := checkText(args); err != nil {
		return 0, err
	}
	tag, err := q.run.Exec(ctx, text, args...)
	return tag.RowsAffected(), err
}

func (q pgQuerier) query(ctx context.Context, text string, args ...any) (rows, error) {
	if err := checkText(args); err != nil {
		return nil, err
	}
	return q.run.Query(ctx, text, args...)
}

// Codes from PostgreSQL's list of error codes.
const (
	pgUniqueViolation      = "23505"
	pgSerializationFailure = "40001"
	pgDeadlock             = "40P01"
)

func pgCode(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}
