package backup

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

// verify checks that unpacked files form a complete backup: the database is intact and has a supported schema, the
// blobs that it refers to are in the backup, and repositories have only settings written by Lectern. The folder, which
// root also refers to, needs to contain only the files for which needsCheck is true.
func verify(ctx context.Context, folder string, root *os.Root, m Manifest, now func() time.Time) error {
	if err := finishRepositories(root, m); err != nil {
		return err
	}
	blobs, err := openBlobs(filepath.Join(folder, blobFolder))
	if err != nil {
		return err
	}
	defer func() { _ = blobs.Close() }()
	open := func(ctx context.Context, file string) (*store.Store, error) {
		return store.Open(ctx, store.Options{URL: file, Now: now})
	}
	missing := func(name string) error { return damaged("the file "+name+" is missing", nil) }
	schema, needs, err := examine(ctx, filepath.Join(folder, databaseName), blobs, open, missing)
	switch {
	case fault.HasCode(err, "damaged_database"):
		return damaged("its database is broken", err)
	case err != nil:
		return err
	case schema != m.Schema:
		return damaged("its database has a different schema than stated", nil)
	}
	have := make(map[string]bool, len(m.Files))
	for _, f := range m.Files {
		have[f.Path] = true
	}
	for _, key := range needs {
		if !have[blobFolder+key] {
			return missing(blobFolder + key)
		}
	}
	return nil
}

// finishRepositories creates the folders that git requires in a repository, and checks the repositories' settings.
func finishRepositories(root *os.Root, m Manifest) error {
	for _, f := range m.Files {
		if !strings.HasPrefix(f.Path, repoFolder) || path.Base(f.Path) != "config" {
			continue
		}
		if f.Size > maxHead {
			return damaged("a repository in it has unexpected settings", nil)
		}
		text, err := root.ReadFile(f.Path)
		if err != nil {
			return fmt.Errorf("read repository settings: %w", err)
		}
		if err := checkConfig(string(text)); err != nil {
			return err
		}
		for _, dir := range []string{"refs", "objects"} {
			if err := root.MkdirAll(path.Join(path.Dir(f.Path), dir), 0o700); err != nil {
				return fmt.Errorf("create folder: %w", err)
			}
		}
	}
	return nil
}
