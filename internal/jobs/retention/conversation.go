package retention

import (
	"context"
	"fmt"
)

// dropAtOnce is the number of questions removed per statement, so that other transactions do not wait long.
const dropAtOnce = 1_000

// conversations removes readers' questions to the assistant and its answers after their retention period.
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
