package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/lectern-docs/lectern/internal/fault"
	"github.com/lectern-docs/lectern/internal/outtree"
)

// folderTarget is a folder of files. They are written beside their place and moved when all are there; files of an
// earlier export that the new one lacks are removed, other people's are left alone.
type folderTarget struct {
	root    *os.Root // the output folder
	sub     *os.Root // partial, inside root
	partial string
	dir     *outtree.Dir
	old     []string // files of the export that was there before
	made    string   // the output folder's name if it was made now, to be removed again when abandoned
}

func openFolder(out, partial string, force bool) (*folderTarget, error) {
	t := &folderTarget{partial: partial}
	if _, err := os.Stat(out); errors.Is(err, fs.ErrNotExist) {
		t.made = out
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, fmt.Errorf("make output folder: %w", err)
	}
	var err error
	if t.root, err = os.OpenRoot(out); err != nil {
		return nil, fmt.Errorf("open output folder: %w", err)
	}
	if err := t.prepare(out, force); err != nil {
		return nil, errors.Join(err, t.abandon())
	}
	return t, nil
}

func (t *folderTarget) prepare(out string, force bool) error {
	entries, err := fs.ReadDir(t.root.FS(), ".")
	if err != nil {
		return fmt.Errorf("read output folder: %w", err)
	}
	var exported bool
	if t.old, exported = t.earlier(); len(entries) > 0 && !exported && !force {
		return fault.Newf(fault.Invalid, "not_empty", "The folder %s is not empty and holds no earlier export.", out).WithField("out").
			WithHint("Choose another, or write into it with --force.")
	}
	if err := t.root.Mkdir(t.partial, 0o755); err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	if t.sub, err = t.root.OpenRoot(t.partial); err != nil {
		return fmt.Errorf("open folder: %w", err)
	}
	t.dir = outtree.NewDir(t.sub)
	return nil
}

// earlier lists the files of an export that is in the folder already.
func (t *folderTarget) earlier() (files []string, ok bool) {
	data, err := t.root.ReadFile(outtree.ManifestPath)
	if err != nil {
		return nil, false
	}
	var m struct {
		Format   int    `json:"format"`
		TreeHash string `json:"treeHash"`
		Files    []struct {
			Path string `json:"path"`
		} `json:"files"`
	}
	if json.Unmarshal(data, &m) != nil || m.Format != 1 || m.TreeHash == "" {
		return nil, false
	}
	for _, f := range m.Files {
		if outtree.ValidPath(f.Path) {
			files = append(files, f.Path)
		}
	}
	return files, true
}

// Put writes one file.
func (t *folderTarget) Put(ctx context.Context, f outtree.File) error { return t.dir.Put(ctx, f) }

func (t *folderTarget) commit() (int64, string, error) {
	placed := map[string]bool{}
	err := fs.WalkDir(t.sub.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == outtree.ManifestPath {
			return err
		}
		placed[name] = true
		return t.place(name)
	})
	if err == nil { // last: it vouches for the others
		err = t.place(outtree.ManifestPath)
	}
	if err != nil {
		return 0, "", errors.Join(fmt.Errorf("place files: %w", err), t.finish())
	}
	for _, name := range t.old {
		if !placed[name] {
			t.forget(name)
		}
	}
	return 0, "", t.finish()
}

// place moves a file from the partial folder to its own place.
func (t *folderTarget) place(name string) error {
	if dir := path.Dir(name); dir != "." {
		if err := t.root.MkdirAll(filepath.FromSlash(dir), 0o755); err != nil {
			return err
		}
	}
	return t.root.Rename(filepath.FromSlash(path.Join(t.partial, name)), filepath.FromSlash(name))
}

// forget removes an earlier export's file and the folders that it leaves empty. What cannot be removed stays.
func (t *folderTarget) forget(name string) {
	for ; name != "."; name = path.Dir(name) {
		if t.root.Remove(filepath.FromSlash(name)) != nil {
			return
		}
	}
}

// finish removes the partial folder and lets go of everything.
func (t *folderTarget) finish() error {
	var err error
	if t.sub != nil {
		err = errors.Join(t.sub.Close(), t.root.RemoveAll(t.partial))
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
