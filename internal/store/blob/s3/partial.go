package s3

import (
	"context"
	"fmt"
	"time"

	"github.com/minio/minio-go/v7"
)

// RemovePartial aborts uploads that have received no part for age. These are uploads of killed processes, and uploads
// that could not be aborted because the storage was unavailable.
func (s *Store) RemovePartial(ctx context.Context, age time.Duration) (removed int, err error) {
	keyMarker, idMarker := "", ""
	for {
		page, err := s.core.ListMultipartUploads(ctx, s.bucket, s.prefix, keyMarker, idMarker, "", 1000)
		if err != nil {
			return removed, explain(err, "list uploads of", s.prefix)
		}
		for _, upload := range page.Uploads {
			old, err := s.isOld(ctx, upload, age)
			if err != nil {
				return removed, err
			}
			if !old {
				continue
			}
			if err := s.core.AbortMultipartUpload(ctx, s.bucket, upload.Key, upload.UploadID); err != nil &&
				!gone(err) {
				return removed, explain(fmt.Errorf("abort upload: %w", err), "write", upload.Key)
			}
			removed++
		}
		if !page.IsTruncated {
			return removed, nil
		}
		keyMarker, idMarker = page.NextKeyMarker, page.NextUploadIDMarker
	}
}

// isOld reports whether an upload was started, and its last part sent, longer than age ago. All times except the
// current time come from the storage.
func (s *Store) isOld(ctx context.Context, upload minio.ObjectMultipartInfo, age time.Duration) (bool, error) {
	last := upload.Initiated
	for marker := 0; time.Since(last) >= age; {
		parts, err := s.core.ListObjectParts(ctx, s.bucket, upload.Key, upload.UploadID, marker, 1000)
		if gone(err) {
			return false, nil // it has been completed in the meantime
		}
		if err != nil {
			return false, explain(err, "list parts of", upload.Key)
		}
		for _, part := range parts.ObjectParts {
			if part.LastModified.After(last) {
				last = part.LastModified
			}
		}
		if !parts.IsTruncated {
			break
		}
		marker = parts.NextPartNumberMarker
	}
	return time.Since(last) >= age, nil
}

// gone reports whether an upload no longer exists.
func gone(err error) bool { return err != nil && minio.ToErrorResponse(err).Code == "NoSuchUpload" }
