package store

import (
	"context"
	"errors"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

const sessionColumns = `s.id, s.hash, s.person_id, s.organization_id, s.method, s.address, s.agent, s.created_at, s.seen_at`

// sessionRow holds the columns of a session as they are scanned.
type sessionRow struct {
	s             account.Session
	created, seen int64
}

func (r *sessionRow) dest() []any {
	s := &r.s
	return []any{&s.ID, &s.Hash, &s.PersonID, &s.OrganizationID, &s.Method, &s.Address, &s.Agent, &r.created, &r.seen}
}

func (r *sessionRow) session() account.Session {
	r.s.CreatedAt, r.s.SeenAt = fromMicros(r.created), fromMicros(r.seen)
	return r.s
}

// Visitor is a session, together with the person it belongs to.
type Visitor struct {
	Session account.Session
	Person  account.Person
}

// mostSessions limits a person's sessions, so that signing in repeatedly does not fill the table.
const mostSessions = 100

// CreateSession stores a session under a new id. The session starts now. If the person then has more than mostSessions
// sessions, the oldest ones end.
func (t *Tx) CreateSession(ctx context.Context, s account.Session) (account.Session, error) {
	s.ID, s.CreatedAt = t.s.ids.New(id.Session), t.now()
	s.SeenAt, s.Agent = s.CreatedAt, cleanText(s.Agent)
	_,
		err := t.q.exec(ctx,
		`INSERT INTO sessions (id, hash, person_id, organization_id, method, address, agent, created_at, `+
			`seen_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		s.ID, s.Hash, s.PersonID, s.OrganizationID, s.Method, s.Address, s.Agent, micros(s.CreatedAt), micros(s.SeenAt))
	if err != nil {
		return s, wrap("store session", err)
	}
	_, err = t.q.exec(ctx, `DELETE FROM sessions WHERE person_id = $1 AND id NOT IN
		(SELECT id FROM sessions WHERE person_id = $1 ORDER BY created_at DESC, id = $2 DESC, id LIMIT $3)`, s.PersonID,
		s.ID, mostSessions)
	return s, wrap("end oldest sessions", err)
}

// FindVisitor returns the session with the given token hash and the person it belongs to. It uses a single query,
// because every request needs it. The caller checks whether the session is still valid.
func (r reads) FindVisitor(ctx context.Context, hash string) (Visitor, error) {
	v, err := single(ctx, r.q, func(s scanner) (v Visitor, err error) {
		var session sessionRow
		var person personRow
		if err := s.Scan(append(session.dest(), person.dest()...)...); err != nil {
			return v, err
		}
		v.Session = session.session()
		v.Person, err = person.person()
		return v, err
	}, `SELECT `+sessionColumns+`, `+personColumns+
		` FROM sessions s JOIN people p ON p.id = s.person_id WHERE s.hash = $1`, hash)
	if errors.Is(err, errNone) {
		return v, fault.New(fault.NotFound, "unknown_session", "Session not found.")
	}
	return v, wrap("find session", err)
}

// ListSessions returns a person's sessions, most recently used first.
func (r reads) ListSessions(ctx context.Context, personID string) ([]account.Session, error) {
	list, err := collect(ctx, r.q, func(s scanner) (account.Session, error) {
		var row sessionRow
		err := s.Scan(row.dest()...)
		return row.session(), err
	}, `SELECT `+sessionColumns+` FROM sessions s WHERE s.person_id = $1 ORDER BY s.seen_at DESC, s.id`, personID)
	return list, wrap("list sessions", err)
}

// TouchSession records when a session was last used. Callers limit this to about once a minute.
func (s *Store) TouchSession(ctx context.Context, sessionID string, at time.Time) error {
	return s.Tx(ctx, func(t *Tx) error {
		_, err := t.q.exec(ctx, `UPDATE sessions SET seen_at = $2 WHERE id = $1 AND seen_at < $2`, sessionID,
			micros(at))
		return wrap("record use of session", err)
	})
}

// MoveSession switches a session to another organization.
func (t *Tx) MoveSession(ctx context.Context, sessionID, organizationID string) error {
	_, err := t.q.exec(ctx, `UPDATE sessions SET organization_id = $2 WHERE id = $1`, sessionID, organizationID)
	return wrap("move session", err)
}

// EndSession ends one of a person's sessions. It is not an error if the session has already ended.
func (t *Tx) EndSession(ctx context.Context, personID, sessionID string) error {
	_, err := t.q.exec(ctx, `DELETE FROM sessions WHERE person_id = $1 AND id = $2`, personID, sessionID)
	return wrap("end session", err)
}

// EndSessions ends all of a person's sessions.
func (t *Tx) EndSessions(ctx context.Context, personID string) error {
	_, err := t.q.exec(ctx, `DELETE FROM sessions WHERE person_id = $1`, personID)
	return wrap("end sessions", err)
}

// PruneSessions deletes expired sessions.
func (s *Store) PruneSessions(ctx context.Context, l account.SessionLimits) error {
	return s.Tx(ctx, func(t *Tx) error {
		now := t.now()
		_, err := t.q.exec(ctx, `DELETE FROM sessions WHERE created_at <= $1 OR seen_at <= $2`,
			micros(now.Add(-l.Absolute)), micros(now.Add(-l.Idle)))
		return wrap("prune sessions", err)
	})
}
