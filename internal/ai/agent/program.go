package agent

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/draft"
)

// worker adapts a program to the interface of a model: its answer consists of calls that write the changed files, and a
// call that ends the work.
type worker struct {
	program llm.Program
	tree    *draft.Tree
	folder  folders
	redo    bool // repeat everything
}

// folders creates an empty folder, which remove deletes.
type folders func() (dir string, remove func() error, err error)

func (w worker) Answer(ctx context.Context, ask llm.Ask, heard func(string)) (llm.Completion, error) {
	dir, remove, err := w.folder()
	if err != nil {
		return llm.Completion{}, fmt.Errorf("make a folder for the program: %w", err)
	}
	defer func() { _ = remove() }() // leftovers are removed when the process exits
	if err := copyTo(filepath.Join(dir, "docs"), w.tree); err != nil {
		return llm.Completion{}, fmt.Errorf("copy docs for the program: %w", err)
	}
	said, err := w.program.Work(ctx, filepath.Join(dir, "docs"), programTask(ask.Turns, w.redo), heard)
	if err != nil {
		return llm.Completion{}, err
	}
	changes, err := compare(w.tree, filepath.Join(dir, "docs"))
	if err != nil {
		return llm.Completion{}, err
	}
	made, err := asCalls(changes)
	if err != nil {
		return llm.Completion{}, err
	}
	out := llm.Completion{Text: said, Stop: llm.Calling}
	title, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	if title == "" {
		title = "Changes of the program"
	}
	end, err := json.Marshal(map[string]string{"title": title, "summary": said})
	if err != nil {
		return llm.Completion{}, fmt.Errorf("encode end of work: %w", err)
	}
	for _, c := range append(made, agentjob.Call{ID: "finish", Name: "finish", Input: end}) {
		out.Calls = append(out.Calls, llm.Call(c))
	}
	return out, nil
}

// copyTo copies a tree's regular files to dir. Links are skipped, because their targets may be outside the copy.
func copyTo(dir string, tree fs.FS) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	return fs.WalkDir(tree, ".", func(p string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir():
			return root.MkdirAll(p, 0o777)
		case !e.Type().IsRegular():
			return nil
		}
		data, err := fs.ReadFile(tree, p)
		if err != nil {
			return err
		}
		return root.WriteFile(p, data, 0o666)
	})
}

// newest returns the user's last message.
func newest(list []llm.Turn) string {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].From == llm.User && list[i].Text != "" {
			return list[i].Text
		}
	}
	return ""
}

// asCalls expresses changes as calls to the toolset's own tools.
func asCalls(list []draft.Change) ([]agentjob.Call, error) {
	var out []agentjob.Call
	for i, c := range list {
		name, input := "write", map[string]string{"path": c.Path}
		switch {
		case c.After == nil:
			name = "delete"
		case c.Text():
			input["text"] = string(c.After)
		default:
			input["text"], input["encoding"] = base64.StdEncoding.EncodeToString(c.After), "base64"
		}
		raw, err := json.Marshal(input)
		if err != nil {
			return nil, fmt.Errorf("encode change: %w", err)
		}
		out = append(out, agentjob.Call{ID: fmt.Sprintf("%s-%d", name, i+1), Name: name, Input: raw})
	}
	return out, nil
}

// Limits on what a program may leave in its folder.
const (
	maxLeftFiles = 200_000
	maxLeftBytes = 64 << 20 // per file, and for all changed files together
)

// compare finds what a program has changed in dir, a copy of tree. Links and other special files that it created
// are ignored.
func compare(tree *draft.Tree, dir string) ([]draft.Change, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the program's folder: %w", err)
	}
	defer func() { _ = root.Close() }()
	after := tree.Fork()
	seen, changed := map[string]bool{}, 0
	err = fs.WalkDir(root.FS(), ".", func(p string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case (!fs.ValidPath(p) || strings.ContainsRune(p, '\\')) && e.IsDir():
			return fs.SkipDir // pages cannot have this name
		case !e.Type().IsRegular() || !fs.ValidPath(p) || strings.ContainsRune(p, '\\'):
			return nil
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		if info.Size() > maxLeftBytes || len(seen) > maxLeftFiles {
			return errTooMuch
		}
		seen[p] = true
		data, err := root.ReadFile(filepath.FromSlash(p))
		if err != nil {
			return err
		}
		if was, err := tree.ReadFile(p); err == nil && bytes.Equal(was, data) {
			return nil
		}
		if changed += len(data); changed > maxLeftBytes {
			return errTooMuch
		}
		if err := after.Write(p, data); err != nil { // a folder replaced by a file
			return fault.Newf(fault.Invalid, "program_refused", "The program created %q, which cannot be used.", p).
				WithCause(err)
		}
		return nil
	})
	if errors.Is(err, fs.ErrPermission) {
		return nil, errUnreadable
	}
	if err != nil {
		return nil, fmt.Errorf("read the program's folder: %w", err)
	}
	err = fs.WalkDir(tree, ".", func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || seen[p] || !e.Type().IsRegular() {
			return err
		}
		return after.Remove(p)
	})
	if err != nil {
		return nil, fmt.Errorf("compare the program's folder: %w", err)
	}
	return after.Since(tree)
}

var (
	errTooMuch = fault.New(fault.Invalid, "program_too_much",
		"The program left too many files, or files that are too large, in the docs folder.")
	errUnreadable = fault.New(fault.Invalid, "program_unreadable",
		"The program left files in the docs folder that cannot be read.")
)
