package store

import (
	"context"
	"maps"
	"slices"
)

// Retained is a deployment that pruning keeps, with its blobs; "" = no blob.
type Retained struct {
	ID, SnapshotKey, ManifestKey string
	Needs                        []string // blobs that the manifest refers to; valid if Known
	Known                        bool     // StoreNeeds has recorded them
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

// StoreNeeds records the blobs that manifests of deployments refer to, by deployment id. Manifests never change, so
// existing records are kept. It skips deployments that no longer exist.
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
