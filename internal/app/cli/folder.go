package cli

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/filestamp"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// folderTarget writes an export to a folder. Files that an earlier export left there unchanged are not touched. Others
// are written to a temporary folder and moved into place when all are complete. Files of the earlier export that are no
// longer needed are removed; all other files are left alone.
type folderTarget struct {
	name    string   // of the output folder
	root    *os.Root // the output folder
	sub     *os.Root // temporary folder inside root
	partial string
	now     *output.Dir // in root
	next    *output.Dir // in sub
	old     earlier
	known   *filestamp.Index // of files in root; may be nil
	fresh   *output.Places   // files that the earlier export did not contain
	written []digested       // files in sub
	made    string           // the output folder's name if it was created now, to be removed if the export is abandoned
}

// digested is a file with its digest.
type digested struct {
	name string
	sum  [sha256.Size]byte
}

// openFolder opens the output folder. known contains the stamps of the folder's files, which are checked; it may be
// nil.
func openFolder(out, partial string, force bool, known *filestamp.Index) (*folderTarget, error) {
	t := &folderTarget{name: out, partial: partial, known: known, fresh: output.NewPlaces()}
	if _, err := os.Stat(out); errors.Is(err, fs.ErrNotExist) {
		t.made = out
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, fmt.Errorf("create output folder: %w", err)
	}
	var err error
	if t.root, err = os.OpenRoot(out); err != nil {
		return nil, fmt.Errorf("open output folder: %w", err)
	}
	if err := t.prepare(out, force, known); err != nil {
		return nil, errors.Join(err, t.abandon())
	}
	return t, nil
}

func (t *folderTarget) prepare(out string, force bool, known *filestamp.Index) error {
	entries, err := fs.ReadDir(t.root.FS(), ".")
	if err != nil {
		return fmt.Errorf("read output folder: %w", err)
	}
	var exported bool
	if t.old, exported = findEarlier(t.root, known); len(entries) > 0 && !exported && !force {
		return fault.Newf(fault.Invalid, "not_empty",
			"The folder %s is not empty and does not contain an earlier export.", out).WithField("out").
			WithHint("Choose another folder, or write into this one with --force.")
	}
	if err := t.root.Mkdir(t.partial, 0o755); err != nil {
		return fmt.Errorf("create folder: %w", err)
	}
	if t.sub, err = t.root.OpenRoot(t.partial); err != nil {
		return fmt.Errorf("open folder: %w", err)
	}
	t.now, t.next = output.NewStampedDir(t.root, known), output.NewDir(t.sub)
	return nil
}

// Holds implements output.Holding.
func (t *folderTarget) Holds(name string, sum [sha256.Size]byte) bool {
	have, ok := t.known.Has(name)
	return ok && have == sum
}

// Put writes one file, unless it already exists.
func (t *folderTarget) Put(ctx context.Context, f output.File) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	known := t.old.take(f.Path)
	if !known {
		t.fresh.Enter(f.Path)
	}
	if f.Held || known && t.now.Has(f) {
		return nil
	}
	t.written = append(t.written, digested{f.Path, f.Digest()})
	return t.next.Put(ctx, f)
}

// stamp updates the stamps of written and removed files.
func (t *folderTarget) stamp(to *filestamp.Index, at time.Time) error {
	root, err := os.OpenRoot(t.name)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	for _, name := range t.old.left() {
		to.Forget(name)
	}
	for _, f := range t.written {
		info, err := root.Lstat(filepath.FromSlash(f.name))
		if err != nil {
			return err
		}
		to.Keep(f.name, info, at, f.sum)
	}
	return nil
}

func (t *folderTarget) commit() (int64, string, error) {
	var late []string
	for _, name := range t.old.left() {
		if t.fresh.Free(name) {
			late = append(late, name)
		} else { // it is in the way of a new file
			t.forget(name)
		}
	}
	err := t.place(".")
	for _, name := range []string{output.SignaturePath, output.ManifestPath} { // last, because they vouch for the others
		if err == nil {
			err = t.move(name)
		}
	}
	if err != nil {
		return 0, "", errors.Join(fmt.Errorf("place files: %w", err), t.finish())
	}
	for _, name := range late {
		t.forget(name)
	}
	return 0, "", t.finish()
}

// place moves the contents of a folder in the temporary folder into place; a completely new folder is moved as a
// whole.
func (t *folderTarget) place(dir string) error {
	entries, err := fs.ReadDir(t.sub.FS(), dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case name == output.ManifestPath || name == output.SignaturePath: // moved last
		case e.IsDir() && t.there(name):
			err = t.place(name)
		default:
			err = t.move(name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (t *folderTarget) there(name string) bool {
	_, err := t.root.Stat(filepath.FromSlash(name))
	return err == nil
}

// move moves a file or a whole folder. A file missing from the temporary folder was already in place.
func (t *folderTarget) move(name string) error {
	err := t.root.Rename(filepath.FromSlash(path.Join(t.partial, name)), filepath.FromSlash(name))
	if errors.Is(err, fs.ErrNotExist) && path.Dir(name) == "." {
		return nil
	}
	return err
}

// forget removes a file of an earlier export and folders that become empty. Files that cannot be removed are left.
func (t *folderTarget) forget(name string) {
	for ; name != "."; name = path.Dir(name) {
		if t.root.Remove(filepath.FromSlash(name)) != nil {
			return
		}
	}
}

// finish removes the temporary folder and closes all folders.
func (t *folderTarget) finish() error {
	var err error
	if t.sub != nil {
		err = errors.Join(t.now.Close(), t.next.Close(), t.sub.Close(), t.root.RemoveAll(t.partial))
	}
	if err = errors.Join(err, t.root.Close()); err != nil {
		return fmt.Errorf("remove unfinished files: %w", err)
	}
	return nil
}

func (t *folderTarget) abandon() error {
	err := t.finish()
	if t.made != "" {
		err = errors.Join(err, os.Remove(t.made))
	}
	return err
}

// earlier is the export that is already in a folder.
type earlier struct {
	names []string // sorted file names
	taken []bool   // whether the new export also contains the file
}

// findEarlier looks for an export in a folder. If known contains its current manifest, known also lists all its
// files.
func findEarlier(root *os.Root, known *filestamp.Index) (earlier, bool) {
	if _, ok := known.Has(output.ManifestPath); ok {
		return earlier{names: known.Names(), taken: make([]bool, len(known.Names()))}, true
	}
	f, err := root.Open(output.ManifestPath)
	if err != nil {
		return earlier{}, false
	}
	defer func() { _ = f.Close() }() // read only
	m, err := output.ParseManifest(f)
	if err != nil {
		return earlier{}, false
	}
	e := earlier{names: []string{output.ManifestPath, output.SignaturePath}}
	for _, file := range m.Files {
		e.names = append(e.names, file.Path)
	}
	slices.Sort(e.names)
	e.taken = make([]bool, len(e.names))
	return e, true
}

// take marks a file as part of the new export, and reports whether the earlier one had it.
func (e *earlier) take(name string) bool {
	i, ok := slices.BinarySearchFunc(e.names, name, strings.Compare)
	if ok {
		e.taken[i] = true
	}
	return ok
}

// left returns the files that the new export does not contain.
func (e *earlier) left() (names []string) {
	for i, name := range e.names {
		if !e.taken[i] {
			names = append(names, name)
		}
	}
	return names
}
