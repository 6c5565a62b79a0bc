package store

import (
	"context"
	"time"
)

// TakeDelivery records a webhook delivery and reports whether it is new rather than a replay (W5).
func (t *Tx) TakeDelivery(ctx context.Context, projectID, delivery string) (fresh bool, err error) {
	n,
		err := t.q.exec(ctx,
		`INSERT INTO hook_deliveries (project_id, delivery, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
		projectID, delivery, micros(t.now()))
	return n == 1, wrap("record delivery", err)
}

// DeliveryLife is how long delivery ids are kept. Code hosts stop repeating a delivery long before that.
const DeliveryLife = 30 * 24 * time.Hour

// Forget deletes expired idempotency responses and webhook delivery ids. It returns the number of deleted rows.
func (s *Store) Forget(ctx context.Context) (dropped int64, err error) {
	err = s.Tx(ctx, func(t *Tx) error {
		dropped = 0
		for statement, age := range map[string]time.Duration{
			`DELETE FROM idempotency WHERE created_at < $1`:     IdempotencyLife,
			`DELETE FROM hook_deliveries WHERE created_at < $1`: DeliveryLife,
			`DELETE FROM counters WHERE until < $1`:             0,
		} {
			n, err := t.q.exec(ctx, statement, micros(t.now().Add(-age)))
			if err != nil {
				return wrap("delete old rows", err)
			}
			dropped += n
		}
		return nil
	})
	return dropped, err
}
