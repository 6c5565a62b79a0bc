package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lectern-docs/lectern/internal/foundation/durable"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// CreateFile writes a backup to a new file that only its owner can read. Until the backup is complete and synced, the
// file is named FILE.partial-….
func CreateFile(ctx context.Context, name string, src Source) (m Manifest, err error) {
	if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return m, fault.Newf(fault.Conflict, "file_exists", "%s already exists; a backup never replaces a file.", name).
			WithField("file").
			WithHint("Give each backup its own name, such as lectern-$(date +%F).tar.gz.").WithCause(err)
	}
	temp, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".partial-*")
	if err != nil {
		return m, fmt.Errorf("create backup file: %w", err)
	}
	defer func() { err = errors.Join(err, ignoreMissing(os.Remove(temp.Name()))) }()
	m, err = create(ctx, temp, src)
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return m, err
	}
	err = os.Link(temp.Name(), name) // unlike a rename, this never replaces a file
	if err != nil && !errors.Is(err, fs.ErrExist) {
		err = os.Rename(temp.Name(), name) // the file system has no hard links
	}
	if err != nil {
		return m, fmt.Errorf("rename backup file: %w", err)
	}
	if err := durable.Sync(filepath.Dir(name)); err != nil {
		return m, err
	}
	src.note(m.MadeAt)
	return m, nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
