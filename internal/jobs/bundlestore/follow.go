package bundlestore

import (
	"context"
	"errors"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// follow shows the version that the pointer refers to, if the pointer moved and the version is complete. Failures are
// retried on the next tick.
func (k *Keeper) follow(ctx context.Context) {
	stamp := k.Volume.Stamp()
	if stamp == k.stamp {
		return
	}
	p, err := k.Volume.Current()
	if err == nil && p.Digest == "" {
		if k.shown == "" {
			return // nothing has been received yet
		}
		err = errors.New("the pointer is missing")
	}
	if err == nil && p.Digest != k.shown {
		err = k.turn(ctx, p)
	}
	if err == nil {
		k.stamp, k.lastError = stamp, ""
		return
	}
	if fault.HasCode(err, CodeRefused) {
		k.stamp = stamp // another process wants another version; nothing changes until the pointer moves again
		k.Logger.Warn("ignoring pointer to a version other than the pinned one",
			"wanted", k.Expect.wanted(), "error", err)
		return
	}
	if k.lastError != err.Error() {
		k.lastError = err.Error()
		k.Logger.Error("cannot serve the current version, keeping the previous one and retrying", "error", err)
	}
}

// turn shows the version that the pointer refers to, if it is wanted.
func (k *Keeper) turn(ctx context.Context, p Pointer) error {
	r, err := k.Volume.Find(p.Digest)
	if err != nil {
		return err
	}
	overruled, err := k.Volume.allows(r, p, k.Expect)
	if err != nil {
		return err
	}
	v, err := k.Volume.whole(ctx, p.Digest, false)
	if err != nil {
		return err
	}
	k.Logger.Info("switched to another bundle version", "version", v.Version, "digest", v.Digest)
	if overruled {
		k.Logger.Warn("manual rollback overrides the pinned version until another version is pinned",
			"wanted", k.Expect.wanted(), "version", v.Version)
	}
	k.show(v)
	return nil
}

// showWanted shows a wanted version that was received although another process, which wants another version, moved
// the pointer. A superseded version is shown only if the current one is not wanted.
func (k *Keeper) showWanted(ctx context.Context, r result) {
	if !k.Expect.pinned() || r.Held || k.shown == r.Record.Digest {
		return
	}
	if now, ok := k.Shown(); ok && r.Superseded && k.Volume.agrees(now, k.Expect) == nil {
		return
	}
	v, err := k.Volume.whole(ctx, r.Record.Digest, false)
	if err != nil {
		k.Logger.Error("cannot serve the received version", "version", r.Record.Version, "error", err)
		return
	}
	k.show(v)
}

// prefer switches to a stored version that matches the pin. The link from which that version was downloaded may have
// expired.
func (k *Keeper) prefer(ctx context.Context) {
	r, moved, err := k.Volume.Prefer(ctx, k.Expect)
	if err != nil {
		k.Logger.Error("failed to search stored versions for the pinned one", "error", err)
	}
	if moved {
		k.Logger.Info("serving the pinned version from the volume", "version", r.Version, "digest", r.Digest)
	}
}

// renew stores the pin given at this start. A pin set after a rollback overrides the rollback.
func (k *Keeper) renew() {
	released, err := k.Volume.Pin(k.Expect)
	if err != nil {
		k.Logger.Error("failed to store the pinned version on the volume", "error", err)
	}
	for _, r := range released {
		k.Logger.Info("version was pinned after its rollback, allowing it again",
			"version", r.Version, "digest", r.Digest)
	}
}
