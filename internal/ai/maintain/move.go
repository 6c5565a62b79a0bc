package maintain

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/draft"
	"github.com/lectern-docs/lectern/internal/site/rename"
)

// MoveChanges returns the changes that move a page, file or folder in a draft: the files themselves, and the links,
// imports, navigation entries and redirects that refer to them. The error is a fault if the names are invalid.
func MoveChanges(ctx context.Context, tree *draft.Tree, from, to string) ([]draft.Change, *rename.Plan, error) {
	plan, err := rename.New(ctx, tree, rename.Options{Old: from, New: to})
	if err != nil {
		return nil, nil, err
	}
	after := map[string][]byte{}
	for _, e := range plan.Edits {
		after[e.File] = e.After
	}
	var list []draft.Change
	for _, m := range plan.Moves {
		data, edited := after[m.To]
		if !edited {
			if data, err = tree.ReadFile(m.From); err != nil {
				return nil, nil, fmt.Errorf("read moved file: %w", err)
			}
		}
		delete(after, m.To)
		list = append(list, draft.Change{Path: m.From}, draft.Change{Path: m.To, After: data})
	}
	for _, e := range plan.Edits {
		if data, still := after[e.File]; still {
			list = append(list, draft.Change{Path: e.File, After: data})
		}
	}
	return list, plan, nil
}

// movePages carries out the task's moves one by one. A move that fails does not prevent the others.
func (j *job) movePages() error {
	for _, m := range j.task.Moves {
		m, why, err := j.resolveMove(m)
		if err != nil {
			return err
		}
		if why != "" {
			j.left(m.From, 0, "move to "+m.To, why)
			continue
		}
		changes, plan, err := MoveChanges(j.ctx, j.tree, m.From, m.To)
		if fault.HasCode(err, "not_found") && j.exists(m.To) {
			continue // it has been moved already
		}
		if f, ok := fault.As(err); ok && f.Kind != fault.Internal {
			j.left(m.From, 0, "move to "+m.To, strings.TrimSuffix(f.Public, "."))
			continue
		}
		if err != nil {
			return err
		}
		if ok, err := j.applyTogether(changes); err != nil {
			return err
		} else if !ok {
			j.left(m.From, 0, "move to "+m.To, "it would change more files than a task may change")
			continue
		}
		for _, one := range plan.Moves {
			j.done(one.From, 0, "moved to %s", one.To)
		}
		for _, note := range plan.Notes {
			j.left(m.To, 0, note, "please check")
		}
	}
	return nil
}

// resolveMove completes a move: From may be a page's title or the last part of its path, and To may be a folder, with a
// slash at the end. If it is not certain which page From refers to, why is the reason.
func (j *job) resolveMove(m Move) (out Move, why string, err error) {
	into := strings.HasSuffix(m.To, "/")
	if !j.exists(m.From) && !(j.exists(m.To) && !into) {
		v, err := j.load()
		if err != nil {
			return m, "", err
		}
		page, why := v.find(m.From)
		switch {
		case why == noSuchPage:
			return m, "", nil // not a file either; the plan of the move reports it
		case page == nil:
			return m, why, nil
		}
		if m.From = page.File; path.Ext(m.To) == "" && !into {
			m.To += path.Ext(page.File)
		}
	}
	if into {
		m.To = path.Join(m.To, path.Base(m.From))
	}
	return m, "", nil
}

// exists reports whether a path is a file or folder of the draft, or a page without its extension.
func (j *job) exists(name string) bool {
	name = strings.Trim(path.Clean("/"+name), "/")
	for _, extension := range []string{"", ".mdx", ".md"} {
		if _, err := fs.Stat(j.tree, name+extension); err == nil {
			return true
		}
	}
	return false
}

// applyTogether makes changes that belong together, or none of them if they exceed the task's limits.
func (j *job) applyTogether(list []draft.Change) (bool, error) {
	files, size := len(j.sizes), j.size
	for _, c := range list {
		old, differs := j.sizes[c.Path]
		if !differs {
			files++
		}
		size += int64(len(c.After)) - old
	}
	if files > j.task.MaxFiles || size > j.task.MaxBytes {
		return false, nil
	}
	for _, c := range list {
		was, err := j.tree.ReadFile(c.Path)
		if err != nil {
			was = nil // it is new
		}
		if _, known := j.before[c.Path]; !known {
			j.before[c.Path] = was
		}
		j.size += int64(len(c.After)) - j.sizes[c.Path]
		j.sizes[c.Path] = int64(len(c.After))
	}
	if err := j.tree.Apply(list); err != nil {
		return false, fmt.Errorf("move files: %w", err)
	}
	return true, nil
}
