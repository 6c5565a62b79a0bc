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

// Processes that share a database each have a disk. What is kept in a folder must be one and the same folder for all of
// them: a worker that wrote to its own would leave the others with rows that lead nowhere. So such a folder has a mark,
// a file with a name in it, and the database knows the name.

// folderMark is the file in a folder that names it.
const folderMark = ".lectern-folder"

// readMark returns a folder's name, "" when it has none.
func readMark(dir string) (string, error) {
	raw, err := os.ReadFile(filepath.Join(dir, folderMark))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read marker of folder: %w", err)
	}
	return strings.TrimSpace(string(raw)), nil
}

// mark names a folder, unless it has a name, and returns the name it has. Of several processes that do it at once, one
// names it.
func mark(dir, name string) (string, error) {
	if err := durable.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("create folder: %w", err)
	}
	temp, err := os.CreateTemp(dir, folderMark+"-")
	if err != nil {
		return "", fmt.Errorf("write marker of folder: %w", err)
	}
	defer func() { _ = os.Remove(temp.Name()) }() // the link stays
	_, err = temp.WriteString(name + "\n")
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return "", fmt.Errorf("write marker of folder: %w", err)
	}
	if err := os.Link(temp.Name(), filepath.Join(dir, folderMark)); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("write marker of folder: %w", err)
	}
	if err := durable.Sync(dir); err != nil {
		return "", fmt.Errorf("write marker of folder: %w", err)
	}
	return readMark(dir)
}

// blobFolder is the setting that has the name of the data folder with the blobs.
const blobFolder = "blob_folder"

// checkBlobFolder refuses to start on a data folder other than the one that the database's files are in. The embedded
// database is in that folder itself.
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
