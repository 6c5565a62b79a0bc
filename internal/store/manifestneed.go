package store

import (
	"context"
	"maps"
	"slices"
)

// Retained is a deployment that pruning keeps, together with its blobs. An empty key means that there is no such blob.
type Retained struct {
	ID, SnapshotKey, ManifestKey string
	Needs                        []string // blobs that the manifest refers to; valid only if Known is set
	Known                        bool     // whether StoreNeeds has recorded them
}

func scanRetained(s scanner) (r Retained, err error) {
	var needs string
	if err := s.Scan(&r.ID, &r.SnapshotKey, &r.ManifestKey, &needs); err != nil || needs == "" {
		return r, err
	}
	r.Known = true
	r.Needs, err = fromJSON[[]string](needs)
	return r, err
}

// StoreNeeds records the blobs that the manifests of deployments refer to. needs is keyed by deployment id. Manifests
// never change, so existing records are kept. Deployments that no longer exist are skipped.
func (s *Store) StoreNeeds(ctx context.Context, needs map[string][]string) error {
	if len(needs) == 0 {
		return nil
	}
	return s.Tx(ctx, func(t *Tx) error {
		for _, id := range slices.Sorted(maps.Keys(needs)) { // a fixed order avoids deadlocks between processes
			if _, err := t.q.exec(ctx, `INSERT INTO manifest_needs (deployment_id, blobs)
				SELECT d.id, $2 FROM deployments d WHERE d.id = $1 ON CONFLICT (deployment_id) DO NOTHING`, id,
				asJSON(append([]string{}, needs[id]...))); err != nil {
				return wrap("store what a manifest needs", err)
			}
		}
		return nil
	})
}
