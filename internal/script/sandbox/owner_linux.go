package sandbox

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// nobody is the user id that a program has outside the sandbox when root starts it.
const nobody = 65534

// canSkipUserNamespace reports whether this process is root and has the privileges to set up a sandbox without a
// user namespace.
func canSkipUserNamespace() bool {
	const need = 1<<unix.CAP_SYS_ADMIN | 1<<unix.CAP_SETUID | 1<<unix.CAP_SETGID | 1<<unix.CAP_CHOWN | 1<<unix.CAP_DAC_OVERRIDE | 1<<unix.CAP_KILL
	if os.Geteuid() != 0 || !maps("/proc/self/uid_map", nobody) || !maps("/proc/self/gid_map", nobody) {
		return false
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(status), "\nCapEff:\t")
	word, _, _ := strings.Cut(rest, "\n")
	have, err := strconv.ParseUint(word, 16, 64)
	return err == nil && have&need == need
}

// maps reports whether our user namespace maps an id.
func maps(file string, id uint64) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var first, outside, count uint64
		if n, err := fmt.Sscan(lines.Text(), &first, &outside, &count); n == 3 && err == nil && id >= first &&
			id-first < count {
			return true
		}
	}
	return false
}

const maxDepth = 100 // nesting of folders

// owner is the user and group that own a folder.
type owner struct{ uid, gid int }

// chownTree changes the owner of a folder and everything in it, and the modes of its folders so that the owner can
// read, change and remove them. It does not follow links. Only root can change owners; for other users it only
// changes modes. It visits at most most files.
func chownTree(dir string, to owner, most int) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	w := &chowner{root: root, to: to, left: 2 * most, chown: os.Geteuid() == 0}
	return w.walk(".", 0)
}

type chowner struct {
	root  *os.Root
	to    owner
	left  int
	chown bool
}

func (w *chowner) walk(at string, depth int) error {
	if w.left--; w.left < 0 || depth > 2*maxDepth {
		return errors.New("the folder has too many files")
	}
	info, err := w.root.Lstat(at)
	if err != nil {
		return err
	}
	if w.chown {
		if err := w.root.Lchown(at, w.to.uid, w.to.gid); err != nil {
			return err
		}
	}
	if !info.IsDir() {
		return nil
	}
	if info.Mode().Perm()&0o700 != 0o700 {
		if err := w.root.Chmod(at, info.Mode().Perm()|0o700); err != nil {
			return err
		}
	}
	names, err := names(w.root, at)
	for _, name := range names { // continue after errors
		if failed := w.walk(filepath.Join(at, name), depth+1); err == nil {
			err = failed
		}
	}
	return err
}

// names lists a folder. It does not use fs.FS, because file names do not have to be valid UTF-8.
func names(root *os.Root, at string) ([]string, error) {
	f, err := root.Open(at)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}
