package store

import (
	"context"
	"errors"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

// Record appends an event to its organization's hash chain and queues it for subscribed endpoints, in the same
// transaction as the change that it records (D8).
func (t *Tx) Record(ctx context.Context, e event.Event) error {
	type tip struct {
		seq  int64
		hash string
	}
	last, err := single(ctx, t.q, func(s scanner) (tip, error) {
		var v tip
		err := s.Scan(&v.seq, &v.hash)
		return v, err
	}, `SELECT event_seq, event_hash FROM organizations WHERE id = $1`+t.forUpdate(), e.OrganizationID)
	if errors.Is(err, errNone) {
		return errUnknownOrganization
	}
	if err != nil {
		return wrap("find end of event chain", err)
	}
	e = storable(e)
	e.ID = t.s.ids.New(id.Event)
	e = e.Chain(last.seq+1, last.hash)
	_,
		err = t.q.exec(ctx,
		`INSERT INTO events (id, organization_id, sequence, actor, action, target, request_id, data, at, `+
			`prev_hash, hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		e.ID, e.OrganizationID, e.Sequence, e.Actor, e.Action, e.Target, e.RequestID, asJSON(e.Data), micros(e.At),
		e.PrevHash, e.Hash)
	if err != nil {
		return wrap("store event", err)
	}
	_, err = t.q.exec(ctx, `UPDATE organizations SET event_seq = $2, event_hash = $3 WHERE id = $1`, e.OrganizationID,
		e.Sequence, e.Hash)
	if err != nil {
		return wrap("update end of event chain", err)
	}
	return t.deliver(ctx, e)
}

// storable converts an event to the form in which it is read back, because the event's hash is computed from that form.
// It cleans names that callers have chosen, so that they never make an event invalid.
func storable(e event.Event) event.Event {
	data := map[string]string{}
	for k, v := range e.Data {
		data[cleanText(k)] = cleanText(v)
	}
	e.Actor, e.Action, e.Target, e.RequestID, e.Data = cleanText(e.Actor), cleanText(e.Action), cleanText(e.Target),
		cleanText(e.RequestID), data
	e.At = fromMicros(micros(e.At))
	return e
}

const eventColumns = `id, organization_id, sequence, actor, action, target, request_id, data, at, prev_hash, hash`

func scanEvent(s scanner) (event.Event, error) {
	var e event.Event
	var data string
	var at int64
	if err := s.Scan(&e.ID, &e.OrganizationID, &e.Sequence, &e.Actor, &e.Action, &e.Target, &e.RequestID, &data, &at,
		&e.PrevHash, &e.Hash); err != nil {
		return e, err
	}
	e.At = fromMicros(at)
	var err error
	e.Data, err = fromJSON[map[string]string](data)
	return e, err
}

// ListEvents returns an organization's events whose sequence number is greater than after, oldest first.
func (r reads) ListEvents(ctx context.Context, organizationID string, after int64, limit int) ([]event.Event, error) {
	list, err := collect(ctx, r.q, scanEvent,
		`SELECT `+eventColumns+` FROM events WHERE organization_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3`,
		organizationID, after, limit)
	return list, wrap("list events", err)
}

// EventFilter selects events. A field that is zero matches all events.
type EventFilter struct {
	Actor  string
	Action string // noun.verb, or only a noun to match all of its verbs
	Target string
	Since  time.Time // at or after
	Until  time.Time // before
}

// FindEvents returns an organization's events that match a filter and have a sequence number lower than below, newest
// first. If below is 0, it starts at the newest event.
func (r reads) FindEvents(ctx context.Context, organizationID string, f EventFilter, below int64,
	limit int) ([]event.Event, error) {
	if below <= 0 {
		below = 1<<62 - 1
	}
	since, until := f.span()
	// Actions for a noun are between "noun." and "noun/", because "/" is the character after ".".
	list, err := collect(ctx, r.q, scanEvent,
		`SELECT `+eventColumns+` FROM events WHERE organization_id = $1 AND sequence < $2 AND ($3 = '' OR actor = $3)
		AND ($4 = '' OR action = $4 OR action > $5 AND action < $6) AND ($7 = '' OR target = $7) AND at >= $8 `+
			`AND at < $9 ORDER BY sequence DESC LIMIT $10`,
		organizationID, below, f.Actor, f.Action, f.Action+".", f.Action+"/", f.Target, since, until, limit)
	return list, wrap("find events", err)
}

// EndOfEvents returns the sequence number and hash of an organization's newest event. Both are stored with the
// organization, so they reveal whether events were removed from the end of the chain (D8).
func (r reads) EndOfEvents(ctx context.Context, organizationID string) (sequence int64, hash string, err error) {
	type tip struct {
		sequence int64
		hash     string
	}
	end, err := single(ctx, r.q, func(s scanner) (tip, error) {
		var v tip
		err := s.Scan(&v.sequence, &v.hash)
		return v, err
	}, `SELECT event_seq, event_hash FROM organizations WHERE id = $1`, organizationID)
	if errors.Is(err, errNone) {
		return 0, "", errUnknownOrganization
	}
	return end.sequence, end.hash, wrap("find end of event chain", err)
}
