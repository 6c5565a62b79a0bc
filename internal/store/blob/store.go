package blob

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// MaxLinkLife is the longest life a link may be given: the limit of an S3
// presigned link, held by every driver so that they stay interchangeable.
const MaxLinkLife = 7 * 24 * time.Hour

// MinLinkLife is the shortest life a link may be given: expiry is written in
// whole seconds.
const MinLinkLife = time.Second

// Info describes one stored blob.
type Info struct {
	Key     string
	Size    int64 // bytes
	ModTime time.Time
}

// Link is a bearer link to one blob, for the GET method only.
type Link struct {
	URL string
	// ExpiresAt is the moment from which a new request is refused. A request
	// that began before it runs to its end.
	ExpiresAt time.Time
}

// Store keeps blobs by key. Every method is safe for concurrent use, and every
// method refuses a key that ValidKey does not accept.
//
// A key must not be a folder of another key ("a" beside "a/b"): a store on a
// file system cannot hold both and answers with a conflict fault.
type Store interface {
	// Put stores all of r under key and returns its size in bytes. The blob
	// becomes visible whole or not at all and replaces an earlier one. A
	// failing reader or a cancelled context leaves the earlier blob as it was
	// and nothing half-written behind. Memory use does not grow with the size.
	Put(ctx context.Context, key string, r io.Reader) (int64, error)

	// Open reads a blob. The caller closes the reader and uses it from one
	// goroutine, only while ctx lives. A blob replaced meanwhile is never
	// mixed with its successor: the reader goes on with the old bytes or fails.
	// An absent blob is a not-found fault with code "blob_not_found".
	Open(ctx context.Context, key string) (io.ReadSeekCloser, Info, error)

	// Delete removes a blob; an absent one is no error.
	Delete(ctx context.Context, key string) error

	// List calls yield for every blob whose key starts with prefix, in no
	// promised order, and stops at yield's first error and returns it. Yield
	// may delete the blob it is given.
	List(ctx context.Context, prefix string, yield func(Info) error) error

	// Link makes a link that downloads the blob as filename; an empty filename
	// means the last piece of the key. The life is MinLinkLife to MaxLinkLife;
	// parts of a second are cut off. Whether the blob exists is not checked.
	Link(ctx context.Context, key, filename string, life time.Duration) (Link, error)
}

// Cleaner is a store that can remove what Puts left behind that never came to their end, such as those of killed
// processes.
type Cleaner interface {
	// RemovePartial removes partly written blobs that have not grown for age, and returns how many. Puts under way are
	// left alone as long as each adds something, or ends, within age.
	RemovePartial(ctx context.Context, age time.Duration) (int, error)
}

// NotFound is the fault for an absent blob.
func NotFound(key string) error {
	return fault.New(fault.NotFound, "blob_not_found", "The stored object does not exist.").
		WithCause(errors.New("no blob " + key))
}

// CheckLife returns a fault unless a link may be valid that long.
func CheckLife(life time.Duration) error {
	if life < MinLinkLife || life > MaxLinkLife {
		return fault.New(fault.Invalid, "bad_link_life", "A link must be valid for between one second and seven days.")
	}
	return nil
}
