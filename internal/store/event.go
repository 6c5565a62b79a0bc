package store

import (
	"context"
	"errors"

	"github.com/lectern-docs/lectern/internal/event"
	"github.com/lectern-docs/lectern/internal/id"
)

// Record appends an event to its organization's chain, in the transaction of the change it tells about (D8).
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
	_, err = t.q.exec(ctx, `INSERT INTO events (id, organization_id, sequence, actor, action, target, request_id, data, at, prev_hash, hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		e.ID, e.OrganizationID, e.Sequence, e.Actor, e.Action, e.Target, e.RequestID, asJSON(e.Data), micros(e.At), e.PrevHash, e.Hash)
	if err != nil {
		return wrap("store event", err)
	}
	_, err = t.q.exec(ctx, `UPDATE organizations SET event_seq = $2, event_hash = $3 WHERE id = $1`, e.OrganizationID, e.Sequence, e.Hash)
	return wrap("move end of event chain", err)
}

// storable brings an event to the form it is read back in; its hash must be made of that. An event is
// never refused for what a caller put into a name.
func storable(e event.Event) event.Event {
	data := map[string]string{}
	for k, v := range e.Data {
		data[cleanText(k)] = cleanText(v)
	}
	e.Actor, e.Action, e.Target, e.RequestID, e.Data = cleanText(e.Actor), cleanText(e.Action), cleanText(e.Target), cleanText(e.RequestID), data
	e.At = fromMicros(micros(e.At))
	return e
}

// ListEvents returns an organization's events after a sequence number, oldest first.
func (r reads) ListEvents(ctx context.Context, organizationID string, after int64, limit int) ([]event.Event, error) {
	list, err := collect(ctx, r.q, func(s scanner) (event.Event, error) {
		var e event.Event
		var data string
		var at int64
		if err := s.Scan(&e.ID, &e.OrganizationID, &e.Sequence, &e.Actor, &e.Action, &e.Target, &e.RequestID, &data, &at, &e.PrevHash, &e.Hash); err != nil {
			return e, err
		}
		e.At = fromMicros(at)
		var err error
		e.Data, err = fromJSON[map[string]string](data)
		return e, err
	}, `SELECT id, organization_id, sequence, actor, action, target, request_id, data, at, prev_hash, hash FROM events WHERE organization_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3`, organizationID, after, limit)
	return list, wrap("list events", err)
}
