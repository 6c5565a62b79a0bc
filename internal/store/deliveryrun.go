package store

import (
	"context"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/endpoint"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/task"
)

// EndDelivery ends a held delivery and stores its last attempt, if any. why is the reason why the delivery failed, or
// "" if it succeeded. If off is set, the endpoint is turned off for that reason.
func (s *Store) EndDelivery(ctx context.Context, h task.Hold, d endpoint.Delivery, a *endpoint.Attempt, why string,
	off endpoint.OffReason) error {
	return s.Tx(ctx, func(t *Tx) error {
		if err := t.end(ctx, h); err != nil {
			return err
		}
		if err := t.noteAttempt(ctx, d, a, off); err != nil {
			return err
		}
		state := endpoint.Delivered
		if why != "" {
			state = endpoint.Failed
		}
		_, err := t.q.exec(ctx, `UPDATE webhook_deliveries SET state = $2, error = $3, next_at = NULL, ended_at = $4
			WHERE id = $1 AND state = 'queued'`, d.ID, string(state), cleanText(why), micros(t.now()))
		return wrap("end delivery", err)
	})
}

// PostponeDelivery stores a failed attempt at a held delivery and releases its task until pause has passed, in one
// transaction. If the process dies before the transaction, the attempt does not count. The released task looks like a
// task that was never started.
func (s *Store) PostponeDelivery(ctx context.Context, h task.Hold, d endpoint.Delivery, a endpoint.Attempt,
	pause time.Duration) error {
	return s.Tx(ctx, func(t *Tx) error {
		next := micros(t.now().Add(pause))
		n, err := t.q.exec(ctx, `UPDATE tasks SET state = 'queued', attempts = 0, waits = 0, waiting_since = 0, not_before = $3,
			lease_until = 0, lease_owner = '' WHERE id = $1 AND fence = $2 AND state = 'running'`, h.TaskID, h.Fence, next)
		if err != nil {
			return wrap("postpone delivery", err)
		}
		if n == 0 {
			return task.Lost{TaskID: h.TaskID}
		}
		if err := t.noteAttempt(ctx, d, &a, ""); err != nil {
			return err
		}
		if _, err := t.q.exec(ctx, `UPDATE webhook_deliveries SET error = $2, next_at = $3 WHERE id = $1`, d.ID,
			cleanText(a.Error), next); err != nil {
			return wrap("postpone delivery", err)
		}
		return t.wakeNext(ctx, d.OrganizationID, task.Deliveries)
	})
}

// FailDelivery ends a held delivery that could not be attempted.
func (s *Store) FailDelivery(ctx context.Context, h task.Hold, f task.Failure) error {
	d := endpoint.Delivery{ID: h.TaskID}
	return s.EndDelivery(ctx, h, d, nil, f.Sentence, "")
}

// noteAttempt stores an attempt and updates the endpoint's state from it.
func (t *Tx) noteAttempt(ctx context.Context, d endpoint.Delivery, a *endpoint.Attempt, off endpoint.OffReason) error {
	if a == nil {
		return nil
	}
	_, err := t.q.exec(ctx, `INSERT INTO webhook_attempts (delivery_id, number, at, took_micros, status, response, error)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`, d.ID, int64(a.Number), micros(a.At), a.Took.Microseconds(), int64(a.Status),
		cleanText(a.Response), cleanText(a.Error))
	if err != nil {
		return wrap("store attempt", err)
	}
	if _, err := t.q.exec(ctx, `UPDATE webhook_deliveries SET attempts = $2 WHERE id = $1`, d.ID, int64(a.Number)); err != nil {
		return wrap("count attempt", err)
	}
	switch {
	case d.Recipient != "": // one recipient's mailbox says nothing about other recipients
	case a.Error == "":
		_, err = t.q.exec(ctx, `UPDATE webhook_endpoints SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL`,
			d.EndpointID)
	default:
		_, err = t.q.exec(ctx, `UPDATE webhook_endpoints SET failing_since = $2 WHERE id = $1 AND failing_since IS NULL`,
			d.EndpointID, micros(a.At))
	}
	if err != nil || off == "" {
		return wrap("record state of endpoint", err)
	}
	return t.turnOff(ctx, d, a.Error, off)
}

// turnOff turns an endpoint off and records an event, unless it is already off.
func (t *Tx) turnOff(ctx context.Context, d endpoint.Delivery, why string, off endpoint.OffReason) error {
	n, err := t.q.exec(ctx, `UPDATE webhook_endpoints SET enabled = FALSE, off_reason = $2, updated_at = $3
		WHERE id = $1 AND enabled`, d.EndpointID, string(off), micros(t.now()))
	if err != nil || n == 0 {
		return wrap("turn endpoint off", err)
	}
	return t.Record(ctx, event.New(d.OrganizationID, "system", "webhook.off", d.EndpointID, "", t.now(),
		map[string]string{"reason": string(off), "error": cleanText(why)}))
}
