package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/blob"
	"github.com/lectern-docs/lectern/internal/store/blob/disk"
)

// planned is a file of a backup: its name in the archive and its path on disk.
type planned struct{ name, path string }

// plan lists the contents of a backup.
type plan struct {
	schema int64
	secret bool
	files  []planned
	needed map[string]bool // names required for a complete backup
	bytes  int64
}

func (p *plan) add(name, path string, size int64) {
	p.files = append(p.files, planned{name, path})
	p.bytes += size
}

// plan copies changing data into temp, in an order that keeps the copies consistent, and lists the rest.
func (src Source) plan(ctx context.Context, temp string) (plan, error) {
	p := plan{needed: map[string]bool{databaseName: true}}
	repositories, err := src.repositories() // listed before the database is copied, so the copy has their projects
	if err != nil {
		return p, err
	}
	copied := filepath.Join(temp, databaseName)
	if err := src.Store.Snapshot(ctx, copied); err != nil {
		return p, err
	}
	blobs, err := openBlobs(filepath.Join(src.Data, blobFolder))
	if err != nil {
		return p, err
	}
	defer func() { _ = blobs.Close() }()
	var needs []string
	if p.schema, needs, err = examine(ctx, copied, blobs, src.store,
		func(name string) error { return incomplete(name, fs.ErrNotExist) }); err != nil {
		return p, err
	}
	info, err := os.Stat(copied)
	if err != nil {
		return p, fmt.Errorf("copy database: %w", err)
	}
	p.add(databaseName, copied, info.Size())
	for _, key := range needs {
		p.needed[blobFolder+key] = true
	}
	if err := p.addBlobs(ctx, src, blobs); err != nil {
		return p, err
	}
	if err := p.addRepositories(ctx, src, temp, repositories); err != nil {
		return p, err
	}
	return p, p.addSmall(src)
}

// openBlobs opens the blob folder for reading only.
func openBlobs(folder string) (*disk.Store, error) {
	return disk.Open(folder, nil, func() string { return "" })
}

// store opens a copied database.
func (src Source) store(ctx context.Context, file string) (*store.Store, error) {
	return store.Open(ctx, store.Options{URL: file, Now: src.Now})
}

// examine checks a copied database and lists the blobs that it needs. missing returns the error for a missing file.
func examine(ctx context.Context, file string, blobs blob.Store, open func(context.Context, string) (*store.Store,
	error), missing func(name string) error) (schema int64, needs []string, err error) {
	st, err := open(ctx, file)
	if err != nil {
		return 0, nil, err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	if err := st.Sound(ctx); err != nil {
		return 0, nil, damagedDatabase(err)
	}
	if schema, err = st.SchemaVersion(ctx); err != nil {
		return 0, nil, err
	}
	if schema > store.NewestSchema() {
		return schema, nil, store.NewerSchema(schema)
	}
	stored, err := st.ListStored(ctx)
	if err != nil {
		return schema, nil, err
	}
	needs = stored.Others
	for _, key := range stored.Manifests {
		m, err := publish.LoadReferences(ctx, blobs, key)
		var refers []string
		if err == nil {
			refers, err = publish.Needs(ctx, blobs, m)
		}
		if fault.HasCode(err, "blob_not_found") {
			err = missing(blobFolder + key)
		}
		if err != nil {
			return schema, nil, err
		}
		needs = append(append(needs, key), refers...)
	}
	return schema, needs, nil
}

func damagedDatabase(cause error) error {
	return fault.New(fault.Internal, "damaged_database", "The database is damaged.").
		WithHint("Restore the last good backup. The disk may be failing.").WithCause(cause)
}

// addBlobs adds every blob and verifies that all needed blobs are among them.
func (p *plan) addBlobs(ctx context.Context, src Source, blobs blob.Store) error {
	missing := 0
	for range p.needed {
		missing++
	}
	missing-- // the database is not a blob
	err := blobs.List(ctx, "", func(i blob.Info) error {
		name := blobFolder + i.Key
		if p.needed[name] {
			missing--
		}
		p.add(name, filepath.Join(src.Data, name), i.Size)
		return nil
	})
	if err != nil || missing == 0 {
		return err
	}
	have := map[string]bool{}
	for _, f := range p.files {
		have[f.name] = true
	}
	for name := range p.needed {
		if !have[name] {
			return incomplete(name, fs.ErrNotExist)
		}
	}
	return nil
}

// repositories lists the repositories of the embedded code host; incomplete ones have other names.
func (src Source) repositories() (names []string, err error) {
	entries, err := os.ReadDir(src.Repositories)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list repositories: %w", err)
	}
	for _, e := range entries {
		if repoFile.MatchString(e.Name() + "/HEAD") {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// addRepositories copies the repositories that were listed before the database was copied, and the ones that exist now.
func (p *plan) addRepositories(ctx context.Context, src Source, temp string, before []string) error {
	now, err := src.repositories()
	if err != nil {
		return err
	}
	all := append(slices.Clone(before), now...)
	slices.Sort(all)
	for _, name := range slices.Compact(all) {
		from, err := filepath.Abs(filepath.Join(src.Repositories, name))
		if err != nil {
			return fmt.Errorf("find repository: %w", err)
		}
		dst, err := filepath.Abs(filepath.Join(temp, name))
		if err != nil {
			return fmt.Errorf("find repository: %w", err)
		}
		if err := src.Git.Repo(from).CopyTo(ctx, dst); err != nil {
			if _, gone := os.Stat(from); errors.Is(gone, fs.ErrNotExist) {
				return fault.New(fault.Conflict, "changed_meanwhile",
					"A project was deleted during the backup: the copied database still contains it, but its repository is gone.").
					WithHint("Try again.").WithCause(err)
			}
			return fmt.Errorf("copy repository %s: %w", name, err)
		}
		if err := p.addRepository(name, dst); err != nil {
			return err
		}
	}
	return nil
}

func (p *plan) addRepository(name, dst string) error {
	return filepath.WalkDir(dst, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		inside, err := filepath.Rel(dst, path)
		if err != nil {
			return err
		}
		full := name + "/" + filepath.ToSlash(inside)
		if !repoFile.MatchString(full) {
			if strings.HasPrefix(inside, "objects/info") {
				return nil // git recreates it when needed
			}
			return fmt.Errorf("copy repository %s: unexpected file %s", name, inside)
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		p.needed[repoFolder+full] = true
		p.add(repoFolder+full, path, info.Size())
		return nil
	})
}

// addSmall adds the single files.
func (p *plan) addSmall(src Source) error {
	names := []string{hostsName}
	if !src.WithoutSecret {
		names = append(names, secretName)
	}
	for _, name := range names {
		path := filepath.Join(src.Data, name)
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("back up %s: %w", name, err)
		}
		p.needed[name] = true
		p.add(name, path, info.Size())
		p.secret = p.secret || name == secretName
	}
	return nil
}
