package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// manifestBlob matches the keys of deployment manifests.
var manifestBlob = lazyregexp.New(`^` + blobFolder + `sites/[^/]+/manifests/[^/]+$`)

// Check reads a whole backup and reports whether Restore would accept it, using the same checks: every file matches
// the manifest, the database is intact and has a supported schema, everything that its rows and deployments refer to
// is in the backup, and repositories have only settings written by Lectern. It unpacks only the files needed for
// these checks, into a temporary folder.
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
	const unlimited = 1 << 62 // bytes are counted but not kept
	m, err = read(ctx, from, unlimited, progress, func(name string, size int64, content io.Reader) error {
		if !needsCheck(name) {
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

// needsCheck reports whether a file refers to other files that a backup needs, or could make git run programs.
func needsCheck(name string) bool {
	return name == databaseName || manifestBlob.MatchString(name) ||
		strings.HasPrefix(name, repoFolder) && path.Base(name) == "config"
}
