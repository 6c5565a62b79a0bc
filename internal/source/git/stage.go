package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/draft"
)

// rawTime formats a time in git's unambiguous format.
func rawTime(t time.Time) string { return "@" + strconv.FormatInt(max(t.Unix(), 0), 10) + " +0000" }

// id parses the single object id that git printed.
func (b *workRepo) id(out string) (string, error) {
	id := strings.TrimSpace(out)
	if !objectID.MatchString(id) || formatOf(id) != b.format {
		return "", errors.New("read object id: unexpected output from git")
	}
	return id, nil
}

// stage returns the tree of a commit after applying the changes to the remote's folder.
func (b *workRepo) stage(ctx context.Context, commit string, changes []draft.Change) (string, error) {
	folder, err := cleanFolder(b.j.remote.Folder)
	if err != nil {
		return "", err
	}
	there := map[string]string{} // path below the folder → mode
	if err := b.j.all(ctx, &b.mirror, commit+":"+folder, func(l leaf) { there[l.path] = l.mode }); err != nil {
		return "", err
	}
	if err := fit(there, changes); err != nil {
		return "", err
	}
	ids, err := b.blobs(ctx, changes)
	if err != nil {
		return "", err
	}
	return b.treeWith(ctx, commit, indexLines(folder, there, changes, ids))
}

// indexLines returns the input of git update-index: "mode id stage<TAB>path", mode 0 to remove. Executable files
// stay executable.
func indexLines(folder string, there map[string]string, changes []draft.Change, ids []string) string {
	var lines strings.Builder
	for i, c := range changes {
		mode, id := modeFile, ids[i]
		if there[c.Path] == modeProgram {
			mode = modeProgram
		}
		if c.After == nil {
			mode, id = "0", strings.Repeat("0", len(id))
		}
		fmt.Fprintf(&lines, "%s %s 0\t%s\x00", mode, id, path.Join(folder, c.Path))
	}
	return lines.String()
}

// fit rejects changes that conflict with the tree: a link or submodule in the way, a file where a folder is, the
// same file twice.
func fit(there map[string]string, changes []draft.Change) error {
	after := make(map[string]string, len(there)+len(changes))
	for p, mode := range there {
		after[p] = mode
	}
	named := map[string]bool{}
	for _, c := range changes {
		mode := there[c.Path]
		switch {
		case named[c.Path]:
			return fault.Newf(fault.Invalid, "bad_change", "%q is changed twice.", c.Path)
		case mode == modeModule:
			return fault.Newf(fault.Forbidden, "path_not_allowed", "%q is a submodule of the repository.", c.Path)
		case mode == modeLink && c.After != nil:
			return notThroughLinks(c.Path)
		}
		named[c.Path] = true
		delete(after, c.Path)
		if c.After != nil {
			after[c.Path] = modeFile
		}
	}
	folders := map[string]bool{}
	for p := range after {
		for dir := path.Dir(p); dir != "." && !folders[dir]; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	for _, c := range changes {
		if c.After != nil && folders[c.Path] {
			return fault.Newf(fault.Invalid, "bad_change", "%q is a folder of the repository.", c.Path)
		}
		for dir := path.Dir(c.Path); dir != "."; dir = path.Dir(dir) {
			switch mode, file := after[dir]; {
			case mode == modeLink || mode == modeModule:
				return notThroughLinks(c.Path)
			case file && c.After != nil:
				return fault.Newf(fault.Invalid, "bad_change", "%q is inside a path that is a file in the repository.",
					c.Path)
			}
		}
	}
	return nil
}

func notThroughLinks(p string) error {
	return fault.Newf(fault.Forbidden, "path_not_allowed", "%q is a symbolic link, or its path contains one.", p).
		WithHint("Change the file that the link points to.")
}

// blobs stores the contents unfiltered and returns their ids; removed files have the null id.
func (b *workRepo) blobs(ctx context.Context, changes []draft.Change) ([]string, error) {
	dir := filepath.Join(b.dir, "contents")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create folder for file contents: %w", err)
	}
	var names strings.Builder
	for i, c := range changes {
		name := filepath.Join(dir, strconv.Itoa(i))
		if err := os.WriteFile(name, c.After, 0o600); err != nil {
			return nil, fmt.Errorf("write content: %w", err)
		}
		names.WriteString(name + "\n")
	}
	out, err := b.run(ctx, nil, strings.NewReader(names.String()), "hash-object", "-w", "--no-filters", "--stdin-paths")
	if err != nil {
		return nil, err
	}
	ids := strings.Fields(out)
	if len(ids) != len(changes) {
		return nil, errors.New("store contents: unexpected output from git")
	}
	return ids, nil
}
