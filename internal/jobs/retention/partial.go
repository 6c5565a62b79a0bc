package retention

import (
	"context"
	"fmt"

	"github.com/lectern-docs/lectern/internal/store/blob"
)

// partial removes incomplete uploads left by killed processes. No backup needs them, and no row refers to them.
func (s *Sweeper) partial(ctx context.Context) error {
	cleaner, ok := s.Blob.(blob.Cleaner)
	if !ok || s.Partial <= 0 {
		return nil
	}
	removed, err := cleaner.RemovePartial(ctx, s.Partial)
	if err != nil {
		return fmt.Errorf("remove partial uploads: %w", err)
	}
	if removed > 0 {
		s.Logger.Info("removed partial uploads", "uploads", removed)
	}
	return nil
}
