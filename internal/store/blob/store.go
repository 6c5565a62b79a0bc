package blob

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// MaxLinkLife is the maximum lifetime of a link: the limit of an S3 presigned link, which all drivers share so that
// they stay interchangeable.
const MaxLinkLife = 7 * 24 * time.Hour

// MinLinkLife is the minimum lifetime of a link, because expiry is in whole seconds.
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
	// ExpiresAt is the time from which new requests are refused. A request that started earlier can finish.
	ExpiresAt time.Time
}

// Store stores blobs by key. All methods are safe for concurrent use, and refuse a key that ValidKey does not
// accept.
//
// A key must not be a folder of another key ("a" and "a/b"): a store on a file system cannot hold both and returns
// a conflict fault.
type Store interface {
	// Put stores all of r under key and returns its size in bytes. The blob becomes visible whole or not at all and
	// replaces an earlier one. If the reader fails or the context is canceled, the earlier blob stays unchanged and
	// nothing partial remains. Memory use does not depend on the size.
	Put(ctx context.Context, key string, r io.Reader) (int64, error)

	// Open reads a blob. The caller closes the reader and uses it from one goroutine, only while ctx is valid. If the
	// blob is replaced during the read, the reader continues with the old bytes or fails, but never mixes the two. A
	// missing blob is a not-found fault with code "blob_not_found".
	Open(ctx context.Context, key string) (io.ReadSeekCloser, Info, error)

	// Delete deletes a blob; a missing one is not an error.
	Delete(ctx context.Context, key string) error

	// List calls yield for every blob whose key starts with prefix, in unspecified order. It stops at the first
	// error of yield and returns it. yield may delete the given blob.
	List(ctx context.Context, prefix string, yield func(Info) error) error

	// Link returns a link that downloads the blob as filename; an empty filename means the last path element of the
	// key. The lifetime is MinLinkLife to MaxLinkLife; fractions of a second are cut off. Link does not check
	// whether the blob exists.
	Link(ctx context.Context, key, filename string, life time.Duration) (Link, error)
}

// Cleaner is a store that can remove the remains of unfinished Puts, such as those of killed processes.
type Cleaner interface {
	// RemovePartial removes partly written blobs that have not grown for age, and returns their number. It keeps
	// Puts in progress as long as each writes something, or ends, within age.
	RemovePartial(ctx context.Context, age time.Duration) (int, error)
}

// NotFound returns the fault for a missing blob.
func NotFound(key string) error {
	return fault.New(fault.NotFound, "blob_not_found", "The stored object does not exist.").
		WithCause(errors.New("no blob " + key))
}

// CheckLife returns a fault for an invalid lifetime of a link.
func CheckLife(life time.Duration) error {
	if life < MinLinkLife || life > MaxLinkLife {
		return fault.New(fault.Invalid, "bad_link_life", "A link must be valid for between one second and seven days.")
	}
	return nil
}
