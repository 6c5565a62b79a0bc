package s3

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/minio/minio-go/v7"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

const (
	// partSize is the maximum memory that a Put uses, and the size above which an upload is split into parts, in bytes.
	partSize = 16 << 20
	// firstBuffer is the memory that a Put of a small blob uses, in bytes.
	firstBuffer = 64 << 10
	// maxParts is S3's limit on the number of parts. It limits a blob to 156 GiB.
	maxParts = 10_000
	// commitLife limits the duration of a request that is not canceled together with its caller.
	commitLife = 2 * time.Minute
)

// Put sends a small blob in one request and a large blob in parts. The parts become visible with the request that joins
// them.
func (s *Store) Put(ctx context.Context, key string, r io.Reader) (int64, error) {
	if err := blob.CheckKey(key); err != nil {
		return 0, err
	}
	part, more, err := readPart(ctx, r, make([]byte, 0, firstBuffer))
	var size int64
	switch {
	case err != nil:
	case more:
		size, err = s.putParts(ctx, key, part, r)
	default:
		size, err = int64(len(part)), s.putWhole(ctx, key, part)
	}
	if err != nil {
		return 0, explain(err, "write", key)
	}
	return size, nil
}

// readPart reads up to partSize bytes into buffer and grows buffer as needed. more reports whether the part is full, in
// which case more parts may follow. Any error other than io.EOF means that the source failed. In particular,
// io.ErrUnexpectedEOF must not count as the end, because a truncated blob would then be stored as complete.
func readPart(ctx context.Context, r io.Reader, buffer []byte) (part []byte, more bool, err error) {
	part = buffer[:0]
	for len(part) < partSize {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		if len(part) == cap(part) {
			grown := make([]byte, len(part), min(4*cap(part), partSize))
			copy(grown, part)
			part = grown
		}
		n, err := r.Read(part[len(part):cap(part)])
		part = part[:len(part)+n]
		if err == io.EOF {
			return part, false, ctx.Err()
		}
		if err != nil {
			return nil, false, &sourceError{err}
		}
	}
	return part, true, nil
}

// sourceError is an error that comes from the reader passed to Put, not from the storage.
type sourceError struct{ err error }

func (e *sourceError) Error() string { return "read source: " + e.err.Error() }
func (e *sourceError) Unwrap() error { return e.err }

// commitContext returns a context for the request that makes a blob visible. It does not end with the caller's
// context, because the outcome of an interrupted request would be unknown.
func commitContext(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), commitLife)
}

func (s *Store) putWhole(ctx context.Context, key string, body []byte) error {
	ctx, cancel := commitContext(ctx)
	defer cancel()
	_, err := s.core.PutObject(ctx, s.bucket, s.prefix+key, bytes.NewReader(body), int64(len(body)),
		"", digest(body), minio.PutObjectOptions{DisableContentSha256: true})
	return err
}

// putParts sends the full first part and the rest of r, one part at a time with the same buffer, and aborts the upload
// at the first error.
func (s *Store) putParts(ctx context.Context, key string, part []byte, r io.Reader) (size int64, err error) {
	name := s.prefix + key
	upload, err := s.core.NewMultipartUpload(ctx, s.bucket, name, minio.PutObjectOptions{})
	if err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.abort(ctx, name, upload))
		}
	}()
	var done []minio.CompletePart
	for more := true; len(part) > 0; {
		if len(done) == maxParts {
			return 0, fault.New(fault.TooLarge, "blob_too_large", "The object is too large for the object storage.")
		}
		sent, err := s.core.PutObjectPart(ctx, s.bucket, name, upload, len(done)+1, bytes.NewReader(part),
			int64(len(part)),
			minio.PutObjectPartOptions{Sha256Hex: digest(part), DisableContentSha256: true})
		if err != nil {
			return 0, err
		}
		done = append(done, minio.CompletePart{PartNumber: sent.PartNumber, ETag: sent.ETag})
		size += int64(len(part))
		if !more {
			break
		}
		if part, more, err = readPart(ctx, r, part); err != nil {
			return 0, err
		}
	}
	return size, s.complete(ctx, name, upload, done)
}

func (s *Store) complete(ctx context.Context, name, upload string, parts []minio.CompletePart) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx, cancel := commitContext(ctx)
	defer cancel()
	_, err := s.core.CompleteMultipartUpload(ctx, s.bucket, name, upload, parts, minio.PutObjectOptions{})
	return err
}

// abort frees the parts of a failed upload even if its context has ended.
func (s *Store) abort(ctx context.Context, name, upload string) error {
	ctx, cancel := commitContext(ctx)
	defer cancel()
	if err := s.core.AbortMultipartUpload(ctx, s.bucket, name, upload); err != nil {
		return fmt.Errorf("abort upload: %w", err)
	}
	return nil
}

// digest returns the SHA-256 to sign with a request, so that the server verifies the received body. It requires
// DisableContentSha256, whose name is misleading: it only turns off the library's chunked signature. Over plain HTTP,
// that signature would replace the digest, and for an empty body not every server reads it completely.
func digest(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}
