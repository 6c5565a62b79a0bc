package bundlestore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// Tag identifies the content of a source. The zero Tag means unknown.
type Tag string

// ErrUnchanged is returned by Fetch if the source's content still matches the tag.
var ErrUnchanged = errors.New("the source has not changed")

// Source provides bundles.
type Source interface {
	Name() string     // for logs; contains no secret
	Identity() string // identifies a source, such as one link to an archive; may contain a secret
	Fetch(ctx context.Context, known Tag) (body io.ReadCloser, tag Tag, err error)
}

// FromFile is a bundle on local disk.
type FromFile struct{ Path string }

// Name returns the path.
func (s FromFile) Name() string { return s.Path }

// Identity returns the path.
func (s FromFile) Identity() string { return s.Path }

// Fetch opens the file.
func (s FromFile) Fetch(_ context.Context, known Tag) (io.ReadCloser, Tag, error) {
	f, err := os.Open(s.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
		return nil, "", fmt.Errorf("open source: %w", err) // such as too many open files: a retry may help
	}
	if err != nil {
		return nil, "", fault.Newf(fault.NotFound, "source_missing", "The bundle %s cannot be opened.", s.Path).
			WithField("source").WithCause(err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	if err != nil {
		return nil, "", errors.Join(fault.Newf(fault.Invalid, "bad_source", "The bundle %s is not a file.", s.Path).
			WithField("source").WithCause(err), f.Close())
	}
	if tag := stampOf(info.Size(), info.ModTime()); tag != known {
		return f, tag, nil
	}
	return nil, known, errors.Join(ErrUnchanged, f.Close())
}

func stampOf(size int64, changed time.Time) Tag {
	return Tag(fmt.Sprint(size, " ", changed.UnixNano()))
}

// Objects reads objects from a bucket.
type Objects interface {
	Open(ctx context.Context, key string) (io.ReadSeekCloser, blob.Info, error)
}

// FromBucket is a bundle in object storage. Connect is called for each fetch, so object storage that is unavailable
// at start is not fatal.
type FromBucket struct {
	Bucket, Key string
	Connect     func(ctx context.Context) (Objects, error)
}

// Name returns the bundle's s3 URL.
func (s FromBucket) Name() string { return "s3://" + s.Bucket + "/" + s.Key }

// Identity returns the bundle's s3 URL.
func (s FromBucket) Identity() string { return s.Name() }

// Fetch starts the download.
func (s FromBucket) Fetch(ctx context.Context, known Tag) (io.ReadCloser, Tag, error) {
	bucket, err := s.Connect(ctx)
	if err != nil {
		return nil, "", fault.Newf(fault.Unavailable, "source_unavailable", "The bucket %s cannot be used.", s.Bucket).
			WithField("source").WithCause(err).
			WithHint("Check its endpoint and region, and LECTERN_S3_ACCESS_KEY and LECTERN_S3_SECRET_KEY.")
	}
	body, info, err := bucket.Open(ctx, s.Key)
	if err != nil {
		return nil, "", fault.Newf(fault.Unavailable, "source_missing", "%s cannot be opened.", s.Name()).
			WithField("source").WithCause(err)
	}
	if tag := stampOf(info.Size, info.ModTime); tag != known {
		return body, tag, nil
	}
	return nil, known, errors.Join(ErrUnchanged, body.Close())
}
