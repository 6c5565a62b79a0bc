package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"regexp"
	"strings"
	"time"
)

// manifestBlob is where publishing stores what a deployment consists of.
var manifestBlob = regexp.MustCompile(`^` + blobFolder + `sites/[^/]+/manifests/[^/]+$`)

// Check reads a backup to its end and says whether it could be restored, by what Restore itself looks at: every file as
// its list says, the database sound, of a schema that this program knows, what its rows and its deployments name in the
// backup, and repositories with settings of ours. Only the files that say so are unpacked, into a temporary folder.
func Check(ctx context.Context, from io.Reader, now func() time.Time, progress func(n int)) (m Manifest, err error) {
	temp, err := os.MkdirTemp("", "lectern-backup-check-")
	if err != nil {
		return m, fmt.Errorf("create temporary folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	root, err := os.OpenRoot(temp)
	if err != nil {
		return m, fmt.Errorf("open temporary folder: %w", err)
	}
	defer func() { _ = root.Close() }()
	room, err := freeBytes(temp)
	if err != nil {
		return m, err
	}
	const unlimited = 1 << 62 // bytes are counted, not kept
	m, err = read(ctx, from, unlimited, progress, func(name string, size int64, content io.Reader) error {
		if !telling(name) {
			return nil
		}
		if room -= size; room < 0 {
			return fmt.Errorf(
				"check backup: not enough space for its database and manifests in the temporary folder %s", temp)
		}
		return unpack(root, name, content)
	})
	if err != nil {
		return m, err
	}
	return m, verify(ctx, temp, root, m, now)
}

// telling reports whether a file says what else a backup needs, or could make git run programs.
func telling(name string) bool {
	return name == databaseName || manifestBlob.MatchString(name) ||
		strings.HasPrefix(name, repoFolder) && path.Base(name) == "config"
}
