package retention

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/store/blob"
)

// exports gives up bundles that were kept long enough or are over the quota, and removes blobs that no export offers:
// those, and what attempts left. Of an export that has not ended only what is a day old goes.
//
// The order matters. A job that is seen as ended names no new blob afterwards, but another may take its bundles over
// for as long as it offers them. So the blobs that are in use are asked for last, after every job was looked at.
func (s *Sweeper) exports(ctx context.Context, t *tally) error {
	if n, err := s.Store.ExpireExports(ctx, s.Exports); err != nil {
		return fmt.Errorf("expire bundles: %w", err)
	} else if n > 0 {
		s.Logger.Info("expired bundles", "exports", n)
	}
	stored, err := s.storedBundles(ctx)
	if err != nil {
		return err
	}
	used, err := s.Store.ListUsedBundles(ctx)
	if err != nil {
		return err
	}
	unused := slices.DeleteFunc(stored, func(key string) bool { return used[key] })
	return s.remove(ctx, unused, t)
}

// storedBundles lists the blobs of exports that have ended, and old ones of those that have not.
func (s *Sweeper) storedBundles(ctx context.Context) (keys []string, err error) {
	oldest := s.Now().Add(-youngest)
	young := map[string][]string{} // blobs by the id of their export
	err = s.Blob.List(ctx, "exports/", func(i blob.Info) error {
		if i.ModTime.Before(oldest) {
			keys = append(keys, i.Key)
			return nil
		}
		id, _, _ := strings.Cut(strings.TrimPrefix(i.Key, "exports/"), "/")
		young[id] = append(young[id], i.Key)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list stored bundles: %w", err)
	}
	ended, err := s.Store.ListEndedExports(ctx, slices.Collect(maps.Keys(young)))
	if err != nil {
		return nil, err
	}
	for _, id := range ended {
		keys = append(keys, young[id]...)
	}
	return keys, nil
}
