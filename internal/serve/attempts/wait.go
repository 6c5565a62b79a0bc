package attempts

import (
	"context"
	"time"
)

// Wait pauses for d, to slow down guessing. It returns early if the caller disconnects.
func Wait(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
