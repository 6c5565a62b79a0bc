package store

import (
	"context"
	"maps"
	"slices"
)

// Retained is a deployment that stays, with the blobs that its row names; "" = none.
type Retained struct {
	ID, SnapshotKey, ManifestKey string
	Needs                        []string // what the manifest refers to; valid if Known
	Known                        bool     // StoreNeeds was called for it
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

// StoreNeeds notes which blobs the manifests of deployments refer to, by the deployment's id. Manifests never change, so
// the first note is final. Deployments that were removed meanwhile are left out.
func (s *Store) StoreNeeds(ctx context.Context, needs map[string][]string) error {
	if len(needs) == 0 {
		return nil
	}
	return s.Tx(ctx, func(t *Tx) error {
		for _, id := range slices.Sorted(maps.Keys(needs)) { // in one order, or two processes could wait for each other
			if _, err := t.q.exec(ctx, `INSERT INTO manifest_needs (deployment_id, blobs)
				SELECT d.id, $2 FROM deployments d WHERE d.id = $1 ON CONFLICT (deployment_id) DO NOTHING`, id,
				asJSON(append([]string{}, needs[id]...))); err != nil {
				return wrap("store what a manifest needs", err)
			}
		}
		return nil
	})
}
