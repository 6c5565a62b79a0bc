package bundlestore

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/lectern-docs/lectern/internal/fault"
)

// Keeping says how a Keeper works.
type Keeping struct {
	Volume *Volume
	Source func() (Source, error) // asked before each fetch, since links are renewed
	Expect Expect
	Keep   int              // versions that stay on the volume; at least 2, so that one can go back
	Poll   time.Duration    // between fetches; 0 = only when told
	Full   bool             // compare contents at the start, not only sizes
	Show   func(v *Version) // shows a version from now on, and owns it
	Again  <-chan struct{}  // each value asks for a fetch; nil = never
	Logger *slog.Logger
}

// Keeper keeps what is shown up to date: at its start, when told, from time to time, and when somebody moves the pointer.
type Keeper struct {
	Keeping
	ended   chan result // ends of fetches
	shown   string      // digest; "" while nothing is
	stamp   string      // of the pointer whose version is shown; another one is followed until it can be shown
	trouble string      // the last error about the pointer that was logged, so that each is logged once
	tries   int         // failures in a row
	busy    bool        // a fetch is under way
	asked   bool        // somebody asked for another meanwhile
	unlock  func()      // gives the folder up; nil while another process receives into it. Of the fetch under way, else of Run.
	next    *time.Timer // when to fetch by itself; stopped when not
	shows   atomic.Bool
	settled atomic.Bool // the first fetch has ended, or took too long to wait for

	now                          atomic.Pointer[Record] // what is shown; nil while nothing is
	received, refusals, failures atomic.Int64
	answered                     atomic.Int64 // when the source last gave a bundle that was taken or has not changed; Unix seconds, 0 = never
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

// Ready tells whether a version is shown and the start is over: with a new bundle, or because it does not come.
func (k *Keeper) Ready() bool { return k.shows.Load() && k.settled.Load() }

// Counts are how many bundles were received anew, how many were refused, and how many fetches failed.
func (k *Keeper) Counts() (received, refusals, failures int64) {
	return k.received.Load(), k.refusals.Load(), k.failures.Load()
}

// Shown is what is served; ok is false while nothing is.
func (k *Keeper) Shown() (r Record, ok bool) {
	if p := k.now.Load(); p != nil {
		return *p, true
	}
	return r, false
}

// Answered is when the source last had a bundle that is as expected; the zero time when it never had.
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
	defer func() {
		if k.unlock != nil {
			k.unlock()
		}
	}()
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
			if err := k.take(ctx, r); err != nil && ctx.Err() == nil {
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
	k.prefer(ctx)
	stamp := k.Volume.Stamp()
	r, err := k.Volume.Recover(ctx, k.Full)
	for _, damage := range r.Damaged {
		k.Logger.Error("removed a damaged bundle from the volume", "error", damage)
	}
	for _, reason := range r.Unreadable {
		k.Logger.Error("a bundle on the volume cannot be read now and is kept; trying again", "error", reason)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil { // nothing is known to be wrong with what is held: fetch and follow try again
		k.Logger.Error("the volume cannot be read now; trying again", "error", err)
	}
	if r.Version != nil {
		k.Logger.Info("serving the last verified bundle until a new one is verified", "version", r.Version.Version, "digest", r.Version.Digest, "received", r.Version.Received)
		k.show(r.Version)
	}
	if err == nil && len(r.Unreadable) == 0 && len(r.Damaged) == 0 {
		k.stamp = stamp
	}
	return nil
}

// prefer turns to a version that is pinned and kept, since its link may have expired.
func (k *Keeper) prefer(ctx context.Context) {
	r, moved, err := k.Volume.Prefer(ctx, k.Expect)
	if err != nil {
		k.Logger.Error("look for the pinned version among those that are kept", "error", err)
	}
	if moved {
		k.Logger.Info("the pinned version is kept and served", "version", r.Version, "digest", r.Digest)
	}
}

func (k *Keeper) show(v *Version) {
	k.shown = v.Digest
	k.now.Store(&v.Record)
	k.Show(v)
	k.shows.Store(true)
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

// take sees to what came of a fetch.
func (k *Keeper) take(ctx context.Context, r result) error {
	if r.err != nil {
		return k.failed(ctx, r)
	}
	k.tries = 0
	k.answered.Store(k.Volume.now().Unix())
	if k.Poll > 0 {
		k.next.Reset(k.Poll)
	}
	switch {
	case r.Held:
		k.Logger.Warn("the bundle was rolled back from and is not activated", "source", r.source, "version", r.Record.Version, "digest", r.Record.Digest)
	case r.Activated:
		k.received.Add(1)
		k.Logger.Info("bundle verified and activated", "source", r.source, "version", r.Record.Version, "digest", r.Record.Digest, "files", r.Record.Files, "bytes", r.Record.Bytes)
	default:
		k.Logger.Debug("the source has nothing new", "source", r.source)
	}
	k.follow(ctx)
	gone, err := k.Volume.Prune(k.Keep)
	for _, old := range gone {
		k.Logger.Info("old bundle removed", "version", old.Version, "digest", old.Digest)
	}
	if err != nil {
		k.Logger.Error("remove old bundles", "error", err)
	}
	return nil
}

// failed tells of a fetch that brought nothing, and plans the next.
func (k *Keeper) failed(ctx context.Context, r result) error {
	if fault.HasCode(r.err, CodeInUse) {
		if k.tries++; k.tries == 1 {
			k.Logger.Info("another process receives bundles into this folder; serving what it has until it ends")
		}
		k.next.Reset(watchEvery)
		return nil
	}
	refusal := fault.HasCode(r.err, CodeRefused)
	if refusal {
		k.refusals.Add(1)
	} else {
		k.failures.Add(1)
	}
	f, isFault := fault.As(r.err)
	passing := !isFault || f.Kind == fault.Unavailable         // an error that is no fault is this machine's, such as a full disk
	expected := k.Poll > 0 && errors.Is(r.err, fs.ErrNotExist) // a file that somebody else is about to write, such as the first scheduled export
	if k.shown == "" && !passing && !expected {
		return r.err
	}
	wait := k.Poll
	if passing {
		wait = min(retryFirst<<min(k.tries, 16), retryMost)
		k.tries++
	}
	if wait > 0 {
		k.next.Reset(wait)
	}
	what := "no bundle could be fetched; the last verified one is served"
	switch {
	case k.shown == "":
		what = "no bundle could be fetched, and there is none to serve; trying again"
	case refusal:
		what = "a bundle was refused; the last verified one is served"
	}
	k.prefer(ctx)
	k.follow(ctx)
	args := []any{"source", r.source, "error", r.err, "served", k.shown}
	if isFault {
		args = append(args, "reason", f.Public, "hint", f.Hint)
	}
	k.Logger.Error(what, args...)
	return nil
}

// follow shows what the pointer points to, if somebody moved it and that is whole. What cannot be shown now is tried again at the next look.
func (k *Keeper) follow(ctx context.Context) {
	stamp := k.Volume.Stamp()
	if stamp == k.stamp {
		return
	}
	p, err := k.Volume.Current()
	if err == nil && p.Digest == "" {
		if k.shown == "" {
			return // nothing was received yet
		}
		err = errors.New("the pointer is gone")
	}
	if err == nil && p.Digest != k.shown {
		var v *Version
		if v, err = k.Volume.whole(ctx, p.Digest, false); err == nil {
			k.Logger.Info("switched", "version", v.Version, "digest", v.Digest)
			k.show(v)
		}
	}
	if err == nil {
		k.stamp, k.trouble = stamp, ""
		return
	}
	if k.trouble != err.Error() {
		k.trouble = err.Error()
		k.Logger.Error("the version that is pointed to cannot be served; the one before stays; trying again", "error", err)
	}
}
