package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// CreateReaderSession stores a session that starts now. It ends other sessions of the same reader and of the same site
// that exceed the limits in most.
func (t *Tx) CreateReaderSession(ctx context.Context, s access.Session, most access.SessionCap) (access.Session, error) {
	s.CreatedAt = t.now()
	s.SeenAt = s.CreatedAt
	_, err := t.q.exec(ctx, `INSERT INTO reader_sessions (hash, project_id, host, version, method, subject,
		reader_groups, member_session, created_at, seen_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		s.Hash, s.ProjectID, s.Host, s.Version, string(s.Method), cleanText(s.Subject), asJSON(s.Groups), s.MemberSession,
		micros(s.CreatedAt), micros(s.SeenAt))
	if err == nil && s.Subject != "" {
		err = t.capReaderSessions(ctx, `project_id = $2 AND subject = $3 AND method = $4`, most.Reader,
			s.Hash, s.ProjectID, cleanText(s.Subject), string(s.Method))
	}
	if err == nil {
		err = t.capReaderSessions(ctx, `project_id = $2`, most.Site, s.Hash, s.ProjectID)
	}
	return s, wrap("store reader session", err)
}

// capReaderSessions ends sessions that exceed a limit, the least recently used first. It never ends the newest session,
// whose hash is $1.
func (t *Tx) capReaderSessions(ctx context.Context, where string, most int64, args ...any) error {
	others := `FROM reader_sessions WHERE hash <> $1 AND ` + where
	n, err := single(ctx, t.q, value[int64], `SELECT count(*) `+others, args...)
	if err != nil || n < most {
		return err
	}
	_, err = t.q.exec(ctx, fmt.Sprintf(`DELETE FROM reader_sessions WHERE hash IN (SELECT hash %s
		ORDER BY seen_at, created_at, hash LIMIT %d)`, others, n+1-most), args...)
	return err
}

// FindReaderSession returns the session with the given token hash, if it was opened on this host of the project and
// under the project's current settings. A member's session is valid only while the member may see the project and the
// dashboard session that it was derived from still exists. The caller checks whether either session has expired.
func (r reads) FindReaderSession(ctx context.Context, hash, projectID, host string) (access.Session, error) {
	found, err := single(ctx, r.q, func(s scanner) (out access.Session, err error) {
		var groups string
		var created, seen int64
		var memberCreated, memberSeen *int64
		if err := s.Scan(&out.Hash, &out.ProjectID, &out.Host, &out.Version, &out.Method, &out.Subject, &groups,
			&out.MemberSession, &created, &seen, &memberCreated, &memberSeen); err != nil {
			return out, err
		}
		out.CreatedAt, out.SeenAt = fromMicros(created), fromMicros(seen)
		if memberCreated != nil && memberSeen != nil {
			out.Member = &account.Session{CreatedAt: fromMicros(*memberCreated), SeenAt: fromMicros(*memberSeen)}
		}
		out.Groups, err = fromJSON[[]string](groups)
		return out, err
	}, `SELECT s.hash, s.project_id, s.host, s.version, s.method, s.subject, s.reader_groups, s.member_session,
			s.created_at, s.seen_at, d.created_at, d.seen_at
		FROM reader_sessions s JOIN reader_access a ON a.project_id = s.project_id
		LEFT JOIN sessions d ON d.id = s.member_session AND d.person_id = s.subject
		WHERE s.hash = $1 AND s.project_id = $2 AND s.host = $3 AND a.version = s.version
		AND (s.method <> 'organization' OR EXISTS (SELECT 1 FROM people pe
			JOIN members m ON m.email = pe.email JOIN projects p ON p.organization_id = m.organization_id
			WHERE pe.id = d.person_id AND p.id = s.project_id AND `+inProject+`))`,
		hash, projectID, host)
	if errors.Is(err, errNone) {
		return found, fault.New(fault.NotFound, "unknown_session", "Session not found.")
	}
	return found, wrap("find reader session", err)
}

// TouchReaderSession records when a session was last used. Callers limit this to about once a minute.
func (s *Store) TouchReaderSession(ctx context.Context, hash string, at time.Time) error {
	return s.Tx(ctx, func(t *Tx) error {
		_, err := t.q.exec(ctx, `UPDATE reader_sessions SET seen_at = $2 WHERE hash = $1 AND seen_at < $2`, hash,
			micros(at))
		return wrap("record use of reader session", err)
	})
}

// OpenReaderSession stores a session that starts now and ends the session with the hash old, if there is one.
func (s *Store) OpenReaderSession(ctx context.Context, in access.Session, old string) error {
	return s.Tx(ctx, func(t *Tx) error {
		if old != "" {
			if err := t.EndReaderSession(ctx, old, in.ProjectID, in.Host); err != nil {
				return err
			}
		}
		_, err := t.CreateReaderSession(ctx, in, access.DefaultSessionCap())
		return err
	})
}

// EndReaderSession ends a session on a project's host. It is not an error if the session has already ended.
func (s *Store) EndReaderSession(ctx context.Context, hash, projectID, host string) error {
	return s.Tx(ctx, func(t *Tx) error { return t.EndReaderSession(ctx, hash, projectID, host) })
}

// EndReaderSession ends a session on a project's host. It is not an error if the session has already ended.
func (t *Tx) EndReaderSession(ctx context.Context, hash, projectID, host string) error {
	_, err := t.q.exec(ctx, `DELETE FROM reader_sessions WHERE hash = $1 AND project_id = $2 AND host = $3`, hash,
		projectID, host)
	return wrap("end reader session", err)
}

// CountReaderSessions returns the number of stored sessions of a project's readers, including expired ones.
func (r reads) CountReaderSessions(ctx context.Context, projectID string) (int64, error) {
	n, err := single(ctx, r.q, value[int64], `SELECT count(*) FROM reader_sessions WHERE project_id = $1`, projectID)
	return n, wrap("count reader sessions", err)
}

// PruneReaderSessions deletes expired sessions.
func (s *Store) PruneReaderSessions(ctx context.Context, l account.SessionLimits) error {
	return s.Tx(ctx, func(t *Tx) error {
		now := t.now()
		_, err := t.q.exec(ctx, `DELETE FROM reader_sessions WHERE created_at <= $1 OR seen_at <= $2`,
			micros(now.Add(-l.Absolute)), micros(now.Add(-l.Idle)))
		return wrap("prune reader sessions", err)
	})
}
