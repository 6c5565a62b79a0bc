package auth

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
)

const (
	useInterval = time.Minute      // precision of a key's last use
	maxWaiting  = 1024             // keys with a use to store; if there are more, a later request records their use
	storeWait   = 10 * time.Second // timeout of a write
)

// Touch stores when a key was used.
type Touch func(ctx context.Context, keyID string, at time.Time) error

// Uses records when keys are used, asynchronously and at most once a minute for each key, because each record is a
// database write.
type Uses struct {
	touch Touch
	log   *slog.Logger

	mu      sync.Mutex
	waiting map[string]time.Time // key id → use still to be stored
	stored  map[string]time.Time // key id → last use passed to touch
	closed  bool
	wake    chan struct{} // capacity one; if full, the writer is already being woken
	done    chan struct{} // closed when the writer has stopped
}

// OpenUses starts the writer; the caller closes it.
func OpenUses(touch Touch, log *slog.Logger) *Uses {
	u := &Uses{touch: touch, log: log, waiting: map[string]time.Time{}, stored: map[string]time.Time{},
		wake: make(chan struct{}, 1), done: make(chan struct{})}
	go u.run()
	return u
}

// Note records that the key was used. It never blocks.
func (u *Uses) Note(k account.Key, at time.Time) {
	if k.LastUsedAt != nil && at.Sub(*k.LastUsedAt) < useInterval {
		return // this or another server has already stored it
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if last, ok := u.stored[k.ID]; u.closed || ok && at.Sub(last) < useInterval {
		return
	}
	if _, ok := u.waiting[k.ID]; ok || len(u.waiting) >= maxWaiting {
		return
	}
	u.waiting[k.ID] = at
	select {
	case u.wake <- struct{}{}:
	default:
	}
}

// Close stores pending uses and stops the writer.
func (u *Uses) Close() {
	u.mu.Lock()
	if !u.closed {
		u.closed = true
		close(u.wake)
	}
	u.mu.Unlock()
	<-u.done
}

func (u *Uses) run() {
	defer close(u.done)
	for range u.wake {
		u.flush()
	}
	u.flush()
}

func (u *Uses) flush() {
	for keyID, at := range u.take() {
		ctx, cancel := context.WithTimeout(context.Background(), storeWait)
		if err := u.touch(ctx, keyID, at); err != nil {
			u.log.Warn("failed to update the key's last use", "keyId", keyID, "error", err)
		}
		cancel()
	}
}

// take returns the pending uses and marks them as stored. It removes stored uses that are older than the interval.
func (u *Uses) take() map[string]time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	batch := u.waiting
	u.waiting = map[string]time.Time{}
	var newest time.Time
	for keyID, at := range batch {
		u.stored[keyID] = at
		if at.After(newest) {
			newest = at
		}
	}
	for keyID, at := range u.stored {
		if newest.Sub(at) >= useInterval {
			delete(u.stored, keyID)
		}
	}
	return batch
}
