package auth

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
)

const (
	useInterval = time.Minute      // how exactly a key's last use is kept
	maxWaiting  = 1024             // keys whose use waits to be stored; more than that are noted by a later request
	storeWait   = 10 * time.Second // for one write
)

// Touch stores when a key was used.
type Touch func(ctx context.Context, keyID string, at time.Time) error

// Uses notes when keys are used, beside the requests that use them and at most once a minute for each key, because
// it is a write and requests are many.
type Uses struct {
	touch Touch
	log   *slog.Logger

	mu      sync.Mutex
	waiting map[string]time.Time // key id → use to store
	stored  map[string]time.Time // key id → last use handed to touch
	closed  bool
	wake    chan struct{} // has room for one; full means that the writer will look anyway
	done    chan struct{} // closed when the writer has ended
}

// OpenUses starts the writer; the caller closes it.
func OpenUses(touch Touch, log *slog.Logger) *Uses {
	u := &Uses{touch: touch, log: log, waiting: map[string]time.Time{}, stored: map[string]time.Time{},
		wake: make(chan struct{}, 1), done: make(chan struct{})}
	go u.run()
	return u
}

// Note remembers that the key was used. It never waits.
func (u *Uses) Note(k account.Key, at time.Time) {
	if k.LastUsedAt != nil && at.Sub(*k.LastUsedAt) < useInterval {
		return // this or another server has stored it already
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

// Close stores what waits and ends the writer.
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
			u.log.Warn("store last use of key failed", "keyId", keyID, "error", err)
		}
		cancel()
	}
}

// take moves what waits to what is stored, and forgets stored uses that no longer hold anything up.
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
