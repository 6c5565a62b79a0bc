package buildcache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// File name extensions: packs, packs in other formats, and files being written. Names begin with the creation time, so
// that they sort by age.
const (
	packEnding = ".pack1"
	tempEnding = ".tmp"
	tagName    = "CACHEDIR.TAG"
)

// tag marks the folder, for this program and for backup programs.
const tag = "Signature: 8a477f597d28d172789f06886806bc55\n# Build cache of Lectern. Its files can be removed at any time.\n"

var ourName = lazyregexp.New(`^[0-9a-f]{16}-[0-9a-f]+-[0-9a-f]+\.(pack[0-9]+|tmp)$`)

// openFolder opens the folder, and creates it if it is missing. No other user may have write access, because a forged
// pack would lead to forged pages.
func openFolder(dir string) (root *os.Root, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create cache folder: %w", err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return nil, fmt.Errorf("inspect cache folder: %w", err)
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return nil, fmt.Errorf("use cache folder: %s is a symbolic link", dir)
	}
	if root, err = os.OpenRoot(dir); err != nil {
		return nil, fmt.Errorf("open cache folder: %w", err)
	}
	if err := claim(root, info, dir); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return root, nil
}

// claim checks that the open folder is the one that was examined, that only this user can access it, and that it
// contains a cache or is empty.
func claim(root *os.Root, seen fs.FileInfo, dir string) error {
	info, err := root.Stat(".")
	if err != nil {
		return fmt.Errorf("inspect cache folder: %w", err)
	}
	owner, known := info.Sys().(*syscall.Stat_t)
	switch {
	case !os.SameFile(info, seen):
		return fmt.Errorf("use cache folder: %s was replaced while it was being opened", dir)
	case known && int(owner.Uid) != os.Geteuid():
		return fmt.Errorf("use cache folder: %s belongs to another user", dir)
	case info.Mode()&0o002 != 0:
		return fmt.Errorf("use cache folder: %s is writable by everyone", dir)
	}
	if info.Mode().Perm() != 0o700 { // created manually, or by an orchestrator that opens volumes to a group
		if err := root.Chmod(".", 0o700); err != nil {
			return fmt.Errorf("restrict cache folder to its owner: %w", err)
		}
	}
	return mark(root, dir)
}

// mark writes the tag if it is missing. It rejects a folder that contains other files and no tag.
func mark(root *os.Root, dir string) error {
	if have, err := root.ReadFile(tagName); err == nil {
		if string(have) == tag {
			return nil
		}
		return fmt.Errorf("use cache folder: %s is a cache of another program", dir)
	}
	names, err := readNames(root)
	if err != nil {
		return err
	}
	for _, e := range names {
		if name := e.Name(); name != tagName && !ourName.MatchString(name) {
			return fmt.Errorf("use cache folder: %s holds other files, such as %s", dir, name)
		}
	}
	f, name, err := createTemp(root, time.Unix(0, 0))
	if err != nil {
		return err
	}
	_, err = f.WriteString(tag)
	if err = errors.Join(err, f.Close()); err == nil {
		err = root.Rename(name, tagName)
	}
	if err != nil {
		_ = root.Remove(name)
		return fmt.Errorf("mark cache folder: %w", err)
	}
	return nil
}

func readNames(root *os.Root) ([]fs.DirEntry, error) {
	f, err := root.Open(".")
	if err != nil {
		return nil, fmt.Errorf("open cache folder: %w", err)
	}
	defer func() { _ = f.Close() }()
	list, err := f.ReadDir(-1)
	if err != nil {
		return nil, fmt.Errorf("list cache folder: %w", err)
	}
	// messages name the first
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}

// file is a pack in any format, or a file being written.
type file struct {
	name string
	size int64
	used time.Time // last use by a build, to a minute; for a file being written, the last write
}

func (f file) isPack() bool { return strings.HasSuffix(f.name, packEnding) }
func (f file) isTemp() bool { return strings.HasSuffix(f.name, tempEnding) }

// listFiles lists the cache's files. It skips files that disappear in the meantime.
func listFiles(root *os.Root) (out []file, err error) {
	entries, err := readNames(root)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !ourName.MatchString(e.Name()) || !e.Type().IsRegular() {
			continue
		}
		if info, err := root.Lstat(e.Name()); err == nil {
			out = append(out, file{name: e.Name(), size: info.Size(), used: info.ModTime()})
		}
	}
	return out, nil
}

// createTemp creates a new file. Its name contains the process id. If a process on another machine that shares the
// folder has taken the name, it tries the next one.
func createTemp(root *os.Root, now time.Time) (f *os.File, name string, err error) {
	for n := range 1000 {
		name = fmt.Sprintf("%016x-%x-%x%s", max(now.UnixNano(), 0), os.Getpid(), n, tempEnding)
		if f, err = root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return nil, "", fmt.Errorf("create pack: %w", err)
	}
	return f, name, nil
}

// packName returns the final name of a temporary file.
func packName(temp string) string { return strings.TrimSuffix(temp, tempEnding) + packEnding }

// absolute returns the full path of a folder, for messages.
func absolute(dir string) string {
	if full, err := filepath.Abs(dir); err == nil {
		return full
	}
	return dir
}
