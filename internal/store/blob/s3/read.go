package s3

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/minio/minio-go/v7"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// Open starts the download: reading a blob sequentially takes one request.
func (s *Store) Open(ctx context.Context, key string) (io.ReadSeekCloser, blob.Info, error) {
	if err := blob.CheckKey(key); err != nil {
		return nil, blob.Info{}, err
	}
	body, object, _, err := s.core.GetObject(ctx, s.bucket, s.prefix+key, minio.GetObjectOptions{})
	if err != nil {
		return nil, blob.Info{}, explain(err, "open", key)
	}
	r := &reader{ctx: ctx, store: s, key: key, etag: object.ETag, size: object.Size, body: body}
	return r, blob.Info{Key: key, Size: object.Size, ModTime: object.LastModified}, nil
}

// Delete deletes the object. Some servers report an error if a concurrent Delete has already removed the object.
func (s *Store) Delete(ctx context.Context, key string) error {
	if err := blob.CheckKey(key); err != nil {
		return err
	}
	err := s.core.RemoveObject(ctx, s.bucket, s.prefix+key, minio.RemoveObjectOptions{})
	if err == nil {
		return nil
	}
	if err = explain(err, "delete", key); fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}

// List requests the objects page by page.
func (s *Store) List(ctx context.Context, prefix string, yield func(blob.Info) error) error {
	if err := blob.CheckPrefix(prefix); err != nil {
		return err
	}
	options := minio.ListObjectsOptions{Prefix: s.prefix + prefix, Recursive: true}
	for object := range s.core.ListObjectsIter(ctx, s.bucket, options) {
		if object.Err != nil {
			return explain(object.Err, "list", prefix)
		}
		key := strings.TrimPrefix(object.Key, s.prefix)
		if !blob.ValidKey(key) {
			continue // not one of our blobs: a folder marker, or an object that someone else stored
		}
		if err := yield(blob.Info{Key: key, Size: object.Size, ModTime: object.LastModified}); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// reader reads an object. After a seek, it sends a new request that starts at the new offset. It always reads the
// version of the object that it started with.
type reader struct {
	ctx   context.Context // the context passed to Open
	store *Store
	key   string
	etag  string
	size  int64 // bytes

	body   io.ReadCloser // nil until the next Read requests it
	at     int64         // offset of body
	offset int64         // offset of the next Read
}

func (r *reader) Read(p []byte) (int, error) {
	if r.offset >= r.size {
		return 0, io.EOF
	}
	if err := r.position(); err != nil {
		return 0, err
	}
	n, err := r.body.Read(p)
	r.at += int64(n)
	r.offset = r.at
	if errors.Is(err, io.EOF) && r.at < r.size {
		err = io.ErrUnexpectedEOF
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = explain(err, "read", r.key)
	}
	return n, err
}

// position makes body start at offset.
func (r *reader) position() error {
	if r.body != nil && r.at == r.offset {
		return nil
	}
	if err := r.Close(); err != nil {
		return explain(err, "read", r.key)
	}
	options := minio.GetObjectOptions{}
	// Neither call can fail: the tag comes from the server, and the range is valid.
	err := errors.Join(options.SetMatchETag(r.etag), options.SetRange(r.offset, r.size-1))
	if err != nil {
		return explain(err, "read", r.key)
	}
	body, _, _, err := r.store.core.GetObject(r.ctx, r.store.bucket, r.store.prefix+r.key, options)
	if err != nil {
		return explain(err, "read", r.key)
	}
	r.body, r.at = body, r.offset
	return nil
}

func (r *reader) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += r.offset
	case io.SeekEnd:
		offset += r.size
	}
	if offset < 0 || whence < io.SeekStart || whence > io.SeekEnd {
		return 0, fmt.Errorf("seek blob %s: offset %d, whence %d", r.key, offset, whence)
	}
	r.offset = offset
	return offset, nil
}

// Close ends the current request.
func (r *reader) Close() error {
	if r.body == nil {
		return nil
	}
	body := r.body
	r.body = nil
	return body.Close()
}
