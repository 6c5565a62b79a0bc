package bundlestore

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/durable"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/filelock"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// Names in the folder; doc.go describes them.
const (
	lockName, currentName, sourceName, pinName   = "lock", "current", "source", "pin"
	incomingName, versionsName                   = "incoming", "versions"
	recordName, tableName, filesName, packedName = "record", "table", "files", "gzip"
)

// Record describes a stored version.
type Record struct {
	Digest   string        `json:"digest"`  // SHA-256 of the archive, in hex; of a folder, TreeHash
	Version  string        `json:"version"` // label in the manifest; "" if it has none
	Commit   string        `json:"commit"`
	TreeHash string        `json:"treeHash"`
	Features []string      `json:"features"` // included features, such as "search"; nil in records of earlier versions
	Pages    int           `json:"pages"`
	Files    int           `json:"files"`
	Bytes    int64         `json:"bytes"` // total size of all files, uncompressed
	Received time.Time     `json:"received"`
	Table    output.Digest `json:"table"`
}

// Name returns the version's label, or the start of its digest.
func (r Record) Name() string {
	if r.Version != "" {
		return r.Version
	}
	return r.Digest[:12]
}

// Pointer records which version is served.
type Pointer struct {
	Digest string `json:"digest"`
	// digests that were rolled back: receiving one again does not activate it
	Held []string `json:"held,omitempty"`
	// number of the newest receipt when the pointer was last moved manually; 0 = never, or no receipt
	Chosen int64 `json:"chosen,omitempty"`
}

var digestForm = lazyregexp.New(`^[0-9a-f]{64}$`)

// Volume is the folder with the stored versions.
type Volume struct {
	// If Shared is true, a link whose bundle was received before and replaced since does not move the pointer back,
	// even when a process starts with that link: on a volume shared by many processes, it may be a process of an
	// earlier release. If Shared is false, the link given at start is what the operator wants.
	Shared bool

	asked string // key of the receipt that Receive handled last in this process; "" = none

	dir  string
	now  func() time.Time
	step func(name string) // called after each step of a change to the folder; may be nil
	// the last rejected bundle, so that it is not downloaded again; nil = none. Owned by Receive.
	no *refusal
}

// at reports a completed step of a change to the folder.
func (v *Volume) at(step string) {
	if v.step != nil {
		v.step(step)
	}
}

// Open opens a volume's folder, creating it if needed.
func Open(dir string, now func() time.Time) (*Volume, error) {
	for _, name := range []string{incomingName, versionsName} {
		if err := durable.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			return nil, fault.Newf(fault.Invalid, "bad_setting", "data: the folder %s cannot be used.", dir).
				WithField("data").WithCause(err).
				WithHint("It must be writable; bundles are stored there.")
		}
	}
	return &Volume{dir: dir, now: now}, nil
}

// Existing opens a volume's folder, which must exist.
func Existing(dir string, now func() time.Time) (*Volume, error) {
	if _, err := os.Stat(filepath.Join(dir, versionsName)); err != nil {
		return nil, fault.Newf(fault.NotFound, "no_volume", "There are no bundles in %s.", dir).WithField("data").
			WithCause(err).
			WithHint("Use the same --data as lectern serve-bundle.")
	}
	return &Volume{dir: dir, now: now}, nil
}

// CodeInUse is the fault code for a folder into which another process downloads.
const CodeInUse = "volume_in_use"

// Lock reserves downloads into the folder for this process, and removes the incomplete work of earlier processes.
func (v *Volume) Lock() (unlock func(), err error) {
	f, err := os.OpenFile(v.path(lockName), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("open lock: %w", err)
	}
	if err := filelock.Try(f, filelock.Exclusive); err != nil {
		return nil, errors.Join(fault.Newf(fault.Conflict, CodeInUse, "Another process is downloading bundles to %s.",
			v.dir).WithField("data").WithCause(err), f.Close())
	}
	if err := v.clear(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() { _ = f.Close() }, nil
}

// clear empties incoming, except for versions that a process still has open.
func (v *Volume) clear() error {
	list, err := os.ReadDir(v.path(incomingName))
	if err != nil {
		return fmt.Errorf("clear incoming: %w", err)
	}
	for _, e := range list {
		release, ok := claim(v.path(incomingName, e.Name()))
		if !ok {
			continue // another process still serves this damaged version
		}
		err := os.RemoveAll(v.path(incomingName, e.Name()))
		if release(); err != nil {
			return fmt.Errorf("clear incoming: %w", err)
		}
	}
	return v.clearDrafts()
}

// draftLife is the age after which a half-written pointer cannot still be in use: a rollback writes the pointer
// without the lock.
const draftLife = time.Hour

// clearDrafts removes temporary files that a killed process left next to the pointer, receipts and pin files.
func (v *Volume) clearDrafts() error {
	for _, name := range []string{currentName, sourceName, pinName} {
		drafts, err := filepath.Glob(v.path("." + name + "-*"))
		if err != nil {
			return fmt.Errorf("clear drafts: %w", err)
		}
		for _, draft := range drafts {
			if info, err := os.Lstat(draft); err != nil || v.now().Sub(info.ModTime()) < draftLife {
				continue
			}
			if err := os.Remove(draft); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("clear drafts: %w", err)
			}
		}
	}
	return nil
}

func (v *Volume) path(names ...string) string {
	return filepath.Join(append([]string{v.dir}, names...)...)
}

// Current reads the pointer. It returns the zero Pointer if no version has been activated yet.
func (v *Volume) Current() (p Pointer, err error) {
	data, err := os.ReadFile(v.path(currentName))
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return Pointer{}, fmt.Errorf("read pointer: %w", err)
	}
	if err = json.Unmarshal(data, &p); err == nil && !digestForm.MatchString(p.Digest) {
		err = errors.New("it contains no version")
	}
	if err != nil {
		return Pointer{}, damaged(fmt.Errorf("read pointer: %w", err))
	}
	return p, nil
}

// Stamp returns a value that changes whenever the pointer does.
func (v *Volume) Stamp() string {
	info, err := os.Stat(v.path(currentName))
	if err != nil {
		return ""
	}
	inode := uint64(0)
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		inode = s.Ino
	}
	return fmt.Sprint(inode, info.ModTime().UnixNano(), info.Size())
}

// Point activates a stored version.
func (v *Volume) Point(p Pointer) error {
	if _, err := v.Find(p.Digest); err != nil {
		return err
	}
	data, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("write pointer: %w", err)
	}
	return v.replace(currentName, append(data, '\n'))
}

// Find reads a version's record.
func (v *Volume) Find(digest string) (r Record, err error) {
	if !digestForm.MatchString(digest) {
		return r, fault.New(fault.NotFound, "unknown_version", "Version not found.")
	}
	data, err := os.ReadFile(v.path(versionsName, digest, recordName))
	if errors.Is(err, fs.ErrNotExist) {
		return r, damaged(fault.Newf(fault.NotFound, "unknown_version", "Version not found: %s.", digest[:12]))
	}
	if err == nil {
		err = parseRecord(data, digest, &r)
	}
	if err != nil {
		return Record{}, fmt.Errorf("read record of version %s: %w", digest[:12], err)
	}
	return r, nil
}

// parseRecord parses a record that was read completely, so a failure proves that the record is damaged.
func parseRecord(data []byte, digest string, r *Record) error {
	if err := json.Unmarshal(data, r); err != nil {
		return damaged(err)
	}
	if r.Digest != digest {
		return damaged(errors.New("belongs to another version"))
	}
	return nil
}

// List returns every version with a complete record, newest first. It fails if a record cannot be read, because the
// list would be incomplete.
func (v *Volume) List() ([]Record, error) {
	entries, err := os.ReadDir(v.path(versionsName))
	if err != nil {
		return nil, fmt.Errorf("list versions: %w", err)
	}
	var out []Record
	for _, e := range entries {
		r, err := v.Find(e.Name())
		if err == nil {
			out = append(out, r)
		} else if _, ours := fault.As(err); !ours && !isDamage(err) {
			return nil, err
		}
	}
	slices.SortStableFunc(out, func(a, b Record) int { return b.Received.Compare(a.Received) })
	return out, nil
}
