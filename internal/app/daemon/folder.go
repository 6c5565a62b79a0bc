package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/durable"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
)

// Processes that share a database may have separate disks. A folder for shared data must be the same for all of them:
// otherwise a worker that writes to its own folder would create rows that refer to files the others do not have. So
// such a folder contains a mark, a file with a generated name in it, and the database stores that name.

// folderMark is the file that contains a folder's name.
const folderMark = ".lectern-folder"

// readMark returns a folder's name, or "" if it has none.
func readMark(dir string) (string, error) {
	raw, err := os.ReadFile(filepath.Join(dir, folderMark))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read folder marker: %w", err)
	}
	return strings.TrimSpace(string(raw)), nil
}

// mark gives a folder a name unless it has one, and returns the name it has. If several processes do this at once,
// only one succeeds.
func mark(dir, name string) (string, error) {
	if err := durable.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("create folder: %w", err)
	}
	temp, err := os.CreateTemp(dir, folderMark+"-")
	if err != nil {
		return "", fmt.Errorf("write folder marker: %w", err)
	}
	defer func() { _ = os.Remove(temp.Name()) }() // the hard link remains
	_, err = temp.WriteString(name + "\n")
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return "", fmt.Errorf("write folder marker: %w", err)
	}
	if err := os.Link(temp.Name(), filepath.Join(dir, folderMark)); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("write folder marker: %w", err)
	}
	if err := durable.Sync(dir); err != nil {
		return "", fmt.Errorf("write folder marker: %w", err)
	}
	return readMark(dir)
}

// blobFolder is the database setting with the name of the data folder that contains the blobs.
const blobFolder = "blob_folder"

// checkBlobFolder returns an error if the data folder is not the one with the database's files. The embedded database
// is in the data folder itself, so it needs no check.
func (c *core) checkBlobFolder(ctx context.Context) error {
	if !store.IsPostgres(c.Config.Database) {
		return nil
	}
	here, err := mark(c.Config.Data, id.Source{Rand: c.Rand}.New("dir_"))
	if err != nil {
		return err
	}
	var held string
	err = c.Store.Tx(ctx, func(t *store.Tx) error {
		held, err = t.ClaimSetting(ctx, blobFolder, here)
		return err
	})
	if err != nil || held == here {
		return err
	}
	return fault.New(fault.Invalid, "bad_setting",
		"blob: the stored files of this database are in another data folder.").WithField("blob").
		WithHint(
			"Servers and workers that share a database must store files in S3: set blob to s3://BUCKET for each. If this folder is the right one, write " +
				held + " into its file " + folderMark + ".")
}
