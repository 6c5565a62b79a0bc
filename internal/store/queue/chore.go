package queue

import (
	"context"
	"time"
)

// Chore is periodic work that only one process in the cluster does at a time.
type Chore struct {
	Name  string
	Every time.Duration
	Do    func(ctx context.Context) error
}

// Claims decides which process runs a chore. It uses the database's clock.
type Claims interface {
	// ClaimChore claims a chore if it is due, and returns 0. Otherwise it returns the time until the chore is due.
	ClaimChore(ctx context.Context, name, process string, every time.Duration) (wait time.Duration, err error)
	// RenewChore restarts the period of a chore that the process has claimed.
	RenewChore(ctx context.Context, name, process string) error
}

const (
	choreLife  = time.Hour       // a chore that hangs is canceled after this time
	choreRetry = 5 * time.Second // how long to wait before retrying a claim after a database error
)

// repeat runs a chore whenever this process can claim it. Otherwise it tries again when the chore is next due. If the
// process that runs a chore dies, another one therefore takes over within one period.
func (q *Queue) repeat(c Chore) {
	failed := false
	for {
		wait, err := q.Claims.ClaimChore(q.working, c.Name, q.ProcessID, c.Every)
		if err != nil && !failed && q.receiving.Err() == nil {
			q.Logger.Error("failed to claim chore", "chore", c.Name, "error", err)
		}
		switch failed = err != nil; {
		case failed:
			wait = min(c.Every, choreRetry)
		case wait <= 0:
			q.runChore(c)
		}
		if !pause(q.receiving, max(wait, 0)) {
			return
		}
	}
}

// runChore runs a claimed chore. It renews the claim while the chore runs, so that no other process starts it.
func (q *Queue) runChore(c Chore) {
	ctx, cancel := context.WithTimeout(q.working, choreLife)
	renewed := make(chan struct{})
	go func() {
		defer close(renewed)
		for pause(ctx, c.Every/2) {
			if err := q.Claims.RenewChore(ctx, c.Name, q.ProcessID); err != nil && ctx.Err() == nil {
				q.Logger.Warn("failed to renew chore", "chore", c.Name, "error", err)
			}
		}
	}()
	err := guard(func() error { return c.Do(ctx) })
	cancel()
	<-renewed
	switch {
	case err == nil:
		q.Logger.Debug("chore ended", "chore", c.Name)
	case q.working.Err() == nil:
		q.Logger.Error("chore failed", "chore", c.Name, "error", err)
	}
}
