package draft

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// Tree is a folder with changes applied. Concurrent reads are safe; a write must not run concurrently with other
// calls.
type Tree struct {
	base    fs.FS
	written map[string][]byte // path → new content; nil = removed
	was     map[string][]byte // path of a written file → its content in the base at the first write; nil = none
	folders map[string]int    // folder → number of written files below it
}

// New returns a draft of base, without changes.
func New(base fs.FS) *Tree {
	return &Tree{base: base, written: map[string][]byte{}, was: map[string][]byte{}, folders: map[string]int{}}
}

// Write sets the content of a file. It creates the file and its folders if necessary. The tree keeps a reference to
// data.
func (t *Tree) Write(name string, data []byte) error {
	if err := t.checkWrite(name); err != nil {
		return err
	}
	if data == nil {
		data = []byte{}
	}
	return t.set(name, data)
}

// Remove removes a file.
func (t *Tree) Remove(name string) error {
	info, err := t.Stat(name)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return &fs.PathError{Op: "remove", Path: name, Err: errIsFolder}
	}
	return t.set(name, nil)
}

var (
	errIsFolder = errors.New("it is a folder")
	errUnderOne = errors.New("a file has the name of one of its folders")
)

// checkWrite rejects paths that cannot be a file: paths outside the folder, existing folders, and paths below a file.
func (t *Tree) checkWrite(name string) error {
	bad := func(err error) error { return &fs.PathError{Op: "write", Path: name, Err: err} }
	if !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\\\x00") {
		return bad(fs.ErrInvalid)
	}
	if info, err := t.Stat(name); err == nil && info.IsDir() {
		return bad(errIsFolder)
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		// Removed files count too: for a path below such a file, the base returns an error other than "does not exist".
		if info, err := fs.Stat(t.base, dir); err == nil && !info.IsDir() {
			return bad(errUnderOne)
		}
		if info, err := t.Stat(dir); err == nil && !info.IsDir() {
			return bad(errUnderOne)
		}
	}
	return nil
}

// set also stores the file's content in the base. The folder may change later, and such changes are not part of the
// draft.
func (t *Tree) set(name string, data []byte) error {
	if _, ok := t.was[name]; !ok {
		before, err := before(t.base, name)
		if err != nil {
			return err
		}
		t.was[name] = before
	}
	if old, ok := t.written[name]; ok && old != nil {
		t.count(name, -1)
	}
	t.written[name] = data
	if data != nil {
		t.count(name, 1)
	}
	return nil
}

// before returns the content of a file in the base, or nil if it does not exist.
func before(folder fs.FS, name string) ([]byte, error) {
	data, err := fs.ReadFile(folder, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read file before its change: %w", err)
	}
	return orEmpty(data), nil
}

func (t *Tree) count(name string, by int) {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if t.folders[dir] += by; t.folders[dir] == 0 {
			delete(t.folders, dir)
		}
	}
}

// Fork returns a second draft with the same changes. Later writes to either draft do not affect the other.
func (t *Tree) Fork() *Tree {
	return &Tree{base: t.base, written: maps.Clone(t.written), was: maps.Clone(t.was), folders: maps.Clone(t.folders)}
}

// Changes lists the files that differ from the base as it was when each of them was first written, sorted by name. A
// file that was written with its old content is not included. The tree keeps references to both contents.
func (t *Tree) Changes() ([]Change, error) {
	return t.since(func(name string) ([]byte, error) { return t.was[name], nil })
}

// Since lists the files that differ from an earlier state of the same draft. t must have been forked from earlier.
func (t *Tree) Since(earlier *Tree) ([]Change, error) {
	return t.since(func(name string) ([]byte, error) { return before(earlier, name) })
}

func (t *Tree) since(earlier func(name string) ([]byte, error)) ([]Change, error) {
	var out []Change
	for _, name := range slices.Sorted(maps.Keys(t.written)) {
		before, err := earlier(name)
		if err != nil {
			return nil, err
		}
		c := Change{Path: name, Before: before, After: t.written[name]}
		if c.Before == nil && c.After == nil || c.Before != nil && c.After != nil && bytes.Equal(c.Before, c.After) {
			continue
		}
		out = append(out, c)
	}
	return out, nil
}

// Apply applies a list of changes from another draft.
func (t *Tree) Apply(list []Change) error {
	for _, c := range list {
		var err error
		if c.After == nil {
			err = t.Remove(c.Path)
		} else {
			err = t.Write(c.Path, c.After)
		}
		if err != nil {
			return fmt.Errorf("apply change: %w", err)
		}
	}
	return nil
}

func orEmpty(data []byte) []byte {
	if data == nil {
		return []byte{}
	}
	return data
}
