package doctor

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Folder checks the data folder.
type Folder struct {
	Path     string
	Secret   bool // the folder should contain the secret key
	Database bool // the folder contains the database
}

// Free space thresholds for a data folder, in bytes: publishing a large site can need this much.
const (
	littleSpace = 2 << 30
	noSpace     = 200 << 20
)

// Look checks that the folder is writable, its free space, and who may read it.
func (f Folder) Look(_ context.Context) []Finding {
	info, err := os.Stat(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return []Finding{f.missing()}
	}
	if err != nil || !info.IsDir() {
		return []Finding{failure("Set a folder with --data.", "%s cannot be used as the data folder.", f.Path)}
	}
	var found []Finding
	probe, err := os.CreateTemp(f.Path, ".doctor-")
	if err != nil {
		return []Finding{failure("Give the server's user write permission there, or choose another folder with --data.",
			"The data folder %s cannot be written to: %v.", f.Path, err)}
	}
	_ = probe.Close()
	_ = os.Remove(probe.Name())
	if info.Mode().Perm()&0o077 != 0 {
		found = append(found, warning("chmod 700 "+f.Path,
			"Other users of this machine can read the data folder (mode %o).", info.Mode().Perm()))
	}
	return append(append(found, f.space()), f.secret()...)
}

func (f Folder) missing() Finding {
	parent, err := filepath.Abs(filepath.Dir(f.Path))
	if err == nil {
		err = syscall.Access(parent, 2) // W_OK
	}
	if err != nil && !errors.Is(err, syscall.ENOENT) {
		return failure("Create it for the server's user.",
			"The data folder %s does not exist, and this user cannot create it.", f.Path)
	}
	return warning("If this server already has data, pass the right folder with --data.",
		"The data folder %s does not exist yet. The server creates it when it first starts.", f.Path)
}

func (f Folder) space() Finding {
	var s syscall.Statfs_t
	if err := syscall.Statfs(f.Path, &s); err != nil {
		return warning("", "The free space of %s cannot be measured: %v.", f.Path, err)
	}
	free := int64(s.Bavail) * int64(s.Bsize)
	switch mb := free >> 20; {
	case free < noSpace:
		return failure(
			"Free some space: run lectern cache clear, keep fewer bundles (export.keep-for), or use a larger disk.",
			"The disk of the data folder is full: %d MB left.", mb)
	case free < littleSpace:
		return warning("Free some space before it is full; nothing can be published then.",
			"The disk of the data folder has %d MB left.", mb)
	default:
		return fine("The data folder %s is writable; %d MB free.", f.Path, mb)
	}
}

// secret checks that the key exists and that no other user can read it.
func (f Folder) secret() []Finding {
	if !f.Secret {
		return nil
	}
	name := filepath.Join(f.Path, "secret.key")
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Stat(filepath.Join(f.Path, "lectern.db")); err != nil && f.Database {
			return nil // before the first start
		}
		return []Finding{failure(
			"Restore it from a backup, or set it with LECTERN_SECRET_KEY or secret-key-file. Without it, no API key works.", "The secret key %s is missing.", name)}
	case err != nil:
		return []Finding{failure("Give the server's user read permission.", "The secret key cannot be checked: %v.",
			err)}
	case info.Mode().Perm()&0o077 != 0:
		return []Finding{failure("chmod 600 "+name+
			". If others had access to this machine, change the key as described in docs/guides/operations.mdx.",
			"Other users of this machine can read the secret key (mode %o).", info.Mode().Perm())}
	}
	if f, err := os.Open(name); err != nil {
		return []Finding{failure("Give the server's user read permission.", "The secret key cannot be read: %v.", err)}
	} else {
		_ = f.Close()
	}
	return []Finding{fine("Only its owner can read the secret key.")}
}
