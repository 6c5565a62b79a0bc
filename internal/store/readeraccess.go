package store

import (
	"context"
	"errors"

	"github.com/lectern-docs/lectern/internal/domain/access"
)

// accessProgram is the schema that a program must know to serve a database with protected sites: an older one would
// serve them to everybody.
const accessProgram = 21

func scanReaderAccess(s scanner) (access.Settings, error) {
	var a access.Settings
	var updated int64
	err := s.Scan(&a.ProjectID, &a.Mode, &a.PasswordHash, &a.Version, &updated)
	a.UpdatedAt = fromMicros(updated)
	return a, err
}

// FindReaderAccess returns who may read a project's site: everybody if nobody changed it.
func (r reads) FindReaderAccess(ctx context.Context, projectID string) (access.Settings, error) {
	a, err := single(ctx, r.q, scanReaderAccess,
		`SELECT project_id, mode, password_hash, version, updated_at FROM reader_access WHERE project_id = $1`,
		projectID)
	if errors.Is(err, errNone) {
		return access.Settings{ProjectID: projectID, Mode: access.Public}, nil
	}
	return a, wrap("find reader access", err)
}

// SetReaderAccess stores who may read a project's site and ends all sessions of its readers. The version is set here.
func (t *Tx) SetReaderAccess(ctx context.Context, a access.Settings) (access.Settings, error) {
	a.UpdatedAt = t.now()
	version, err := single(ctx, t.q, value[int64],
		`INSERT INTO reader_access (project_id, mode, password_hash, settings, sealed, version, updated_at)
		VALUES ($1, $2, $3, '{}', '', 1, $4)
		ON CONFLICT (project_id) DO UPDATE SET mode = excluded.mode, password_hash = excluded.password_hash,
			settings = excluded.settings, sealed = excluded.sealed, version = reader_access.version + 1,
			updated_at = excluded.updated_at
		RETURNING version`, a.ProjectID, string(a.Mode), a.PasswordHash, micros(a.UpdatedAt))
	if err != nil {
		return a, wrap("store reader access", err)
	}
	a.Version = version
	if a.Protected() {
		if err := t.raiseOldestProgram(ctx, accessProgram); err != nil {
			return a, err
		}
	}
	_, err = t.dropReaderSessions(ctx, a.ProjectID)
	return a, err
}

// EndReaderSessions ends all sessions of a project's readers, also one that is just being opened, and returns how many
// there were.
func (t *Tx) EndReaderSessions(ctx context.Context, projectID string) (int64, error) {
	if _, err := t.q.exec(ctx, `UPDATE reader_access SET version = version + 1 WHERE project_id = $1`,
		projectID); err != nil {
		return 0, wrap("end reader sessions", err)
	}
	return t.dropReaderSessions(ctx, projectID)
}

func (t *Tx) dropReaderSessions(ctx context.Context, projectID string) (int64, error) {
	n, err := t.q.exec(ctx, `DELETE FROM reader_sessions WHERE project_id = $1`, projectID)
	return n, wrap("end reader sessions", err)
}
