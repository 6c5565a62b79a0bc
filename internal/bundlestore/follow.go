package bundlestore

import (
	"context"
	"errors"
)

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
