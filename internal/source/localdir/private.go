package localdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// hidden is a folder that a walk leaves out. Its files are not only secret: where the database is one of them, reading
// it would break it, because a process that closes a file gives up every lock it holds on that file (POSIX), and the
// next program to open the database would take it for abandoned.
type hidden struct{ info fs.FileInfo } // nil = none

func identify(folder string) hidden {
	if folder == "" {
		return hidden{}
	}
	info, err := os.Stat(folder)
	if err != nil {
		return hidden{} // what does not exist cannot be walked into
	}
	return hidden{info}
}

// skip is fs.SkipDir for the hidden folder, whatever name or mount leads to it.
func (h hidden) skip(d fs.DirEntry) error {
	if h.info == nil {
		return nil
	}
	info, err := d.Info()
	if errors.Is(err, fs.ErrNotExist) {
		return fs.SkipDir // removed while we walked
	}
	if err == nil && os.SameFile(info, h.info) {
		return fs.SkipDir
	}
	return err
}

// Within reports whether path, links followed, is the folder or below it. Nothing is within "".
func Within(path, folder string) bool {
	h := identify(folder)
	if h.info == nil {
		return false
	}
	at, err := filepath.EvalSymlinks(absolute(path))
	if err != nil {
		return false // opening it reports why
	}
	for {
		if info, err := os.Stat(at); err == nil && os.SameFile(info, h.info) {
			return true
		}
		up := filepath.Dir(at)
		if up == at {
			return false
		}
		at = up
	}
}

// Private is the fault of a source inside the server's own data.
func Private(field string) error {
	return fault.New(fault.Forbidden, "private_source", "The source is inside the server's data folder.").
		WithField(field).WithHint("Keep documentation outside the server's data folder.")
}
