package snapshot

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// Key returns the blob key of a deployment's source; attempt identifies one attempt of the deployment.
func Key(projectID, attempt string) string { return path.Join("snapshots", projectID, attempt+".zip") }

// saveBuffer is the size of write chunks, in bytes.
const saveBuffer = 1 << 18

// Save stores the files below dir under key, as a zip archive.
func (f *Fetcher) Save(ctx context.Context, key, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("open source folder: %w", err)
	}
	defer func() { _ = root.Close() }()
	w := blob.Create(ctx, f.Blob, key)
	if err := w.Close(pack(ctx, root.FS(), w)); err != nil {
		return fmt.Errorf("store source: %w", err)
	}
	return nil
}

func pack(ctx context.Context, src fs.FS, w io.Writer) error {
	buf := bufio.NewWriterSize(w, saveBuffer)
	archive := output.NewZip(buf)
	err := fs.WalkDir(src, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(src, p)
		if err != nil {
			return err
		}
		return archive.Put(ctx, output.File{Path: p, ContentType: output.ContentType(p), Data: data})
	})
	if err == nil {
		err = archive.Close()
	}
	if err == nil {
		err = buf.Flush()
	}
	return err
}

// Open opens a stored source. It uses the empty folder dir, which must exist until the closer is closed.
func (f *Fetcher) Open(ctx context.Context, key, dir string) (fs.FS, io.Closer, error) {
	r, _, err := f.Blob.Open(ctx, key)
	if err != nil {
		return nil, nil, fmt.Errorf("open stored source: %w", err)
	}
	defer func() { _ = r.Close() }() // opened for reading only
	open := f.openZip
	if strings.HasSuffix(key, ".tar.gz") { // from an earlier release
		open = openTar
	}
	src, closer, err := open(ctx, r, dir)
	if err != nil {
		return nil, nil, fmt.Errorf("restore stored source: %w", err)
	}
	return src, closer, nil
}

// openZip downloads the archive and reads files from it on demand, which avoids writing thousands of small files.
func (f *Fetcher) openZip(ctx context.Context, r io.Reader, dir string) (fs.FS, io.Closer, error) {
	file, err := os.OpenFile(filepath.Join(dir, "source.zip"), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil, nil, err
	}
	size, err := io.Copy(file, endable{ctx, r})
	if err == nil {
		var t *tree
		if t, err = newTree(file, size, f.Limits.OrDefault()); err == nil {
			return t, file, nil
		}
	}
	return nil, nil, errors.Join(err, file.Close())
}

// endable is a reader that fails once its context has ended.
type endable struct {
	ctx context.Context
	io.Reader
}

func (e endable) Read(p []byte) (int, error) {
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	return e.Reader.Read(p)
}
