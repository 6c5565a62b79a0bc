package bundlestore

import (
	"fmt"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Ready reports whether a version is shown and the start is over: with a new bundle, or because it does not come. While
// a pin is not met nothing is shown, so that a rollout to it stops here and the pods before it serve on.
func (k *Keeper) Ready() bool { return k.shows.Load() && k.settled.Load() }

// Waiting returns why the keeper is not ready, for operators; "" when it is. It names what is kept, and may name the
// source's host or path, but holds no secret of a link.
func (k *Keeper) Waiting() string {
	if k.Ready() {
		return ""
	}
	if reason := k.waiting.Load(); reason != nil {
		return *reason
	}
	return "checking the source for a newer bundle"
}

// WaitingFor returns why the keeper is not ready, for everybody; "" when it is. It reveals nothing about the source or
// the stored versions.
func (k *Keeper) WaitingFor() string {
	switch {
	case k.Ready():
		return ""
	case k.shows.Load():
		return "checking for a newer bundle"
	case k.Expect.pinned():
		return k.Expect.wanted() + " is required but not available yet"
	}
	return "no bundle yet"
}

// wait notes why nothing is shown; err is of the last fetch, nil before the first.
func (k *Keeper) wait(err error) {
	if k.shown != "" {
		return
	}
	reason := "no bundle is stored; checking the source for one"
	if k.Expect.pinned() {
		reason = k.Expect.wanted() + " is required but not stored (stored: " + k.kept() + ")"
	}
	if f, ok := fault.As(err); ok {
		reason += "; last result from the source: " + f.Public
	} else if err != nil {
		reason += "; the last fetch failed, see the log"
	}
	k.waiting.Store(&reason)
}

// kept lists the versions on the volume.
func (k *Keeper) kept() string {
	list, err := k.Volume.List()
	if err != nil {
		return "unknown, the volume cannot be read"
	}
	if len(list) == 0 {
		return "nothing"
	}
	names := make([]string, len(list))
	for i, r := range list {
		names[i] = fmt.Sprintf("%q", r.Name())
	}
	return strings.Join(names, ", ")
}

// wanted names what is pinned.
func (e Expect) wanted() string {
	var parts []string
	if e.Version != "" {
		parts = append(parts, fmt.Sprintf("version %q", e.Version))
	}
	if e.SHA256 != "" {
		parts = append(parts, "a bundle with SHA-256 "+e.SHA256)
	}
	if e.PublicKey != nil {
		parts = append(parts, "a bundle with a signature of the given key")
	}
	return strings.Join(parts, ", ")
}
