package adminapi

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/jsonbody"
)

// maxBody is the maximum size of a request body in bytes.
const maxBody = 1 << 20

// maxRepeat is the maximum length of Idempotency-Key in characters.
const maxRepeat = 255

// readBody reads the request body as the route's rule requires. If a body has the wrong content type and is also too
// large, the content type is reported.
func (c *call) readBody() error {
	raw, err := io.ReadAll(http.MaxBytesReader(c.w, c.r.Body, maxBody))
	if len(raw) > 0 {
		if err := checkContentType(c.r.Header, c.route.takes); err != nil {
			return err
		}
	}
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return fault.New(fault.TooLarge, "body_too_large", "The body is larger than 1 MiB.")
	case err != nil:
		return fault.New(fault.Invalid, "unreadable_body", "The body could not be read completely.").WithCause(err)
	}
	c.body = raw
	switch c.route.takes {
	case emptyBody:
		return c.expectEmpty()
	case jsonBody, rawBody:
		if len(bytes.TrimSpace(raw)) == 0 {
			return fault.New(fault.Invalid, "missing_body", "This operation needs a JSON body.").
				WithHint("Send it with Content-Type: application/json.")
		}
	}
	return nil
}

// expectEmpty accepts either no body or an empty object.
func (c *call) expectEmpty() error {
	if len(bytes.TrimSpace(c.body)) == 0 {
		return nil
	}
	return jsonbody.Decode(c.body, &struct{}{})
}

// checkContentType rejects anything but JSON. Code hosts may also send JSON in a form.
func checkContentType(h http.Header, takes bodyRule) error {
	kind, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	charset := strings.ToLower(params["charset"])
	right := kind == "application/json" || takes == rawBody && kind == "application/x-www-form-urlencoded"
	if err != nil || !right || charset != "" && charset != "utf-8" {
		return fault.New(fault.Unsupported, "unsupported_media_type", "The body must be JSON in UTF-8.").
			WithHint("Send it with Content-Type: application/json.")
	}
	if enc := h.Get("Content-Encoding"); enc != "" && !strings.EqualFold(enc, "identity") {
		return fault.New(fault.Unsupported, "unsupported_media_type", "The body must not be compressed.").
			WithHint("Send it without Content-Encoding.")
	}
	return nil
}

// readRepeat reads the Idempotency-Key header.
func (c *call) readRepeat() error {
	values := c.r.Header.Values("Idempotency-Key")
	if len(values) == 0 {
		return nil
	}
	c.repeat = values[0]
	unprintable := strings.ContainsFunc(c.repeat, func(r rune) bool { return r < ' ' || r > '~' })
	if len(values) > 1 || c.repeat == "" || len(c.repeat) > maxRepeat || unprintable {
		return fault.Newf(fault.Invalid, "invalid_field",
			"Idempotency-Key must have 1 to %d printable ASCII characters.", maxRepeat).WithField("Idempotency-Key")
	}
	return nil
}
