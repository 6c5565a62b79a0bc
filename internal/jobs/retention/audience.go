package retention

import (
	"context"
	"fmt"
)

// audience forgets who visited on earlier days, and counts and feedback that were kept long enough.
func (s *Sweeper) audience(ctx context.Context) error {
	removed, err := s.Store.ForgetAudience(ctx, s.Audience)
	if err != nil {
		return fmt.Errorf("remove old counts of visits: %w", err)
	}
	if removed > 0 {
		s.Logger.Info("removed old counts of visits", "rows", removed)
	}
	return nil
}
