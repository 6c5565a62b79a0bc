package buildcache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Names of files: packs, those of other formats, and what is being written. Their first part is the time of their
// making, so that they sort by age.
const (
	packEnding = ".pack1"
	tempEnding = ".tmp"
	tagName    = "CACHEDIR.TAG"
)

// tag marks the folder, for us and for programs that make backups.
const tag = "Signature: 8a477f597d28d172789f06886806bc55\n# Build cache of Lectern. Its files can be removed at any time.\n"

var ourName = regexp.MustCompile(`^[0-9a-f]{16}-[0-9a-f]+-[0-9a-f]+\.(pack[0-9]+|tmp)$`)

// openFolder makes the folder if it is missing and opens it. No other user may be able to change it: a forged pack
// would forge pages.
func openFolder(dir string) (root *os.Root, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make cache folder: %w", err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return nil, fmt.Errorf("look at cache folder: %w", err)
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

// claim checks that the open folder is the one that was seen, that it is this user's alone, and that it holds a cache
// or nothing.
func claim(root *os.Root, seen fs.FileInfo, dir string) error {
	info, err := root.Stat(".")
	if err != nil {
		return fmt.Errorf("look at cache folder: %w", err)
	}
	owner, known := info.Sys().(*syscall.Stat_t)
	switch {
	case !os.SameFile(info, seen):
		return fmt.Errorf("use cache folder: %s was replaced meanwhile", dir)
	case known && int(owner.Uid) != os.Geteuid():
		return fmt.Errorf("use cache folder: %s belongs to another user", dir)
	case info.Mode()&0o002 != 0:
		return fmt.Errorf("use cache folder: %s is writable by everyone", dir)
	}
	if info.Mode().Perm() != 0o700 { // made by hand, or by an orchestrator that opens volumes to a group
		if err := root.Chmod(".", 0o700); err != nil {
			return fmt.Errorf("close cache folder to others: %w", err)
		}
	}
	return mark(root, dir)
}

// mark writes the tag, unless it is there. A folder with other files in it and no tag is not ours.
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

// file is a pack, of any format, or one being written.
type file struct {
	name string
	size int64
	used time.Time // when a build found something in it, to a minute; for one being written, when that happened last
}

func (f file) isPack() bool { return strings.HasSuffix(f.name, packEnding) }
func (f file) isTemp() bool { return strings.HasSuffix(f.name, tempEnding) }

// listFiles lists our files. Those that vanish meanwhile are left out.
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

// createTemp makes a new file. Processes have different numbers; those of different machines that share a folder try
// again.
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

// packName returns the name that a temporary file gets when it is a pack.
func packName(temp string) string { return strings.TrimSuffix(temp, tempEnding) + packEnding }

// absolute returns a folder's full path, as messages show it.
func absolute(dir string) string {
	if full, err := filepath.Abs(dir); err == nil {
		return full
	}
	return dir
}
