package blob

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// MaxLinkLife is the maximum lifetime of a link. It is the limit for presigned S3 links; all drivers use the same limit
// so that they are interchangeable.
const MaxLinkLife = 7 * 24 * time.Hour

// MinLinkLife is the minimum lifetime of a link, because expiry times are in whole seconds.
const MinLinkLife = time.Second

// Info describes a stored blob.
type Info struct {
	Key     string
	Size    int64 // bytes
	ModTime time.Time
}

// Link is a bearer link to one blob, for the GET method only.
type Link struct {
	URL string
	// ExpiresAt is the time from which new requests are refused. A request that started earlier can still finish.
	ExpiresAt time.Time
}

// Store stores blobs by key. All methods are safe for concurrent use, and reject keys that ValidKey does not accept.
//
// A key must not be a folder of another key, as in "a" and "a/b". A store on a file system cannot hold both and returns
// a conflict fault.
type Store interface {
	// Put stores all of r under key and returns its size in bytes. The blob becomes visible whole or not at all. It
	// replaces an earlier blob with the same key. If the reader fails or the context is canceled, the earlier blob
	// stays unchanged and nothing of the new one remains. Memory use does not depend on the size.
	Put(ctx context.Context, key string, r io.Reader) (int64, error)

	// Open opens a blob for reading. The caller must close the reader and may use it only from one goroutine, and only
	// while ctx is valid. If the blob is replaced in the meantime, the reader continues with the old bytes or fails,
	// but never mixes old and new bytes. If there is no such blob, the error is a not-found fault with the code
	// "blob_not_found".
	Open(ctx context.Context, key string) (io.ReadSeekCloser, Info, error)

	// Delete deletes a blob. It is not an error if there is no such blob.
	Delete(ctx context.Context, key string) error

	// List calls yield for every blob whose key starts with prefix, in unspecified order. It stops at the first error
	// that yield returns, and returns that error. yield may delete the blob that it is called for.
	List(ctx context.Context, prefix string, yield func(Info) error) error

	// Link returns a link that downloads the blob as filename. If filename is empty, the last path element of the key
	// is used. The lifetime must be between MinLinkLife and MaxLinkLife; fractions of a second are cut off. Link does
	// not check whether the blob exists.
	Link(ctx context.Context, key, filename string, life time.Duration) (Link, error)
}

// Cleaner is a store that can remove what unfinished Puts leave behind, for example when a process is killed.
type Cleaner interface {
	// RemovePartial removes partly written blobs that have not grown for age, and returns their number. It does not
	// affect a Put in progress, as long as the Put writes something, or ends, within age.
	RemovePartial(ctx context.Context, age time.Duration) (int, error)
}

// NotFound returns the fault for a missing blob.
func NotFound(key string) error {
	return fault.New(fault.NotFound, "blob_not_found", "The stored object does not exist.").
		WithCause(errors.New("no blob " + key))
}

// CheckLife returns a fault if the lifetime of a link is not allowed.
func CheckLife(life time.Duration) error {
	if life < MinLinkLife || life > MaxLinkLife {
		return fault.New(fault.Invalid, "bad_link_life", "A link must be valid for between one second and seven days.")
	}
	return nil
}
