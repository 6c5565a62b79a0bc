package snapshot

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/site/openapi"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// Key returns the blob key of a deployment's source; attempt identifies one attempt of the deployment.
func Key(projectID, attempt string) string { return path.Join("snapshots", projectID, attempt+".zip") }

// Reusable reports whether other sources can take over files of the source stored under a key, see Fetch.
func Reusable(key string) bool { return strings.HasSuffix(key, ".zip") }

// saveBuffer is the size of write chunks, in bytes.
const saveBuffer = 1 << 18

// Save stores a source under key as a zip archive, together with the API descriptions that were fetched from other
// hosts for it.
func (f *Fetcher) Save(ctx context.Context, key string, src *Source, copies []openapi.Copy) error {
	own, err := remoteFiles(copies)
	if err != nil {
		return err
	}
	w := blob.Create(ctx, f.Blob, key)
	if err := w.Close(pack(ctx, src, own, w)); err != nil {
		return fmt.Errorf("store source: %w", err)
	}
	return nil
}

// pack writes a source and our own files. Files that are already compressed are copied.
func pack(ctx context.Context, src *Source, own map[string][]byte, w io.Writer) error {
	sum := &checksum{}
	buf := bufio.NewWriterSize(io.MultiWriter(w, sum), saveBuffer)
	archive := output.NewZipWithComment(buf, func() (string, error) {
		err := buf.Flush()
		return fmt.Sprintf(checksumForm, sum.size, sum.crc), err
	})
	put := func(p string, data []byte) error {
		return archive.Put(ctx, output.File{Path: p, ContentType: output.ContentType(p), Data: data})
	}
	var digests, scratch []byte
	err := fs.WalkDir(src.FS, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || reserved(p) && p != datesFile {
			return err
		}
		var file output.File
		var is content
		if file, is, scratch, err = src.compressed(p, scratch); err != nil {
			return err
		}
		digests = appendDigest(digests, p, is)
		return archive.Put(ctx, file)
	})
	for _, p := range slices.Sorted(maps.Keys(own)) {
		if err == nil {
			err = put(p, own[p])
		}
	}
	if err == nil && len(digests) <= maxDigests {
		err = put(digestsFile, digests)
	}
	if err == nil {
		err = archive.Close()
	}
	if err == nil {
		err = buf.Flush()
	}
	return err
}

// Open opens a stored source. It uses the empty folder dir, which must exist until the source is closed.
func (f *Fetcher) Open(ctx context.Context, key, dir string) (*Source, error) {
	r, _, err := f.Blob.Open(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("open stored source: %w", err)
	}
	defer func() { _ = r.Close() }() // opened for reading only
	open := f.openZip
	if strings.HasSuffix(key, ".tar.gz") { // from an earlier release
		open = openTar
	}
	src, err := open(ctx, r, dir)
	if err != nil {
		return nil, fmt.Errorf("restore stored source: %w", err)
	}
	return src, nil
}

// openZip downloads the archive and reads files from it on demand, which avoids writing thousands of small files.
func (f *Fetcher) openZip(ctx context.Context, r io.Reader, dir string) (*Source, error) {
	file, err := os.OpenFile(filepath.Join(dir, "source.zip"), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	size, err := io.Copy(file, endable{ctx, r})
	if err == nil {
		t, damaged, treeErr := openTree(file, size, f.Limits.OrDefault())
		if err = treeErr; err == nil {
			return &Source{FS: t, tree: t, damaged: damaged, closers: []io.Closer{file}}, nil
		}
	}
	return nil, errors.Join(err, file.Close())
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
