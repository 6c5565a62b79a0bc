package bundlestore

import (
	"context"
	"errors"
	"io/fs"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// take handles the result of a fetch.
func (k *Keeper) take(ctx context.Context, r result) error {
	if r.err != nil {
		return k.failed(ctx, r)
	}
	k.tries = 0
	k.answered.Store(k.Volume.now().Unix())
	if k.Poll > 0 {
		k.next.Reset(k.Poll)
	}
	passed := k.passed
	if k.passed = ""; r.Superseded {
		k.passed = r.Record.Digest
	}
	switch {
	case r.Superseded && passed != k.passed:
		k.Logger.Warn("source offers a bundle that was already replaced, not activating it",
			"source", r.source, "version", r.Record.Version,
			"digest", r.Record.Digest, "hint",
			"to go back to it, pin its version, give a new link, or use `lectern serve-bundle rollback`")
	case r.Held:
		k.Logger.Warn("not activating a bundle that was rolled back",
			"source", r.source, "version", r.Record.Version, "digest", r.Record.Digest)
	case r.Activated:
		k.received.Add(1)
		k.Logger.Info("bundle verified and activated", "source", r.source, "version", r.Record.Version, "digest",
			r.Record.Digest, "files", r.Record.Files, "bytes", r.Record.Bytes)
	default:
		k.Logger.Debug("source unchanged", "source", r.source)
	}
	k.follow(ctx)
	k.showWanted(ctx, r)
	gone, err := k.Volume.Prune(k.Keep, k.shown)
	for _, old := range gone {
		k.Logger.Info("old bundle removed", "version", old.Version, "digest", old.Digest)
	}
	if err != nil {
		k.Logger.Error("failed to remove old bundles", "error", err)
	}
	return nil
}

// failed logs a failed fetch and schedules the next one.
func (k *Keeper) failed(ctx context.Context, r result) error {
	if fault.HasCode(r.err, CodeInUse) {
		if k.tries++; k.tries == 1 {
			k.Logger.Info("another process downloads bundles into this folder, following its pointer")
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
	// An error that is not a fault is local, such as a full disk.
	passing := !isFault || f.Kind == fault.Unavailable
	// The file may not exist yet because another process will write it, such as the first scheduled export.
	expected := k.Poll > 0 && errors.Is(r.err, fs.ErrNotExist)
	// Exiting would not provide the wanted version either, and the link may still be replaced.
	unmet := k.shown == "" && k.Expect.pinned()
	if k.shown == "" && !passing && !expected && !unmet {
		return r.err
	}
	wait := k.Poll
	if passing || unmet && wait == 0 {
		wait = min(retryFirst<<min(k.tries, 16), retryMost)
		k.tries++
	}
	if wait > 0 {
		k.next.Reset(wait)
	}
	if k.shown == "" { // otherwise keep the pointer: processes that share the folder may want another version
		k.prefer(ctx)
		k.follow(ctx)
	}
	k.wait(r.err)
	args := []any{"source", r.source, "error", r.err, "served", k.shown}
	if isFault {
		args = append(args, "reason", f.Public, "hint", f.Hint)
	}
	k.Logger.Error(k.consequence(refusal), args...)
	return nil
}

// consequence describes what a failed fetch means for readers.
func (k *Keeper) consequence(refusal bool) string {
	switch {
	case k.shown == "" && k.Expect.pinned():
		return "not ready: " + k.Expect.wanted() + " is required, but neither downloaded nor stored; retrying"
	case k.shown == "":
		return "bundle download failed and no stored bundle to serve, retrying"
	case refusal:
		return "bundle refused, still serving the last verified one"
	}
	return "bundle download failed, still serving the last verified one"
}
