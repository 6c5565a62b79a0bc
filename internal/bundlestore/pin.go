package bundlestore

import (
	"context"
	"slices"
)

// pinned tells whether only some versions are wanted.
func (e Expect) pinned() bool { return e.Version != "" || e.SHA256 != "" || e.PublicKey != nil }

// Prefer moves the pointer to the newest whole version that is as wanted, when the current one is not. It stays when there is none, or
// only such as were rolled back from.
func (v *Volume) Prefer(ctx context.Context, want Expect) (r Record, moved bool, err error) {
	now, err := v.Current()
	if err != nil || now.Digest == "" || !want.pinned() {
		return r, false, nil // Recover sees to a pointer that cannot be read
	}
	if r, err = v.Find(now.Digest); err == nil && v.agrees(r, want) == nil {
		return r, false, nil
	}
	list, err := v.List()
	if err != nil {
		return r, false, err
	}
	for _, r := range list {
		if slices.Contains(now.Held, r.Digest) || v.agrees(r, want) != nil {
			continue
		}
		if _, err := v.intact(ctx, r.Digest); err != nil {
			continue // reported when it is to be served
		}
		return r, true, v.Point(Pointer{Digest: r.Digest, Held: now.Held})
	}
	return r, false, nil
}
