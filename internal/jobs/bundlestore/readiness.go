package bundlestore

import (
	"fmt"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Ready reports whether a version is served and the start is complete: a new bundle was activated, or none is
// expected soon. While a pin is not met, nothing is served, so a rollout with that pin stops here and the existing
// pods continue to serve.
func (k *Keeper) Ready() bool { return k.shows.Load() && k.settled.Load() }

// Waiting returns a message for operators that says why the keeper is not ready, or "" if it is ready. It lists the
// stored versions and may name the source's host or path, but never contains the secret part of a link.
func (k *Keeper) Waiting() string {
	if k.Ready() {
		return ""
	}
	if reason := k.waiting.Load(); reason != nil {
		return *reason
	}
	return "checking the source for a newer bundle"
}

// WaitingFor returns a message for the public that says why the keeper is not ready, or "" if it is ready. It reveals
// nothing about the source or the stored versions.
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

// wait records why nothing is served. err is the error of the last fetch, nil before the first.
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

// wanted describes the pin.
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
