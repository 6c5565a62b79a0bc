package retention

import (
	"context"
	"fmt"
)

// audience removes visitor data from earlier days, and counts and feedback past their retention period.
func (s *Sweeper) audience(ctx context.Context) error {
	removed, err := s.Store.ForgetAudience(ctx, s.Audience)
	if err != nil {
		return fmt.Errorf("remove old analytics counts: %w", err)
	}
	if removed > 0 {
		s.Logger.Info("removed old analytics counts", "rows", removed)
	}
	return nil
}
