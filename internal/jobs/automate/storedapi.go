package automate

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/safefile"
	"github.com/lectern-docs/lectern/internal/site/openapi"
	"github.com/lectern-docs/lectern/internal/source/snapshot"
)

const (
	maxStored = 16 << 20  // bytes of a description or of a file that it refers to
	maxStart  = 256 << 10 // bytes at the start of a file that are inspected for a description
	// Lectern's own files in a stored source: dates, and copies of remote API descriptions.
	ownFolder = ".lectern"
)

// errUnstored means that the source of a deployment is no longer stored or cannot be read.
var errUnstored = errors.New("the stored source cannot be read")

// storedSource is the source from which a deployment was built.
type storedSource struct {
	fs.FS
	copies map[string]openapi.Copy // remote API descriptions, by URL; nil = unknown
	close  func()
}

// openStored opens the source of a deployment. The error is errUnstored if a retry cannot help.
func (d *Descriptions) openStored(ctx context.Context, of deploy.Deployment) (out storedSource, err error) {
	if of.SnapshotKey == "" {
		return out, errUnstored
	}
	dir, remove, err := d.Scratch.Folder("descriptions")
	if err != nil {
		return out, err
	}
	src, err := d.Open(ctx, of.SnapshotKey, dir)
	if err != nil {
		return out, errors.Join(lasting(ctx, err), remove())
	}
	out.FS = src.FS
	out.close = func() { _, _ = src.Close(), remove() } // read only; removed when the process ends, if not here
	if out.copies, err = snapshot.Remote(out.FS); err != nil {
		out.close()
		return out, lasting(ctx, err)
	}
	return out, nil
}

// lasting replaces an error that a retry would repeat with errUnstored.
func lasting(ctx context.Context, err error) error {
	if ctx.Err() != nil || fault.IsOutage(err) {
		return err
	}
	return errUnstored
}

// descriptions returns the files that look like API descriptions.
func (s storedSource) descriptions(ctx context.Context) (out []string, err error) {
	err = fs.WalkDir(s, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || ctx.Err() != nil:
			return errors.Join(err, ctx.Err())
		case entry.IsDir() && name == ownFolder:
			return fs.SkipDir
		case !entry.IsDir() && slices.Contains(describing, path.Ext(name)) && s.describes(name):
			out = append(out, name)
		}
		return nil
	})
	return out, err
}

func (s storedSource) describes(name string) bool {
	file, err := s.Open(name)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }() // read only
	start, err := io.ReadAll(io.LimitReader(file, maxStart))
	return err == nil && description.Match(start)
}

// load loads a file that may be an API description.
func (s storedSource) load(ctx context.Context, name string) (loaded, error) {
	return loadAPI(ctx, name, func(name string) (data []byte, found, unreadable bool, err error) {
		data, err = safefile.Read(s, name, maxStored)
		if err == nil {
			return data, true, false, nil
		}
		info, failed := fs.Stat(s, name)
		return nil, false, failed == nil && !info.IsDir(), ctx.Err()
	})
}
