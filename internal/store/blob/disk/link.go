package disk

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// linkPath is the prefix of every link's path.
const linkPath = "/blob/"

// Link signs a link that ServeHTTP serves.
func (s *Store) Link(ctx context.Context, key, filename string, life time.Duration) (blob.Link, error) {
	if err := blob.CheckKey(key); err != nil {
		return blob.Link{}, err
	}
	filename, err := blob.Filename(key, filename)
	if err != nil {
		return blob.Link{}, err
	}
	query, expires, err := s.signer.Sign(linkPath+key, filename, life)
	if err != nil {
		return blob.Link{}, fmt.Errorf("sign link to blob %s: %w", key, err)
	}
	base := blob.BaseURL(ctx)
	if base == "" {
		base = s.baseURL()
	}
	return blob.Link{
		URL:       strings.TrimSuffix(base, "/") + linkPath + key + "?" + query,
		ExpiresAt: expires,
	}, nil
}

// ServeHTTP serves links. It accepts only GET and supports ranges. It checks the expiry time only at the start of a
// request, so a download in progress can finish.
func (s *Store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Cache-Control", "private, no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	if r.Method != http.MethodGet {
		header.Set("Allow", http.MethodGet)
		s.writeError(w, r, fault.New(fault.NotAllowed, "method_not_allowed",
			"A link to a stored object only supports GET."))
		return
	}
	key, filename, err := s.verify(r)
	if err != nil {
		s.writeError(w, r, err)
		return
	}
	file, info, err := s.open(key)
	if err != nil {
		s.writeError(w, r, err)
		return
	}
	defer file.Close() // opened for reading: nothing can be lost
	header.Set("Content-Type", "application/octet-stream")
	header.Set("Content-Disposition", blob.Disposition(filename))
	header.Set("ETag", etag(info))
	http.ServeContent(w, r, "", info.ModTime, file)
}

// verify returns the key and the file name of a valid link. It compares the path as it was sent. Keys need no escaping,
// so a path that contains an escape is not in normalized form and cannot have been signed.
func (s *Store) verify(r *http.Request) (key, filename string, err error) {
	sent := r.URL.EscapedPath()
	filename, err = s.signer.Verify(r.Method, sent, r.URL.RawQuery)
	if err != nil {
		return "", "", err
	}
	key = strings.TrimPrefix(sent, linkPath)
	return key, filename, blob.CheckKey(key)
}

// etag returns a value that changes with every Put, because each Put stamps its file with its own time.
func etag(info blob.Info) string {
	return fmt.Sprintf(`"%x-%x"`, info.Size, info.ModTime.UnixNano())
}
