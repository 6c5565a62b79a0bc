package store

import (
	"context"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// IdempotencyLife is how long a response is kept in case the request is repeated.
const IdempotencyLife = 24 * time.Hour

// Attempt identifies a request that may be repeated.
type Attempt struct {
	OrganizationID string
	Route          string
	Key            string
	BodyHash       string
}

// StoredResponse is the response to the first request with a key.
type StoredResponse struct {
	Status int
	Body   string
}

// Reserve claims an idempotency key in this transaction. If the request was already handled, repeated is the stored
// response. Otherwise it is nil, and the caller must handle the request and call Remember before the transaction
// commits. A concurrent request with the same key waits here for the first one, so parallel repeats are handled only
// once (A4).
func (t *Tx) Reserve(ctx context.Context, a Attempt) (repeated *StoredResponse, err error) {
	if _, err := t.q.exec(ctx,
		`DELETE FROM idempotency WHERE organization_id = $1 AND route = $2 AND key = $3 AND created_at < $4`,
		a.OrganizationID, a.Route, a.Key, micros(t.now().Add(-IdempotencyLife))); err != nil {
		return nil, wrap("drop old response", err)
	}
	n,
		err := t.q.exec(ctx,
		`INSERT INTO idempotency (organization_id, route, key, body_hash, created_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
		a.OrganizationID, a.Route, a.Key, a.BodyHash, micros(t.now()))
	if err != nil || n == 1 {
		return nil, wrap("reserve idempotency key", err)
	}
	type stored struct {
		hash     string
		response StoredResponse
	}
	s, err := single(ctx, t.q, func(r scanner) (stored, error) {
		var v stored
		var status int64
		err := r.Scan(&v.hash, &status, &v.response.Body)
		v.response.Status = int(status)
		return v, err
	}, `SELECT body_hash, status, body FROM idempotency WHERE organization_id = $1 AND route = $2 AND key = $3`,
		a.OrganizationID, a.Route, a.Key)
	if err != nil {
		return nil, wrap("find first response", err)
	}
	if s.hash != a.BodyHash {
		return nil, fault.New(fault.Conflict, "idempotency_key_reused",
			"This Idempotency-Key was used with a different request body.").
			WithField("Idempotency-Key").WithHint("Use a new key for a new request.")
	}
	return &s.response, nil
}

// Remember stores the response for a reserved key.
func (t *Tx) Remember(ctx context.Context, a Attempt, response StoredResponse) error {
	_, err := t.q.exec(ctx,
		`UPDATE idempotency SET status = $4, body = $5 WHERE organization_id = $1 AND route = $2 AND key = $3`,
		a.OrganizationID, a.Route, a.Key, response.Status, response.Body)
	return wrap("store response", err)
}
