package store

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/endpoint"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

const endpointColumns = `e.id, e.organization_id, e.url, e.description, e.events, e.project_id, e.enabled, e.off_reason, ` +
	`e.sealed, e.sealed_before, e.before_until, e.failing_since, e.created_by, e.created_at, e.updated_at, e.format, ` +
	`e.recipients`

func scanEndpoint(s scanner) (endpoint.Endpoint, error) {
	var e endpoint.Endpoint
	var events, recipients string
	var created, updated int64
	var until, failing *int64
	err := s.Scan(&e.ID, &e.OrganizationID, &e.URL, &e.Description, &events, &e.ProjectID, &e.Enabled, &e.OffReason,
		&e.Sealed, &e.SealedBefore, &until, &failing, &e.CreatedBy, &created, &updated, &e.Format, &recipients)
	if err != nil {
		return e, err
	}
	e.BeforeUntil, e.FailingSince = fromMicrosOrNull(until), fromMicrosOrNull(failing)
	e.CreatedAt, e.UpdatedAt = fromMicros(created), fromMicros(updated)
	if e.Events, err = fromJSON[[]string](events); err != nil {
		return e, err
	}
	e.Recipients, err = fromJSON[[]string](recipients)
	return e, err
}

// CreateEndpoint stores an endpoint under a new id. seal is called with the id and returns the sealed secret.
func (t *Tx) CreateEndpoint(ctx context.Context, e endpoint.Endpoint,
	seal func(endpointID string) string) (endpoint.Endpoint, error) {
	if err := t.HoldOrganization(ctx, e.OrganizationID); err != nil { // keeps the count below correct
		return e, err
	}
	n, err := single(ctx, t.q, value[int64], `SELECT COUNT(*) FROM webhook_endpoints WHERE organization_id = $1`,
		e.OrganizationID)
	if err != nil {
		return e, wrap("count endpoints", err)
	}
	if n >= endpoint.MaxEndpoints {
		return e, fault.Newf(fault.Conflict, "too_many_webhook_endpoints",
			"An organization can have at most %d webhook endpoints.", endpoint.MaxEndpoints).
			WithHint("Delete one that is not needed.")
	}
	e.ID, e.CreatedAt, e.UpdatedAt = t.s.ids.New(id.Endpoint), t.now(), t.now()
	e.Sealed, e.Format = seal(e.ID), cmp.Or(e.Format, endpoint.Standard)
	_, err = t.q.exec(ctx, `INSERT INTO webhook_endpoints (id, organization_id, url, description, events, project_id, enabled,
		sealed, created_by, created_at, updated_at, format, recipients)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
		e.ID, e.OrganizationID, e.URL, e.Description, asJSON(orNone(e.Events)), e.ProjectID, e.Enabled, e.Sealed,
		e.CreatedBy, micros(e.CreatedAt), micros(e.UpdatedAt), string(e.Format), asJSON(orNone(e.Recipients)))
	return e, wrap("store endpoint", err)
}

// orNone replaces a nil list with an empty one, so that it is encoded as [] instead of null in JSON.
func orNone(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// UpdateEndpoint stores the fields of an endpoint that users may change. If the server had turned the endpoint off and
// it is now turned on again, its failure history is cleared.
func (t *Tx) UpdateEndpoint(ctx context.Context, e endpoint.Endpoint) (endpoint.Endpoint, error) {
	e.UpdatedAt = t.now()
	if e.Enabled && e.OffReason != "" {
		e.OffReason, e.FailingSince = "", nil
	}
	n, err := t.q.exec(ctx, `UPDATE webhook_endpoints SET url = $3, description = $4, events = $5, project_id = $6, enabled = $7,
		off_reason = $8, failing_since = $9, updated_at = $10, recipients = $11 WHERE organization_id = $1 AND id = $2`, e.OrganizationID,
		e.ID, e.URL, e.Description, asJSON(orNone(e.Events)), e.ProjectID, e.Enabled, string(e.OffReason),
		microsOrNull(e.FailingSince), micros(e.UpdatedAt), asJSON(orNone(e.Recipients)))
	if err == nil && n == 0 {
		return e, endpoint.Unknown()
	}
	return e, wrap("update endpoint", err)
}

// RotateEndpoint stores a new secret. Until the given time, the previous secret is also used for signing. Older secrets
// are dropped.
func (t *Tx) RotateEndpoint(ctx context.Context, e endpoint.Endpoint, sealed string,
	until time.Time) (endpoint.Endpoint, error) {
	e.SealedBefore, e.Sealed, e.BeforeUntil, e.UpdatedAt = e.Sealed, sealed, &until, t.now()
	_, err := t.q.exec(ctx, `UPDATE webhook_endpoints SET sealed = $3, sealed_before = $4, before_until = $5, updated_at = $6
		WHERE organization_id = $1 AND id = $2`, e.OrganizationID, e.ID, e.Sealed, e.SealedBefore,
		microsOrNull(e.BeforeUntil), micros(e.UpdatedAt))
	return e, wrap("rotate secret of endpoint", err)
}

// ResealEndpoint stores the secrets after they were encrypted with another master key, unless they have been rotated in
// the meantime.
func (t *Tx) ResealEndpoint(ctx context.Context, e endpoint.Endpoint, sealed, before string) error {
	_, err := t.q.exec(ctx, `UPDATE webhook_endpoints SET sealed = $3, sealed_before = $4 WHERE id = $1 AND sealed = $2`,
		e.ID, e.Sealed, sealed, before)
	return wrap("reseal endpoint", err)
}

// DeleteEndpoint deletes an endpoint and its deliveries, and returns its last state. A worker that is sending one
// of the deliveries loses its task.
func (t *Tx) DeleteEndpoint(ctx context.Context, organizationID, endpointID string) (endpoint.Endpoint, error) {
	e, err := t.FindEndpoint(ctx, organizationID, endpointID)
	if err != nil {
		return e, err
	}
	if _, err := t.q.exec(ctx, `DELETE FROM tasks WHERE receiver = $1`, e.ID); err != nil {
		return e, wrap("delete tasks of endpoint", err)
	}
	_, err = t.q.exec(ctx, `DELETE FROM webhook_endpoints WHERE organization_id = $1 AND id = $2`, organizationID, e.ID)
	return e, wrap("delete endpoint", err)
}

// FindEndpoint returns an endpoint of the organization. An endpoint of another organization is reported as not found
// (A8).
func (r reads) FindEndpoint(ctx context.Context, organizationID, endpointID string) (endpoint.Endpoint, error) {
	e, err := single(ctx, r.q, scanEndpoint, `SELECT `+endpointColumns+
		` FROM webhook_endpoints e WHERE e.organization_id = $1 AND e.id = $2`, organizationID, endpointID)
	if errors.Is(err, errNone) {
		return e, endpoint.Unknown()
	}
	return e, wrap("find endpoint", err)
}

// ListEndpoints returns all endpoints of an organization, oldest first. If organizationID is empty, it returns the
// endpoints of all organizations.
func (r reads) ListEndpoints(ctx context.Context, organizationID string) ([]endpoint.Endpoint, error) {
	list, err := collect(ctx, r.q, scanEndpoint, `SELECT `+endpointColumns+` FROM webhook_endpoints e
		WHERE $1 = '' OR e.organization_id = $1 ORDER BY e.organization_id, e.created_at, e.id`, organizationID)
	return list, wrap("list endpoints", err)
}

// ListEndpointsOff returns all endpoints that the server has turned off, in any organization.
func (r reads) ListEndpointsOff(ctx context.Context) ([]endpoint.Endpoint, error) {
	list, err := collect(ctx, r.q, scanEndpoint, `SELECT `+endpointColumns+` FROM webhook_endpoints e
		WHERE e.off_reason <> '' ORDER BY e.organization_id, e.created_at, e.id`)
	return list, wrap("list endpoints that are off", err)
}

// deliver queues an event for each endpoint that subscribes to such events.
func (t *Tx) deliver(ctx context.Context, v event.Event) error {
	list, err := collect(ctx, t.q, scanEndpoint, `SELECT `+endpointColumns+` FROM webhook_endpoints e
		WHERE e.organization_id = $1 AND e.enabled ORDER BY e.id`, v.OrganizationID)
	if err != nil {
		return wrap("find endpoints of event", err)
	}
	for _, e := range list {
		if !e.Wants(v) {
			continue
		}
		if _, err := t.QueueDeliveries(ctx, e, v); err != nil {
			return err
		}
	}
	return nil
}

// TestEndpoint records a test event and queues it for this endpoint only, even if the endpoint is off. It returns the
// delivery for the endpoint's first receiver.
func (t *Tx) TestEndpoint(ctx context.Context, e endpoint.Endpoint, v event.Event) (endpoint.Delivery, error) {
	if err := t.Record(ctx, v); err != nil {
		return endpoint.Delivery{}, err
	}
	newest, err := t.FindEvents(ctx, v.OrganizationID, EventFilter{Action: v.Action}, 0, 1)
	if err != nil {
		return endpoint.Delivery{}, err
	}
	list, err := t.QueueDeliveries(ctx, e, newest[0])
	if err != nil {
		return endpoint.Delivery{}, err
	}
	return list[0], nil
}
