package store

import (
	"context"
	"errors"
)

// querier runs statements on a pool or in a transaction.
type querier interface {
	exec(ctx context.Context, sql string, args ...any) (rowsChanged int64, err error)
	query(ctx context.Context, sql string, args ...any) (rows, error)
}

// rows is what the query results of both engines have in common. Close may be called twice.
type rows interface {
	Next() bool
	Scan(dest ...any) error
	Err() error
	Close()
}

// scanner is one row of a result.
type scanner interface{ Scan(dest ...any) error }

// errNone is the error that single returns if no row matched. Callers replace it with the not-found fault for their
// type.
var errNone = errors.New("no such row")

// collect reads all rows of a query.
func collect[T any](ctx context.Context, q querier, scan func(scanner) (T, error), sql string, args ...any) ([]T,
	error) {
	rs, err := q.query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	defer rs.Close()
	var out []T
	for rs.Next() {
		v, err := scan(rs)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rs.Err()
}

// single returns the first row of a query, or errNone.
func single[T any](ctx context.Context, q querier, scan func(scanner) (T, error), sql string, args ...any) (T, error) {
	var zero T
	all, err := collect(ctx, q, scan, sql, args...)
	if err != nil {
		return zero, err
	}
	if len(all) == 0 {
		return zero, errNone
	}
	return all[0], nil
}

// value scans one column.
func value[T any](s scanner) (T, error) {
	var v T
	err := s.Scan(&v)
	return v, err
}
