package bundlestore

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// pinned reports whether only certain versions are acceptable.
func (e Expect) pinned() bool { return e.Version != "" || e.SHA256 != "" || e.PublicKey != nil }

// named reports whether one specific version is wanted, rather than any version with a valid signature.
func (e Expect) named() bool { return e.Version != "" || e.SHA256 != "" }

// pin is the stored form of the version that was wanted at the last start.
type pin struct {
	Version   string `json:"version"`
	SHA256    string `json:"sha256"`
	PublicKey []byte `json:"publicKey"`
}

// Pin stores which version is wanted from now on. If the pin changed, rolled-back versions that match it are allowed
// again: the new pin is more recent than the rollback. While the pin stays the same, a manual rollback takes
// precedence.
func (v *Volume) Pin(want Expect) (released []Record, err error) {
	data, err := json.Marshal(pin{want.Version, want.SHA256, want.PublicKey})
	if err != nil {
		return nil, fmt.Errorf("write pin: %w", err)
	}
	data = append(data, '\n')
	before, err := os.ReadFile(v.path(pinName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read pin: %w", err)
	}
	if bytes.Equal(before, data) || len(before) == 0 && !want.pinned() {
		return nil, nil
	}
	if want.pinned() {
		if released, err = v.release(want); err != nil {
			return nil, err
		}
	}
	return released, v.replace(pinName, data)
}

// release removes wanted versions from the list of rolled-back versions.
func (v *Volume) release(want Expect) (released []Record, err error) {
	now, err := v.Current()
	if err != nil || len(now.Held) == 0 {
		return nil, nil // Recover handles an unreadable pointer
	}
	next := Pointer{Digest: now.Digest, Chosen: now.Chosen}
	for _, digest := range now.Held {
		if r, err := v.Find(digest); err == nil && v.agrees(r, want) == nil {
			released = append(released, r)
		} else {
			next.Held = append(next.Held, digest)
		}
	}
	if len(released) == 0 {
		return nil, nil
	}
	return released, v.Point(next)
}

// allows reports whether a version may be served. overruled is true if it is not the wanted version but the target of
// a manual rollback from it. The error is a refusal if the version may not be served.
func (v *Volume) allows(r Record, now Pointer, want Expect) (overruled bool, err error) {
	if !want.pinned() {
		return false, nil
	}
	if err = v.agrees(r, want); !fault.HasCode(err, CodeRefused) {
		return false, nil // wanted, or unreadable, in which case opening it fails
	}
	if r.Digest == now.Digest {
		for _, digest := range now.Held {
			if held, findErr := v.Find(digest); findErr == nil && v.agrees(held, want) == nil {
				return true, nil
			}
		}
	}
	return false, err
}

// Prefer moves the pointer to the newest complete version that is wanted, if the current one is not. It does not move
// the pointer if there is no such version, or if all of them were rolled back.
func (v *Volume) Prefer(ctx context.Context, want Expect) (r Record, moved bool, err error) {
	now, err := v.Current()
	if err != nil || now.Digest == "" || !want.pinned() {
		return r, false, nil // Recover handles an unreadable pointer
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
			continue // the error is reported when the version is served
		}
		return r, true, v.Point(Pointer{Digest: r.Digest, Held: now.Held})
	}
	return r, false, nil
}
