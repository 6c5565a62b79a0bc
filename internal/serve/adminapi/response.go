package adminapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// response is what a handler returns.
type response struct {
	status   int
	body     any    // encoded as JSON; json.RawMessage as it is; nil = no body
	location string // path of what was made or started; "" = none
	poll     bool   // whether asking again makes sense: the work goes on
	replayed bool   // the first response to a request that was sent again
	streamed bool   // the handler wrote the response itself
	untagged bool   // without ETag: asking is about this moment
}

// Values of headers that many responses share, so that none allocates a list. Nothing changes them: Header.Set and Del
// replace a list, and Add copies one that is full. pollAfter is the suggested wait between polls, in seconds.
var (
	pollAfter      = []string{"1"}
	nosniff        = []string{"nosniff"}
	noStore        = []string{"no-store"}
	privateNoCache = []string{"private, no-cache"}
	jsonType       = []string{"application/json"}
)

// send writes the response. Responses to GET carry an ETag of their bytes, and a caller who has them already gets 304
// (A6).
func (c *call) send(res response) error {
	if res.streamed {
		return nil
	}
	raw, err := encode(res.body)
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
		tag := etag(raw)
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
	_, _ = c.w.Write(raw) // the caller has gone: the error cannot be reported
	return nil
}

// encodedSize is more than most bodies have, in bytes, so that they are written without growing the buffer.
const encodedSize = 1 << 10

// encode turns a body into JSON; links keep their ampersands readable.
func encode(body any) ([]byte, error) {
	if body == nil {
		return nil, nil
	}
	if raw, ok := body.(json.RawMessage); ok {
		return raw, nil
	}
	var b bytes.Buffer
	b.Grow(encodedSize)
	enc := json.NewEncoder(&b)
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

// matches reports whether If-None-Match names the tag. Weak and strong spellings count alike for it.
func matches(values []string, tag string) bool {
	for one := range strings.SplitSeq(strings.Join(values, ","), ",") {
		one = strings.TrimSpace(one)
		if one == "*" || strings.TrimPrefix(one, "W/") == tag {
			return true
		}
	}
	return false
}

// stamp returns a time as answers show it: UTC, to the microsecond, as it is stored.
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

// orEmpty makes a nil list an empty one.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
