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
	// If a process freezes inside a transaction, it keeps its row locks and therefore its task. The server ends such a
	// transaction, so that another worker can take the task (J3). Our own code never pauses between two statements.
	// This is a statement rather than a startup parameter, because connection poolers reject parameters that they do
	// not know.
	cfg.AfterConnect = func(ctx context.Context, c *pgx.Conn) error {
		_, err := c.Exec(ctx, `SET idle_in_transaction_session_timeout = '5s'`)
		return err
	}
	// A server that does not respond must not block callers until TCP gives up.
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

// Connections per process. The library's default is one per processor. With that default, a few processes on large
// machines would exceed PostgreSQL's max_connections (100 by default), and on small machines there would be too few
// connections for a server's requests.
const (
	connections      = 16
	fewestConnection = 4 // the queue listens on one connection, and a task sometimes uses two
)

// poolSize returns the maximum number of connections: the value of pool_max_conns in the URL, which the library has
// parsed into read, or our default.
func poolSize(url string, read int32) int32 {
	if !strings.Contains(url, "pool_max_conns=") {
		return connections
	}
	return max(read, fewestConnection)
}

// redact replaces a parse error, because the text of the error contains the URL with the password.
func redact(err error) error {
	var parse *pgconn.ParseConfigError
	if errors.As(err, &parse) {
		return errors.New("not a PostgreSQL URL (postgres://user:password@host:5432/name)")
	}
	return err
}

// pgxRunner has the methods that pools and transactions share.
type pgxRunner interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// pgQuerier runs statements on PostgreSQL. pgx prepares each text once per connection.
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

// PostgreSQL error codes.
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
