package bundlestore

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"
)

// Keeping configures a Keeper.
type Keeping struct {
	Volume *Volume
	Source func() (Source, error) // called before each fetch, because links are renewed
	Expect Expect
	Keep   int              // versions kept on the volume; at least 2, so that a rollback is possible
	Poll   time.Duration    // interval between fetches; 0 = only on request
	Full   bool             // at start, verify the contents of files, not only their sizes
	Show   func(v *Version) // starts serving a version and takes ownership of it
	Again  <-chan struct{}  // each value requests a fetch; nil = never
	Logger *slog.Logger
}

// Keeper keeps the served version up to date: at start, on request, at intervals, and when another process or an
// operator moves the pointer.
type Keeper struct {
	Keeping
	ended chan result // results of fetches
	shown string      // digest; "" before a version is shown
	// stamp of the pointer whose version is shown; a different one is retried until its version can be shown
	stamp     string
	lastError string // last logged pointer error; each is logged once
	// digest of the superseded bundle in the source's last response, so that it is logged once; "" = the last
	// response had another bundle
	passed  string
	tries   int         // consecutive failures
	busy    bool        // a fetch is running
	asked   bool        // another fetch was requested during this one
	unlock  func()      // releases the folder; nil between fetches. Owned by the running fetch, otherwise by Run.
	next    *time.Timer // when to fetch next; stopped if nothing is scheduled
	shows   atomic.Bool
	settled atomic.Bool // the first fetch has ended or exceeded startWait
	waiting atomic.Pointer[string]

	now                          atomic.Pointer[Record] // the version that is served; nil before the first
	received, refusals, failures atomic.Int64
	// when the source last returned an acceptable or unchanged bundle; Unix seconds, 0 = never
	answered atomic.Int64
}

type result struct {
	Outcome
	source string
	err    error
}

const (
	watchEvery = time.Second // interval between checks of the pointer
	// how long to wait for a new bundle at start before becoming ready with the stored one
	startWait  = 5 * time.Second
	retryFirst = 500 * time.Millisecond // doubled after each failure
	retryMost  = time.Minute
)

// NewKeeper returns a Keeper; call Run to start it.
func NewKeeper(k Keeping) *Keeper {
	k.Keep = max(k.Keep, 2)
	return &Keeper{Keeping: k, ended: make(chan result, 1)}
}

// Counts returns how many new bundles were received, how many bundles were rejected, and how many fetches failed.
func (k *Keeper) Counts() (received, refusals, failures int64) {
	return k.received.Load(), k.refusals.Load(), k.failures.Load()
}

// Shown returns the served version; ok is false before the first one.
func (k *Keeper) Shown() (r Record, ok bool) {
	if p := k.now.Load(); p != nil {
		return *p, true
	}
	return r, false
}

// Answered returns when the source last returned an acceptable bundle, or the zero time if it never did.
func (k *Keeper) Answered() time.Time {
	if at := k.answered.Load(); at != 0 {
		return time.Unix(at, 0)
	}
	return time.Time{}
}

// Run keeps the served version up to date until ctx ends. It fails if there is nothing to serve and waiting cannot
// help.
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
				<-k.ended // the fetch ends with ctx and has removed its files by then
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

// begin shows the stored version, if there is one.
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
	if err != nil { // the stored version may be intact, so fetch and follow retry
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

// fetch downloads from the source in the background.
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

// receive downloads from the source, unless another process is already downloading into the folder.
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

// release lets other processes download into the folder.
func (k *Keeper) release() {
	if k.unlock != nil {
		k.unlock()
		k.unlock = nil
	}
}
