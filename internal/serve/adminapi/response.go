package adminapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// response is the result of a handler.
type response struct {
	status   int
	body     any    // encoded as JSON; json.RawMessage is sent unchanged; nil = no body
	tag      string // ETag of the body; "" = computed when it is sent
	location string // path of the resource that was created; "" = none
	poll     bool   // the work continues, so the caller should poll
	replayed bool   // the request was repeated, and this is the response to the first one
	streamed bool   // the handler wrote the response itself
	untagged bool   // no ETag: the response describes the current moment
}

// Header values shared by many responses, to avoid allocating lists. They are never modified: Header.Set and Del
// replace a list, and Add copies a full one. pollAfter is the suggested polling interval in seconds.
var (
	pollAfter      = []string{"1"}
	nosniff        = []string{"nosniff"}
	noStore        = []string{"no-store"}
	privateNoCache = []string{"private, no-cache"}
	jsonType       = []string{"application/json"}
)

// send writes the response. Responses to GET have an ETag computed from the body, and a caller that already has the
// same body gets 304 (A6).
func (c *call) send(res response) error {
	if res.streamed {
		return nil
	}
	buffer := buffers.Get().(*bytes.Buffer)
	defer release(buffer)
	raw, err := encodeIn(buffer, res.body)
	if err != nil {
		return err
	}
	h := c.w.Header()
	h["X-Content-Type-Options"] = nosniff
	h["Cache-Control"] = noStore
	if res.poll {
		h["Retry-After"] = pollAfter
	}
	if res.location != "" {
		h.Set("Location", res.location)
	}
	if res.replayed {
		h.Set("Idempotency-Replayed", "true")
	}
	if c.route.Method == http.MethodGet && !res.untagged {
		h["Cache-Control"] = privateNoCache
		tag := res.tag
		if tag == "" {
			tag = etag(raw)
		}
		h.Set("ETag", tag)
		if matches(c.r.Header.Values("If-None-Match"), tag) {
			c.w.WriteHeader(http.StatusNotModified)
			return nil
		}
	}
	if raw != nil {
		h["Content-Type"] = jsonType
	}
	c.w.WriteHeader(res.status)
	_, _ = c.w.Write(raw) // the caller has disconnected, so the error cannot be reported
	return nil
}

// buffers are reused for response bodies, which otherwise cause a quarter of the memory allocated by a poll of a job.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// mostReused is the size in bytes up to which a buffer is kept, so that a few long lists do not hold memory.
const mostReused = 64 << 10

func release(b *bytes.Buffer) {
	if b.Cap() <= mostReused {
		b.Reset()
		buffers.Put(b)
	}
}

// encode encodes a body as JSON.
func encode(body any) ([]byte, error) { return encodeIn(new(bytes.Buffer), body) }

// encodeIn encodes a body as JSON in an empty buffer, without escaping ampersands, which keeps links readable. The
// result may refer to the buffer.
func encodeIn(b *bytes.Buffer, body any) ([]byte, error) {
	if body == nil {
		return nil, nil
	}
	if raw, ok := body.(json.RawMessage); ok {
		return raw, nil
	}
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		return nil, fmt.Errorf("encode response: %w", err)
	}
	return b.Bytes(), nil
}

func etag(raw []byte) string {
	sum := sha256.Sum256(raw)
	return `"` + hex.EncodeToString(sum[:16]) + `"`
}

// matches reports whether If-None-Match contains the tag. Weak and strong tags are treated alike.
func matches(values []string, tag string) bool {
	for one := range strings.SplitSeq(strings.Join(values, ","), ",") {
		one = strings.TrimSpace(one)
		if one == "*" || strings.TrimPrefix(one, "W/") == tag {
			return true
		}
	}
	return false
}

// stamp returns a time in the API's form: UTC, to the microsecond, as stored.
func stamp(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

func stampOrNull(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	s := stamp(*t)
	return &s
}

// orNull encodes a string as null if it is empty (A9).
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// orEmpty replaces a nil list with an empty one.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
