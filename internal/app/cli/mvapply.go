package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/site/rename"
)

// applying is a plan in progress. Completed steps can be undone in reverse order.
type applying struct {
	root  *os.Root
	names id.Source
	undo  []func() error
	left  []string // staged contents that were not used
	spare []string // old contents, kept for undo
}

// applyPlan applies a whole plan or, if a step fails, nothing. It first writes all new contents to temporary files, so
// that every later step is only a rename.
func applyPlan(r *run, root *os.Root, plan *rename.Plan) error {
	a := &applying{root: root, names: id.Source{Rand: r.Rand}}
	if err := a.done(a.run(plan)); err != nil {
		return err
	}
	for _, m := range plan.Moves { // remove folders that are empty now
		for dir := path.Dir(m.From); dir != "."; dir = path.Dir(dir) {
			if root.Remove(filepath.FromSlash(dir)) != nil {
				break
			}
		}
	}
	return nil
}

// done keeps the changes if err is nil, and otherwise undoes them. In both cases it removes temporary files.
func (a *applying) done(err error) error {
	if err != nil {
		for i := len(a.undo) - 1; i >= 0; i-- {
			err = errors.Join(err, a.undo[i]())
		}
	} else {
		a.left = append(a.left, a.spare...)
	}
	for _, name := range a.left {
		if gone := a.root.Remove(name); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	if err != nil {
		return fmt.Errorf("change files: %w", err)
	}
	return nil
}

func (a *applying) run(plan *rename.Plan) error {
	from := map[string]string{}
	for _, m := range plan.Moves {
		from[m.To] = m.From
	}
	partial := make([]string, len(plan.Edits))
	for i, e := range plan.Edits {
		was := e.File
		if old, moved := from[e.File]; moved {
			was = old
		}
		var err error
		if partial[i], err = a.stage(was, e.After); err != nil {
			return err
		}
	}
	for _, m := range plan.Moves {
		if err := a.mkdir(path.Dir(m.To)); err != nil {
			return err
		}
		if err := a.rename(filepath.FromSlash(m.From), filepath.FromSlash(m.To)); err != nil {
			return err
		}
	}
	for i, e := range plan.Edits {
		if err := a.replace(partial[i], filepath.FromSlash(e.File)); err != nil {
			return err
		}
	}
	return nil
}

// stage writes a file's new content to a temporary file in the root folder, with the old file's permissions.
func (a *applying) stage(was string, data []byte) (string, error) {
	info, err := a.root.Stat(filepath.FromSlash(was))
	if err != nil {
		return "", err
	}
	return a.stageAs(data, info.Mode().Perm())
}

func (a *applying) stageAs(data []byte, mode fs.FileMode) (string, error) {
	name := a.names.New(".partial-")
	a.left = append(a.left, name)
	f, err := a.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	return name, errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
}

func (a *applying) mkdir(dir string) error {
	if dir == "." {
		return nil
	}
	if _, err := a.root.Stat(filepath.FromSlash(dir)); err == nil {
		return nil
	}
	if err := a.mkdir(path.Dir(dir)); err != nil {
		return err
	}
	name := filepath.FromSlash(dir)
	if err := a.root.Mkdir(name, 0o755); err != nil {
		return err
	}
	a.undo = append(a.undo, func() error { return a.root.Remove(name) })
	return nil
}

func (a *applying) rename(from, to string) error {
	if err := a.root.Rename(from, to); err != nil {
		return err
	}
	a.undo = append(a.undo, func() error { return a.root.Rename(to, from) })
	return nil
}

// replace moves a staged file to the path of an existing one. The existing file is kept until everything is done.
func (a *applying) replace(partial, name string) error {
	if err := a.setAside(name); err != nil {
		return err
	}
	return a.rename(partial, name)
}

func (a *applying) setAside(name string) error {
	spare := a.names.New(".partial-")
	if err := a.rename(name, spare); err != nil {
		return err
	}
	a.spare = append(a.spare, spare)
	return nil
}
