package store

import (
	"context"
	"errors"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/endpoint"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

const deliveryColumns = `d.id, d.organization_id, d.endpoint_id, d.event_id, d.type, d.state, d.attempts, d.round, d.error, ` +
	`d.next_at, d.created_at, d.ended_at, d.recipient`

func scanDelivery(s scanner) (endpoint.Delivery, error) {
	var d endpoint.Delivery
	var attempts, round, created int64
	var next, ended *int64
	err := s.Scan(&d.ID, &d.OrganizationID, &d.EndpointID, &d.EventID, &d.Type, &d.State, &attempts, &round, &d.Error, &next,
		&created, &ended, &d.Recipient)
	d.Attempts, d.Earlier, d.NextAt = int(attempts), int(round), fromMicrosOrNull(next)
	d.CreatedAt, d.EndedAt = fromMicros(created), fromMicrosOrNull(ended)
	return d, err
}

// QueueDeliveries stores a delivery and a task for each of an endpoint's receivers.
func (t *Tx) QueueDeliveries(ctx context.Context, e endpoint.Endpoint, v event.Event) (out []endpoint.Delivery, err error) {
	for _, to := range e.Receivers() {
		d, err := t.queueDelivery(ctx, e, v, to)
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}

func (t *Tx) queueDelivery(ctx context.Context, e endpoint.Endpoint, v event.Event, to string) (endpoint.Delivery, error) {
	d := endpoint.Delivery{ID: t.s.ids.New(id.Delivery), OrganizationID: e.OrganizationID, EndpointID: e.ID, Recipient: to,
		EventID: v.ID, Type: v.Action, State: endpoint.Queued, CreatedAt: fromMicros(micros(t.now()))}
	_, err := t.q.exec(ctx, `INSERT INTO webhook_deliveries (id, organization_id, endpoint_id, event_id, type, state, created_at,
		recipient) VALUES ($1, $2, $3, $4, $5, 'queued', $6, $7)`, d.ID, d.OrganizationID, d.EndpointID, d.EventID, d.Type,
		micros(d.CreatedAt), d.Recipient)
	if err != nil {
		return d, wrap("store delivery", err)
	}
	return d, t.queueFor(ctx, task.Delivery, d.ID, d.OrganizationID, d.EndpointID)
}

// Shipment is the data that a worker needs to make a delivery.
type Shipment struct {
	Delivery endpoint.Delivery
	Endpoint endpoint.Endpoint
	Event    event.Event
}

// FindShipment returns a delivery with its endpoint and event.
func (r reads) FindShipment(ctx context.Context, deliveryID string) (s Shipment, err error) {
	s.Delivery, err = single(ctx, r.q, scanDelivery, `SELECT `+deliveryColumns+` FROM webhook_deliveries d WHERE d.id = $1`,
		deliveryID)
	if errors.Is(err, errNone) {
		return s, task.Lost{TaskID: deliveryID} // the endpoint was deleted, together with its tasks
	}
	if err != nil {
		return s, wrap("find delivery", err)
	}
	if s.Endpoint, err = r.FindEndpoint(ctx, s.Delivery.OrganizationID, s.Delivery.EndpointID); err != nil {
		return s, err
	}
	s.Event, err = single(ctx, r.q, scanEvent, `SELECT `+eventColumns+` FROM events WHERE id = $1`, s.Delivery.EventID)
	return s, wrap("find event of delivery", err)
}

// FindDelivery returns a delivery of an organization's endpoint, together with the attempts to make it, oldest first.
func (r reads) FindDelivery(ctx context.Context, organizationID, endpointID, deliveryID string) (endpoint.Delivery,
	[]endpoint.Attempt, error) {
	d, err := single(ctx, r.q, scanDelivery, `SELECT `+deliveryColumns+` FROM webhook_deliveries d
		WHERE d.organization_id = $1 AND d.endpoint_id = $2 AND d.id = $3`, organizationID, endpointID, deliveryID)
	if errors.Is(err, errNone) {
		return d, nil, endpoint.UnknownDelivery()
	}
	if err != nil {
		return d, nil, wrap("find delivery", err)
	}
	list, err := collect(ctx, r.q, func(s scanner) (endpoint.Attempt, error) {
		var a endpoint.Attempt
		var number, at, took, status int64
		err := s.Scan(&number, &at, &took, &status, &a.Response, &a.Error)
		a.Number, a.At, a.Took, a.Status = int(number), fromMicros(at), time.Duration(took)*time.Microsecond, int(status)
		return a, err
	}, `SELECT number, at, took_micros, status, response, error FROM webhook_attempts WHERE delivery_id = $1 ORDER BY number`,
		d.ID)
	return d, list, wrap("list attempts of delivery", err)
}

// ListDeliveries returns a page of an endpoint's deliveries, newest first, and the cursor of the next page, or "" if
// there is none. If state is not "", it returns only deliveries in that state.
func (r reads) ListDeliveries(ctx context.Context, organizationID, endpointID string, state endpoint.State,
	p Page) ([]endpoint.Delivery, string, error) {
	at, after, err := p.place()
	if err != nil {
		return nil, "", err
	}
	list, err := collect(ctx, r.q, scanDelivery, `SELECT `+deliveryColumns+` FROM webhook_deliveries d
		WHERE d.organization_id = $1 AND d.endpoint_id = $2 AND ($3 = '' OR d.state = $3) AND (d.created_at, d.id) < ($4, $5)
		ORDER BY d.created_at DESC, d.id DESC LIMIT $6`, organizationID, endpointID, string(state), at, after, p.Limit+1)
	if err != nil {
		return nil, "", wrap("list deliveries", err)
	}
	list, next := cut(list, p.Limit, func(d endpoint.Delivery) (int64, string) { return micros(d.CreatedAt), d.ID })
	return list, next, nil
}

// maxReplay is the maximum number of deliveries that one request replays.
const maxReplay = 1000

// ReplayDeliveries queues deliveries of an endpoint again, under the same ids: the given delivery or, if deliveryID is
// "", the failed deliveries since the given time, oldest first. It returns the number of queued deliveries, at most
// maxReplay. Callers call it again for the rest.
func (t *Tx) ReplayDeliveries(ctx context.Context, e endpoint.Endpoint, deliveryID string, since time.Time) (int, error) {
	list, err := collect(ctx, t.q, scanDelivery, `SELECT `+deliveryColumns+` FROM webhook_deliveries d
		WHERE d.organization_id = $1 AND d.endpoint_id = $2 AND ($3 = '' AND d.state = 'failed' OR d.id = $3)
		AND d.state <> 'queued' AND d.created_at >= $4 ORDER BY d.created_at, d.id LIMIT $5`, e.OrganizationID, e.ID,
		deliveryID, micros(since), maxReplay)
	if err != nil {
		return 0, wrap("find deliveries to replay", err)
	}
	for _, d := range list {
		if _, err := t.q.exec(ctx, `UPDATE webhook_deliveries SET state = 'queued', round = attempts, error = '', ended_at = NULL
			WHERE id = $1`, d.ID); err != nil {
			return 0, wrap("replay delivery", err)
		}
		if _, err := t.q.exec(ctx, `UPDATE tasks SET state = 'queued', attempts = 0, waits = 0, waiting_since = 0, not_before = 0
			WHERE id = $1 AND state = 'done'`, d.ID); err != nil {
			return 0, wrap("replay task of delivery", err)
		}
		if err := t.wakeFor(ctx, task.Delivery, d.OrganizationID); err != nil {
			return 0, err
		}
	}
	return len(list), nil
}

// PruneDeliveries deletes deliveries that ended before the given time, together with their attempts and tasks.
func (s *Store) PruneDeliveries(ctx context.Context, before time.Time) error {
	return s.Tx(ctx, func(t *Tx) error {
		if _, err := t.q.exec(ctx, `DELETE FROM webhook_deliveries WHERE ended_at < $1`, micros(before)); err != nil {
			return wrap("prune deliveries", err)
		}
		_, err := t.q.exec(ctx, `DELETE FROM tasks WHERE kind = 'delivery' AND state = 'done' `+
			`AND id NOT IN (SELECT id FROM webhook_deliveries)`)
		return wrap("prune tasks of deliveries", err)
	})
}
