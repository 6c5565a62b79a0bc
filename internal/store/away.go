package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/lectern-docs/lectern/internal/fault"
)

// mark tells those further up that the database was away, not wrong: callers are told to come back, and work is done again.
func mark(err error) error {
	if err == nil || errors.Is(err, fault.ErrUnavailable) || !away(err) {
		return err
	}
	return fmt.Errorf("%w: %w", fault.ErrUnavailable, err)
}

// away reports whether err came from the way to the database or from one that starts, stops or is full. Whoever gave up waiting by
// themselves learned nothing about it.
func away(err error) bool {
	if errors.Is(err, context.Canceled) {
		return false
	}
	if code := pgCode(err); code != "" {
		return strings.HasPrefix(code, "08") || code == pgTooManyConnections || strings.HasPrefix(code, pgOperatorStops)
	}
	var connect *pgconn.ConnectError
	var network net.Error
	return errors.As(err, &connect) || errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) || sqliteBusy(err)
}

const (
	pgTooManyConnections = "53300"
	pgOperatorStops      = "57P" // 01 shut down, 02 crashed, 03 not yet up
)
