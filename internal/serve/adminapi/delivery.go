package adminapi

import (
	"net/http"
	"strconv"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/endpoint"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/foundation/jsonbody"
	"github.com/lectern-docs/lectern/internal/store"
)

func showDelivery(d endpoint.Delivery) client.WebhookDelivery {
	return client.WebhookDelivery{DeliveryID: d.ID, EndpointID: d.EndpointID, Recipient: orNull(d.Recipient),
		EventID: d.EventID, Type: d.Type, State: string(d.State), Attempts: int64(d.Attempts), Error: orNull(d.Error), NextAttemptAt: stampOrNull(d.NextAt),
		CreatedAt: stamp(d.CreatedAt), EndedAt: stampOrNull(d.EndedAt)}
}

func showAttempt(t endpoint.Attempt) client.WebhookAttempt {
	out := client.WebhookAttempt{Attempt: int64(t.Number), At: stamp(t.At), DurationMs: t.Took.Milliseconds(),
		Response: t.Response, Error: orNull(t.Error)}
	if t.Status != 0 {
		status := int64(t.Status)
		out.Status = &status
	}
	return out
}

func (a *api) testEndpoint(c *call) (response, error) {
	var queued endpoint.Delivery
	err := a.changeEndpoint(c, func(tx *store.Tx, e endpoint.Endpoint) (err error) {
		queued, err = tx.TestEndpoint(c.ctx(), e, a.event(c, endpoint.TestAction, e.ID, endpointData(e)))
		return err
	})
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusAccepted, body: showDelivery(queued)}, nil
}

func (a *api) listDeliveries(c *call) (response, error) {
	page, err := c.page()
	if err != nil {
		return response{}, err
	}
	q, err := c.query()
	if err != nil {
		return response{}, err
	}
	state := endpoint.State(q.Get("state"))
	switch state {
	case "", endpoint.Queued, endpoint.Delivered, endpoint.Failed:
	default:
		return response{}, fault.New(fault.Invalid, "invalid_field", "state must be queued, delivered or failed.").
			WithField("state")
	}
	e, err := a.Store.FindEndpoint(c.ctx(), c.org(), c.pathID("endpointId", id.Endpoint))
	if err != nil {
		return response{}, err
	}
	list, next, err := a.Store.ListDeliveries(c.ctx(), c.org(), e.ID, state, page)
	if err != nil {
		return response{}, err
	}
	body := client.WebhookDeliveryList{Deliveries: []client.WebhookDelivery{}, NextCursor: orNull(next)}
	for _, d := range list {
		body.Deliveries = append(body.Deliveries, showDelivery(d))
	}
	return response{status: http.StatusOK, body: body}, nil
}

func (a *api) getDelivery(c *call) (response, error) {
	d, log, err := a.Store.FindDelivery(c.ctx(), c.org(), c.pathID("endpointId", id.Endpoint),
		c.pathID("deliveryId", id.Delivery))
	if err != nil {
		return response{}, err
	}
	s := showDelivery(d)
	body := client.WebhookDeliveryDetails{DeliveryID: s.DeliveryID, EndpointID: s.EndpointID, Recipient: s.Recipient,
		EventID: s.EventID, Type: s.Type, State: s.State, Attempts: s.Attempts, Error: s.Error, NextAttemptAt: s.NextAttemptAt,
		CreatedAt: s.CreatedAt, EndedAt: s.EndedAt, Log: []client.WebhookAttempt{}}
	for _, t := range log {
		body.Log = append(body.Log, showAttempt(t))
	}
	return response{status: http.StatusOK, body: body}, nil
}

func (a *api) replayDelivery(c *call) (response, error) {
	deliveryID := c.pathID("deliveryId", id.Delivery)
	var queued endpoint.Delivery
	err := a.changeEndpoint(c, func(tx *store.Tx, e endpoint.Endpoint) error {
		if _, _, err := tx.FindDelivery(c.ctx(), c.org(), e.ID, deliveryID); err != nil {
			return err
		}
		if _, err := tx.ReplayDeliveries(c.ctx(), e, deliveryID, time.Time{}); err != nil {
			return err
		}
		var err error
		if queued, _, err = tx.FindDelivery(c.ctx(), c.org(), e.ID, deliveryID); err != nil {
			return err
		}
		return tx.Record(c.ctx(), a.event(c, "webhook.replay", e.ID, map[string]string{"delivery": deliveryID}))
	})
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusAccepted, body: showDelivery(queued)}, nil
}

func (a *api) replayDeliveries(c *call) (response, error) {
	var in struct {
		Since string `json:"since" required:"true"`
	}
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return response{}, err
	}
	since, err := time.Parse(time.RFC3339, in.Since)
	if err != nil {
		return response{}, fault.New(fault.Invalid, "invalid_field", "since must be a time such as 2026-01-31T12:00:00Z.").
			WithField("since")
	}
	var n int
	err = a.changeEndpoint(c, func(tx *store.Tx, e endpoint.Endpoint) (err error) {
		if n, err = tx.ReplayDeliveries(c.ctx(), e, "", since); err != nil {
			return err
		}
		return tx.Record(c.ctx(), a.event(c, "webhook.replay", e.ID,
			map[string]string{"since": since.UTC().Format(time.RFC3339), "deliveries": strconv.Itoa(n)}))
	})
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusAccepted, body: client.WebhookReplay{Replayed: int64(n)}}, nil
}
