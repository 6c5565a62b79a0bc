package store

import (
	"context"
	"fmt"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/export"
)

// Waiting is a summary of the queue for operators.
type Waiting struct {
	Queued, Running int
	Lapsed          int           // running, but the lease has expired
	Postponed       int           // queued, but delayed because part of the server was unavailable
	Oldest          time.Duration // how long the oldest task that may run now has been waiting; 0 if no task is waiting
}

// Waiting returns a summary of the queue.
func (r reads) Waiting(ctx context.Context) (Waiting, error) {
	now := micros(r.now())
	w, err := single(ctx, r.q, func(s scanner) (Waiting, error) {
		var queued, running, lapsed, postponed, since int64
		err := s.Scan(&queued, &running, &lapsed, &postponed, &since)
		w := Waiting{Queued: int(queued), Running: int(running), Lapsed: int(lapsed), Postponed: int(postponed)}
		if queued > postponed && since < now {
			w.Oldest = time.Duration(now-since) * time.Microsecond
		}
		return w, err
	},
		`SELECT COALESCE(sum(CASE WHEN state = 'queued' THEN 1 ELSE 0 END), 0), `+
			`COALESCE(sum(CASE WHEN state = 'running' THEN 1 ELSE 0 END), 0),
			COALESCE(sum(CASE WHEN state = 'running' AND lease_until < $1 THEN 1 ELSE 0 END), 0), 
			COALESCE(sum(CASE WHEN state = 'queued' AND NOT `+due("$1")+` THEN 1 ELSE 0 END), 0),
			COALESCE(min(CASE WHEN state = 'queued' AND `+due("$1")+` THEN CASE WHEN not_before > created_at AND not_before <= $1 THEN not_before ELSE created_at END END), 0)
		FROM tasks WHERE state IN ('queued', 'running')`, now)
	return w, wrap("read the queue", err)
}

// Stored lists the blobs that rows refer to. Blobs that only a manifest refers to are not included.
type Stored struct {
	Manifests []string // manifests of deployments
	Others    []string // kept sources and bundles
}

// ListStored returns the blobs that the database refers to. It supports every schema version since the first.
func (s *Store) ListStored(ctx context.Context) (Stored, error) {
	var out Stored
	version, err := s.SchemaVersion(ctx)
	if err != nil || version == 0 {
		return out, err
	}
	if out.Manifests, err = collect(ctx, s.q, value[string],
		`SELECT DISTINCT manifest_key FROM deployments WHERE manifest_key <> ''`); err != nil {
		return out, wrap("list manifests", err)
	}
	if out.Others, err = collect(ctx, s.q, value[string],
		`SELECT DISTINCT snapshot_key FROM deployments WHERE snapshot_key <> ''`); err != nil {
		return out, wrap("list kept sources", err)
	}
	offered := `SELECT e.bundles` + kept
	if version < 3 { // bundles could not expire before schema 3
		offered = `SELECT bundles FROM static_exports WHERE status = 'completed'`
	}
	list, err := collect(ctx, s.q, value[string], offered)
	if err != nil {
		return out, wrap("list bundles", err)
	}
	for _, text := range list {
		bundles, err := fromJSON[[]export.Bundle](text)
		if err != nil {
			return out, err
		}
		for _, b := range bundles {
			out.Others = append(out.Others, b.Key)
		}
	}
	return out, nil
}

// Server describes the database, such as "PostgreSQL 17.2", and returns how far its clock is ahead of this
// machine's.
func (s *Store) Server(ctx context.Context) (version string, ahead time.Duration, err error) {
	if s.pg == nil {
		version, err = single(ctx, s.q, value[string], `SELECT sqlite_version()`)
		return "SQLite " + version, 0, wrap("read the server's version", err)
	}
	if version, err = single(ctx, s.q, value[string], `SELECT current_setting('server_version')`); err != nil {
		return "", 0, wrap("read the server's version", err)
	}
	if err := s.FollowClock(ctx); err != nil {
		return "", 0, err
	}
	return "PostgreSQL " + version, time.Duration(s.ahead.Load()) * time.Microsecond, nil
}

// Sound checks an embedded database for damage.
func (s *Store) Sound(ctx context.Context) error {
	if s.lite == nil {
		return fmt.Errorf("check database: %w", errNotEmbedded)
	}
	found, err := single(ctx, s.q, value[string], `PRAGMA integrity_check(1)`)
	if err != nil {
		return wrap("check database", err)
	}
	if found != "ok" {
		return fmt.Errorf("check database: %s", found)
	}
	return nil
}
