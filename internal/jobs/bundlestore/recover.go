package bundlestore

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Recovery is the result of Recover.
type Recovery struct {
	Version    *Version // closed by the caller; nil if no complete version is stored
	Damaged    []error  // why versions that should be served were removed
	Unreadable []error  // why versions that should be served cannot be used now; they are kept, and a retry may succeed
}

// Recover opens the version to serve: the current one or, if that is damaged, the newest complete one, to which it then
// moves the pointer. It removes a version that is proven damaged and that no process has open, so that it can be
// received again. If the current version merely cannot be read, its files and the pointer are kept, and Recover opens
// an older version in its place. Versions that are not wanted are not touched.
func (v *Volume) Recover(ctx context.Context, full bool, want Expect) (out Recovery, err error) {
	list, err := v.List()
	if err != nil {
		return out, err
	}
	now, err := v.Current()
	if err != nil && !isDamage(err) {
		return out, err
	}
	if err != nil {
		out.Damaged = append(out.Damaged, err)
	}
	for _, digest := range v.order(list, now, want) {
		version, err := v.whole(ctx, digest, full)
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if err != nil && !isDamage(err) {
			out.Unreadable = append(out.Unreadable, err)
			continue
		}
		if err != nil {
			out.Damaged = append(out.Damaged, errors.Join(err, v.drop(digest)))
			continue
		}
		out.Version = version
		if digest != now.Digest && len(out.Unreadable) == 0 {
			err = v.Point(Pointer{Digest: digest, Held: now.Held})
		}
		return out, err
	}
	return out, nil
}

// drop removes a damaged version and returns an error if the version cannot be removed.
func (v *Volume) drop(digest string) error {
	removed, err := v.discard(digest)
	if err == nil && !removed {
		err = errors.New("it was not removed because another process is serving it")
	}
	return err
}

// order returns the versions to try, only wanted ones: the current one first, then those that were not rolled back,
// newest first.
func (v *Volume) order(list []Record, now Pointer, want Expect) (order []string) {
	// The pointer is empty in a new folder, or if a process was killed between storing the first version and pointing
	// to it.
	if now.Digest != "" {
		r, err := v.Find(now.Digest)
		if err == nil {
			_, err = v.allows(r, now, want)
		}
		if !fault.HasCode(err, CodeRefused) { // an unreadable version is tried so that its error is reported
			order = append(order, now.Digest)
		}
	}
	for _, r := range list {
		if r.Digest == now.Digest || slices.Contains(now.Held, r.Digest) {
			continue
		}
		if _, err := v.allows(r, now, want); err == nil {
			order = append(order, r.Digest)
		}
	}
	return order
}

// whole opens a version and checks that it is complete.
func (v *Volume) whole(ctx context.Context, digest string, full bool) (*Version, error) {
	version, err := v.OpenVersion(digest)
	if err != nil {
		return nil, fmt.Errorf("open version: %w", err)
	}
	if err := version.Check(ctx, full); err != nil {
		return nil, errors.Join(err, version.Close())
	}
	return version, nil
}
