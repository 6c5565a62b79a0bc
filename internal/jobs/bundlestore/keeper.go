package bundlestore

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"
)

// Keeping says how a Keeper works.
type Keeping struct {
	Volume *Volume
	Source func() (Source, error) // asked before each fetch, since links are renewed
	Expect Expect
	Keep   int              // versions that stay on the volume; at least 2, so that one can go back
	Poll   time.Duration    // between fetches; 0 = only on request
	Full   bool             // compare contents at the start, not only sizes
	Show   func(v *Version) // shows a version from now on, and owns it
	Again  <-chan struct{}  // each value asks for a fetch; nil = never
	Logger *slog.Logger
}

// Keeper keeps what is shown up to date: at its start, on request, from time to time, and when somebody moves the
// pointer.
type Keeper struct {
	Keeping
	ended     chan result // ends of fetches
	shown     string      // digest; "" while nothing is
	stamp     string      // of the pointer whose version is shown; another one is followed until it can be shown
	lastError string      // the last error about the pointer that was logged, so that each is logged once
	// digest of the superseded bundle that the source offered last, so that it is logged once; "" = another one
	passed  string
	tries   int         // failures in a row
	busy    bool        // a fetch is under way
	asked   bool        // another fetch was requested meanwhile
	unlock  func()      // gives the folder up; nil between fetches. Of the fetch under way, else of Run.
	next    *time.Timer // when to fetch by itself; stopped when not
	shows   atomic.Bool
	settled atomic.Bool // the first fetch has ended, or took too long to wait for
	waiting atomic.Pointer[string]

	now                          atomic.Pointer[Record] // what is shown; nil while nothing is
	received, refusals, failures atomic.Int64
	// when the source last gave a bundle that was taken or has not changed; Unix seconds, 0 = never
	answered atomic.Int64
}

type result struct {
	Outcome
	source string
	err    error
}

const (
	watchEvery = time.Second            // looks at the pointer
	startWait  = 5 * time.Second        // how long a start waits for a new bundle before it is ready with the old one
	retryFirst = 500 * time.Millisecond // doubled after each failure
	retryMost  = time.Minute
)

// NewKeeper makes a keeper.
func NewKeeper(k Keeping) *Keeper {
	k.Keep = max(k.Keep, 2)
	return &Keeper{Keeping: k, ended: make(chan result, 1)}
}

// Counts returns how many new bundles were received, how many were refused, and how many fetches failed.
func (k *Keeper) Counts() (received, refusals, failures int64) {
	return k.received.Load(), k.refusals.Load(), k.failures.Load()
}

// Shown returns what is served; ok is false while nothing is.
func (k *Keeper) Shown() (r Record, ok bool) {
	if p := k.now.Load(); p != nil {
		return *p, true
	}
	return r, false
}

// Answered returns when the source last had a bundle that is as expected; the zero time when it never had.
func (k *Keeper) Answered() time.Time {
	if at := k.answered.Load(); at != 0 {
		return time.Unix(at, 0)
	}
	return time.Time{}
}

// Run works until ctx ends. It fails when there is nothing to show and waiting cannot help.
func (k *Keeper) Run(ctx context.Context) error {
	if err := k.begin(ctx); err != nil {
		return err
	}
	defer k.release()
	k.next = time.NewTimer(0)
	defer k.next.Stop()
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	patience := time.AfterFunc(startWait, func() { k.settled.Store(true) })
	defer patience.Stop()
	for {
		select {
		case <-ctx.Done():
			if k.busy {
				<-k.ended // it ends with ctx; its files are cleared by then
			}
			return nil
		case <-ticker.C:
			k.follow(ctx)
		case <-k.next.C:
			k.fetch(ctx)
		case <-k.Again:
			k.fetch(ctx)
		case r := <-k.ended:
			k.busy = false
			err := k.take(ctx, r)
			k.release() // another process may want another version of the same folder
			if err != nil && ctx.Err() == nil {
				return err
			}
			k.settled.Store(true)
			if k.asked {
				k.asked = false
				k.fetch(ctx)
			}
		}
	}
}

// begin shows what is held.
func (k *Keeper) begin(ctx context.Context) error {
	k.renew()
	k.prefer(ctx)
	stamp := k.Volume.Stamp()
	r, err := k.Volume.Recover(ctx, k.Full, k.Expect)
	for _, damage := range r.Damaged {
		k.Logger.Error("removed a damaged bundle from the volume", "error", damage)
	}
	for _, reason := range r.Unreadable {
		k.Logger.Error("cannot read a bundle on the volume, keeping it and retrying", "error", reason)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil { // nothing is known to be wrong with what is held: fetch and follow try again
		k.Logger.Error("cannot read the volume, retrying", "error", err)
	}
	if r.Version != nil {
		k.Logger.Info("serving the last verified bundle until a newer one is verified",
			"version", r.Version.Version, "digest", r.Version.Digest, "received", r.Version.Received)
		k.show(r.Version)
	} else {
		k.wait(nil)
	}
	if err == nil && len(r.Unreadable) == 0 && len(r.Damaged) == 0 {
		k.stamp = stamp
	}
	return nil
}

func (k *Keeper) show(v *Version) {
	k.shown = v.Digest
	k.now.Store(&v.Record)
	k.Show(v)
	k.shows.Store(true)
	k.waiting.Store(nil)
}

// fetch asks the source, beside everything else.
func (k *Keeper) fetch(ctx context.Context) {
	if k.busy {
		k.asked = true
		return
	}
	k.busy = true
	k.next.Stop()
	go func() {
		k.ended <- k.receive(ctx)
	}()
}

// receive asks the source, if no other process receives into the folder.
func (k *Keeper) receive(ctx context.Context) (r result) {
	if k.unlock == nil {
		if k.unlock, r.err = k.Volume.Lock(); r.err != nil {
			return r
		}
	}
	src, err := k.Source()
	if err != nil {
		r.err = err
		return r
	}
	r.source = src.Name()
	r.Outcome, r.err = k.Volume.Receive(ctx, src, k.Expect)
	return r
}

// release lets other processes receive into the folder.
func (k *Keeper) release() {
	if k.unlock != nil {
		k.unlock()
		k.unlock = nil
	}
}
