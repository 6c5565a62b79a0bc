package bundlestore

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Rollback points to an older version. name is a version label or the start of a digest; if it is empty, the version
// received before the current one is used. Newer versions are put on hold, so that fetching them again does not undo
// the rollback.
func (v *Volume) Rollback(name string) (Record, error) {
	list, err := v.List()
	if err != nil {
		return Record{}, err
	}
	now, err := v.Current()
	if err != nil {
		return Record{}, err
	}
	at, err := pick(list, now.Digest, name)
	if err != nil {
		return Record{}, err
	}
	before, err := v.receipts()
	if err != nil {
		return Record{}, err
	}
	next := Pointer{Digest: list[at].Digest, Chosen: before.number()}
	for _, newer := range list[:at] {
		next.Held = append(next.Held, newer.Digest)
	}
	return list[at], v.Point(next)
}

// pick finds the version to roll back to. list is ordered from newest to oldest.
func pick(list []Record, current, name string) (int, error) {
	if name == "" {
		at := slices.IndexFunc(list, func(r Record) bool { return r.Digest == current })
		if at < 0 || at+1 >= len(list) {
			return 0, fault.New(fault.NotFound, "no_older_version", "No version older than the current one is stored.").
				WithHint("`lectern serve-bundle versions` lists the stored versions; name one of them.")
		}
		return at + 1, nil
	}
	at := slices.IndexFunc(list, func(r Record) bool { return r.Version == name })
	if at < 0 && len(name) >= 6 {
		at = slices.IndexFunc(list, func(r Record) bool { return strings.HasPrefix(r.Digest, name) })
	}
	if at < 0 {
		return 0, fault.Newf(fault.NotFound, "unknown_version", "Version %q is not stored.", name).
			WithHint("`lectern serve-bundle versions` lists the stored versions.")
	}
	return at, nil
}

// Prune removes all versions except the newest keep, the current one, the one that this process serves, and those
// that any process has open.
func (v *Volume) Prune(keep int, shown string) ([]Record, error) {
	list, err := v.List()
	if err != nil {
		return nil, err
	}
	now, err := v.Current()
	if err != nil {
		return nil, err
	}
	var gone []Record
	for i, r := range list {
		if i < keep || r.Digest == now.Digest || r.Digest == shown {
			continue
		}
		removed, err := v.discard(r.Digest)
		if err != nil {
			return gone, err
		}
		if removed {
			gone = append(gone, r)
		}
	}
	return gone, nil
}

// discard removes a version unless a process has it open. It moves the version out of the versions folder in one
// step, so that no process finds only part of it.
func (v *Volume) discard(digest string) (removed bool, err error) {
	folder, aside := v.path(versionsName, digest), v.path(incomingName, "gone-"+digest)
	release, ok := claim(folder)
	if !ok {
		return false, nil
	}
	defer release()
	if err := os.Rename(folder, aside); err != nil {
		return false, fmt.Errorf("remove version: %w", err)
	}
	if err := os.RemoveAll(aside); err != nil {
		return false, fmt.Errorf("remove version: %w", err)
	}
	return true, nil
}

// displace moves a damaged version away so that it can be stored again. A process that has the damaged version open
// can continue to use it: its folder is renamed, and deleted once the version is closed.
func (v *Volume) displace(digest string) error {
	folder := v.path(versionsName, digest)
	if release, ok := claim(folder); ok {
		defer release()
		return os.RemoveAll(folder)
	}
	// The name is unused; only the process with the lock uses incoming.
	aside, err := os.MkdirTemp(v.path(incomingName), "used-*")
	if err == nil {
		err = os.Remove(aside)
	}
	if err != nil {
		return err
	}
	return os.Rename(folder, aside)
}
