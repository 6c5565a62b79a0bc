package store

import (
	"context"
	"errors"

	"github.com/lectern-docs/lectern/internal/domain/access"
)

// accessProgram is the schema version that a program must know to use a database with protected sites. An older program
// would serve these sites to everyone.
const accessProgram = 21

const readerAccessColumns = `project_id, mode, password_hash, settings, sealed, version, updated_at`

// accessMode is the content of the settings column.
type accessMode struct {
	Providers []access.Provider `json:"providers,omitempty"`
	Handoff   access.Handoff    `json:"handoff,omitzero"`
}

func scanReaderAccess(s scanner) (access.Settings, error) {
	var a access.Settings
	var text string
	var updated int64
	if err := s.Scan(&a.ProjectID, &a.Mode, &a.PasswordHash, &text, &a.Sealed, &a.Version, &updated); err != nil {
		return a, err
	}
	more, err := fromJSON[accessMode](text)
	a.Providers, a.Handoff, a.UpdatedAt = more.Providers, more.Handoff, fromMicros(updated)
	return a, err
}

// FindReaderAccess returns the reader access of a project's site. By default, it is public.
func (r reads) FindReaderAccess(ctx context.Context, projectID string) (access.Settings, error) {
	a, err := single(ctx, r.q, scanReaderAccess,
		`SELECT `+readerAccessColumns+` FROM reader_access WHERE project_id = $1`, projectID)
	if errors.Is(err, errNone) {
		return access.Settings{ProjectID: projectID, Mode: access.Public}, nil
	}
	return a, wrap("find reader access", err)
}

// SetReaderAccess stores the reader access of a project's site and ends all sessions of its readers. It also assigns
// the version of the settings.
func (t *Tx) SetReaderAccess(ctx context.Context, a access.Settings) (access.Settings, error) {
	a.UpdatedAt = t.now()
	version, err := single(ctx, t.q, value[int64],
		`INSERT INTO reader_access (`+readerAccessColumns+`) VALUES ($1, $2, $3, $4, $5, 1, $6)
		ON CONFLICT (project_id) DO UPDATE SET mode = excluded.mode, password_hash = excluded.password_hash,
			settings = excluded.settings, sealed = excluded.sealed, version = reader_access.version + 1,
			updated_at = excluded.updated_at
		RETURNING version`, a.ProjectID, string(a.Mode), a.PasswordHash,
		asJSON(accessMode{a.Providers, a.Handoff}), a.Sealed, micros(a.UpdatedAt))
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

// EndReaderSessions ends all sessions of a project's readers, including sessions that are being opened at the same
// time, and returns their number.
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

// ListSealedReaderAccess returns the reader access settings that contain secrets, for all projects.
func (r reads) ListSealedReaderAccess(ctx context.Context) ([]access.Settings, error) {
	list, err := collect(ctx, r.q, scanReaderAccess,
		`SELECT `+readerAccessColumns+` FROM reader_access WHERE sealed <> '' ORDER BY project_id`)
	return list, wrap("list reader access", err)
}

// ResealReaderAccess stores the secrets after they were encrypted with another master key, unless they have been
// replaced in the meantime.
func (t *Tx) ResealReaderAccess(ctx context.Context, a access.Settings, sealed string) error {
	_, err := t.q.exec(ctx, `UPDATE reader_access SET sealed = $3 WHERE project_id = $1 AND sealed = $2`, a.ProjectID,
		a.Sealed, sealed)
	return wrap("reseal reader access", err)
}
