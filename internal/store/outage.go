package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// mark marks errors from an unreachable, full or damaged database as fault.ErrUnavailable, so that callers respond with
// 503 and retry tasks.
func mark(err error) error {
	switch {
	case err == nil || errors.Is(err, fault.ErrUnavailable):
		return err
	case full(err):
		return fmt.Errorf("%w: %w", fault.ErrStorageFull, err)
	case sqliteDamaged(err):
		return fmt.Errorf("%w: %w", fault.ErrDatabaseDamaged, err)
	case unavailable(err):
		return fmt.Errorf("%w: %w", fault.ErrUnavailable, err)
	}
	return err
}

// Mark does the same as mark. It is for errors in other packages that use the store's connections, such as the queue.
func Mark(err error) error { return mark(err) }

// full reports whether err means that the database's disk is full.
func full(err error) bool { return sqliteFull(err) || pgCode(err) == pgDiskFull }

// unavailable reports whether err is about the connection to the database, or about a database that is starting,
// stopping or full. If the caller canceled the request, the error says nothing about the database.
func unavailable(err error) bool {
	if errors.Is(err, context.Canceled) {
		return false
	}
	if code := pgCode(err); code != "" {
		return strings.HasPrefix(code, "08") || code == pgTooManyConnections || strings.HasPrefix(code, pgOperatorStops)
	}
	var connect *pgconn.ConnectError
	var network net.Error
	return errors.As(err, &connect) || errors.As(err, &network) || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) || sqliteUnavailable(err)
}

const (
	pgTooManyConnections = "53300"
	pgDiskFull           = "53100"
	pgOperatorStops      = "57P" // 01 is shutting down, 02 has crashed, 03 is not yet up
)
