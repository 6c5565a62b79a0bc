package queue

import (
	"context"
	"time"
)

// Chore is done by one process of the cluster at a time, every so often.
type Chore struct {
	Name  string
	Every time.Duration
	Do    func(ctx context.Context) error
}

// Claims decides which process runs a chore. It goes by the database's clock.
type Claims interface {
	// ClaimChore claims a chore that is due, and returns 0. Otherwise it returns how long the chore is not due yet.
	ClaimChore(ctx context.Context, name, process string, every time.Duration) (wait time.Duration, err error)
	// RenewChore makes the period of a chore that the process has claimed begin anew.
	RenewChore(ctx context.Context, name, process string) error
}

const (
	choreLife  = time.Hour       // a chore that hangs is cancelled after it
	choreRetry = 5 * time.Second // how soon a claim is tried again that the database did not answer
)

// repeat runs a chore whenever this process is the one to claim it. Where it is not, it asks again when the chore is due
// next: a process that dies is replaced within a period.
func (q *Queue) repeat(c Chore) {
	failed := false
	for {
		wait, err := q.Claims.ClaimChore(q.working, c.Name, q.ProcessID, c.Every)
		if err != nil && !failed && q.receiving.Err() == nil {
			q.Logger.Error("claim chore failed", "chore", c.Name, "error", err)
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

// runChore runs a chore that was claimed. While it runs it stays claimed, so that no other process begins it too.
func (q *Queue) runChore(c Chore) {
	ctx, cancel := context.WithTimeout(q.working, choreLife)
	renewed := make(chan struct{})
	go func() {
		defer close(renewed)
		for pause(ctx, c.Every/2) {
			if err := q.Claims.RenewChore(ctx, c.Name, q.ProcessID); err != nil && ctx.Err() == nil {
				q.Logger.Warn("renew chore failed", "chore", c.Name, "error", err)
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
