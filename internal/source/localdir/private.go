package localdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// hidden is a folder that a walk skips. Its files are secret. In addition, reading the database could corrupt it. When
// a process closes a file, POSIX releases all locks that the process holds on that file, and another program that opens
// the database would then treat it as unused.
type hidden struct{ info fs.FileInfo } // nil = none

func identify(folder string) hidden {
	if folder == "" {
		return hidden{}
	}
	info, err := os.Stat(folder)
	if err != nil {
		return hidden{} // it does not exist, so no walk reaches it
	}
	return hidden{info}
}

// skip returns fs.SkipDir for the hidden folder, under any name or mount.
func (h hidden) skip(d fs.DirEntry) error {
	if h.info == nil {
		return nil
	}
	info, err := d.Info()
	if errors.Is(err, fs.ErrNotExist) {
		return fs.SkipDir // removed during the walk
	}
	if err == nil && os.SameFile(info, h.info) {
		return fs.SkipDir
	}
	return err
}

// Within reports whether path, with links resolved, is the folder or below it. Nothing is within "".
func Within(path, folder string) bool {
	h := identify(folder)
	if h.info == nil {
		return false
	}
	at, err := filepath.EvalSymlinks(absolute(path))
	if err != nil {
		return false // opening it returns the error
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

// Private returns the fault for a source inside the server's own data.
func Private(field string) error {
	return fault.New(fault.Forbidden, "private_source", "The source is inside the server's data folder.").
		WithField(field).WithHint("Keep documentation outside the server's data folder.")
}
