package retention

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/store/blob"
)

// exports expires bundles that are too old or exceed the quota, and removes blobs that no export offers: expired
// bundles and leftovers of attempts. For exports that have not ended, only blobs older than a day are removed.
//
// The order matters. An ended job never refers to new blobs, but another job may reuse its bundles while it offers
// them. So the blobs in use are determined last, after all jobs have been read.
func (s *Sweeper) exports(ctx context.Context, t *tally) error {
	if n, err := s.Store.ExpireExports(ctx, s.Exports); err != nil {
		return fmt.Errorf("expire bundles: %w", err)
	} else if n > 0 {
		s.Logger.Info("expired export bundles", "exports", n)
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

// storedBundles lists the blobs of ended exports, and old blobs of exports that have not ended.
func (s *Sweeper) storedBundles(ctx context.Context) (keys []string, err error) {
	oldest := s.Now().Add(-youngest)
	young := map[string][]string{} // blobs by export id
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
