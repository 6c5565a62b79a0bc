package retention

import (
	"context"
	"fmt"
)

// dropAtOnce is how many questions one statement removes: others must not wait for it.
const dropAtOnce = 1_000

// conversations removes what readers asked the assistant, and what it answered, once it was kept long enough.
func (s *Sweeper) conversations(ctx context.Context) error {
	dropped := int64(0)
	for {
		n, err := s.Store.DropExchanges(ctx, s.Conversations, dropAtOnce)
		if err != nil {
			return fmt.Errorf("remove conversations: %w", err)
		}
		if dropped += n; n < dropAtOnce {
			break
		}
	}
	if dropped > 0 {
		s.Logger.Info("removed old conversations", "questions", dropped)
	}
	return nil
}
