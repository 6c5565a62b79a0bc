package siteaccess

import (
	"context"
	"sync"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

// Memory stores one site's sessions and counts in a process without a database. They are lost when the process ends.
// It is safe for concurrent use.
type Memory struct {
	settings access.Settings
	now      func() time.Time
	limits   account.SessionLimits

	mu       sync.Mutex
	sessions map[string]access.Session // guarded by mu; by hash
	counts   map[[2]string]counted     // guarded by mu; by kind and key
}

// counted is a count that restarts at until.
type counted struct {
	n     int
	until time.Time
}

// Limits on the number of entries. When they are reached, expired entries are removed first.
const (
	maxSessions = 100_000
	maxCounts   = 100_000
)

// NewMemory returns a Memory for a site with fixed settings.
func NewMemory(settings access.Settings, limits account.SessionLimits, now func() time.Time) *Memory {
	return &Memory{settings: settings, now: now, limits: limits, sessions: map[string]access.Session{},
		counts: map[[2]string]counted{}}
}

// FindReaderAccess implements Store.
func (m *Memory) FindReaderAccess(context.Context, string) (access.Settings, error) {
	return m.settings, nil
}

// FindReaderSession implements Store.
func (m *Memory) FindReaderSession(_ context.Context, hash, projectID, host string) (access.Session, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	found, ok := m.sessions[hash]
	if !ok || found.ProjectID != projectID || found.Host != host {
		return access.Session{}, fault.New(fault.NotFound, "unknown_session", "Session not found.")
	}
	return found, nil
}

// TouchReaderSession implements Store.
func (m *Memory) TouchReaderSession(_ context.Context, hash string, at time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if found, ok := m.sessions[hash]; ok && found.SeenAt.Before(at) {
		found.SeenAt = at
		m.sessions[hash] = found
	}
	return nil
}

// OpenReaderSession implements Store.
func (m *Memory) OpenReaderSession(_ context.Context, in access.Session, old string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	m.end(old, in.ProjectID, in.Host)
	if len(m.sessions) >= maxSessions {
		for hash, s := range m.sessions {
			if !s.Live(now, m.limits) {
				delete(m.sessions, hash)
			}
		}
	}
	if len(m.sessions) >= maxSessions {
		return fault.New(fault.Unavailable, "too_many_sessions", "Too many readers are signed in at the moment.").
			WithHint("Try again later.")
	}
	in.CreatedAt, in.SeenAt = now, now
	m.sessions[in.Hash] = in
	return nil
}

// EndReaderSession implements Store.
func (m *Memory) EndReaderSession(_ context.Context, hash, projectID, host string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.end(hash, projectID, host)
	return nil
}

func (m *Memory) end(hash, projectID, host string) {
	if found, ok := m.sessions[hash]; ok && found.ProjectID == projectID && found.Host == host {
		delete(m.sessions, hash)
	}
}

// CountUp implements attempts.Counts.
func (m *Memory) CountUp(_ context.Context, kind, key string, n int, window time.Duration) (store.Count, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now, at := m.now(), [2]string{kind, key}
	c, known := m.counts[at]
	if !known && len(m.counts) >= maxCounts {
		for k, c := range m.counts {
			if !now.Before(c.until) {
				delete(m.counts, k)
			}
		}
		if len(m.counts) >= maxCounts {
			return store.Count{}, fault.New(fault.Unavailable, "busy", "Too many people are signing in at the moment.").
				WithHint("Try again later.")
		}
	}
	if !now.Before(c.until) {
		c = counted{until: now.Add(window)}
	}
	c.n += n
	m.counts[at] = c
	return store.Count{N: c.n, Left: c.until.Sub(now)}, nil
}

// FindCount implements attempts.Counts.
func (m *Memory) FindCount(_ context.Context, kind, key string) (store.Count, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	if c := m.counts[[2]string{kind, key}]; now.Before(c.until) {
		return store.Count{N: c.n, Left: c.until.Sub(now)}, nil
	}
	return store.Count{}, nil
}

// CountDown implements attempts.Counts.
func (m *Memory) CountDown(_ context.Context, kind, key string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c, ok := m.counts[[2]string{kind, key}]; ok && c.n > 0 {
		c.n--
		m.counts[[2]string{kind, key}] = c
	}
	return nil
}

// CountAnew implements attempts.Counts.
func (m *Memory) CountAnew(_ context.Context, kind, key string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.counts, [2]string{kind, key})
	return nil
}
