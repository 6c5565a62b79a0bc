package scim

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/apierror"
)

const (
	mediaType = "application/scim+json"
	maxBody   = 1 << 20 // bytes
	maxDetail = 1000    // bytes of an error message, which may quote the request

	errorSchema = "urn:ietf:params:scim:api:messages:2.0:Error"
)

// Codes of faults with their own scimType or status.
const (
	invalidFilter = "invalid_filter"
	invalidPath   = "invalid_path"
	invalidSyntax = "invalid_syntax"
	invalidValue  = "invalid_value"
	mutability    = "mutability"
	noTarget      = "no_target"
	versionChange = "version_mismatch"
	notSupported  = "not_supported"
)

var scimTypes = map[string]string{invalidFilter: "invalidFilter", invalidPath: "invalidPath",
	invalidSyntax: "invalidSyntax", invalidValue: "invalidValue", mutability: "mutability", noTarget: "noTarget",
	"invalid_field": "invalidValue", "invalid_text": "invalidValue",
	"user_exists": "uniqueness", "group_exists": "uniqueness", "member_exists": "uniqueness"}

var ownStatuses = map[string]int{versionChange: http.StatusPreconditionFailed, notSupported: http.StatusNotImplemented}

func bad(code, format string, args ...any) error {
	return fault.Newf(fault.Invalid, code, format, args...)
}

// problem is the body of an error response.
type problem struct {
	Schemas  []string `json:"schemas"`
	Status   string   `json:"status"`
	ScimType string   `json:"scimType,omitempty"`
	Detail   string   `json:"detail"`
}

// sendProblem sends an error response and returns its status.
func (s *server) sendProblem(w http.ResponseWriter, r *http.Request, err error) int {
	f := s.problems.Resolve(w, r, err)
	status, ok := ownStatuses[f.Code]
	if !ok {
		status = apierror.Status(f.Kind)
	}
	detail := f.Public
	if f.Hint != "" {
		detail += " " + f.Hint
	}
	w.Header().Set("Content-Type", mediaType)
	w.WriteHeader(status)
	// Encode fails only if the caller has disconnected.
	_ = encode(w, problem{Schemas: []string{errorSchema}, Status: strconv.Itoa(status), ScimType: scimTypes[f.Code],
		Detail: clip.Bytes(detail, maxDetail)})
	return status
}

func encode(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false) // the body is not HTML
	return enc.Encode(v)
}

// send writes a response, or 304 if the caller already has this version of a resource.
func (c *call) send(w http.ResponseWriter, res reply) error {
	var raw bytes.Buffer
	if res.body != nil {
		if err := encode(&raw, res.body); err != nil {
			return fmt.Errorf("encode response: %w", err)
		}
	}
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	if res.location != "" {
		h.Set("Location", res.location)
	}
	if res.version != "" {
		h.Set("ETag", res.version)
		if match := c.r.Header.Get("If-None-Match"); c.r.Method == http.MethodGet && match != "" && names(match, res.version) {
			w.WriteHeader(http.StatusNotModified)
			return nil
		}
	}
	if res.body != nil {
		h.Set("Content-Type", mediaType)
	}
	w.WriteHeader(res.status)
	_, _ = w.Write(raw.Bytes()) // the caller has disconnected, so the error cannot be reported
	return nil
}

// names reports whether a list of entity tags contains the version. Weak and strong tags are treated alike.
func names(list, version string) bool {
	for one := range strings.SplitSeq(list, ",") {
		if one = strings.TrimSpace(one); one == "*" || strings.TrimPrefix(one, "W/") == strings.TrimPrefix(version, "W/") {
			return true
		}
	}
	return false
}

// expect rejects a change if the resource differs from the version in If-Match.
func (c *call) expect(version string) error {
	if match := c.r.Header.Get("If-Match"); match != "" && !names(match, version) {
		return fault.New(fault.Conflict, versionChange, "The resource has changed since the version in If-Match.")
	}
	return nil
}

// versionOf computes an entity tag from everything that a resource shows.
func versionOf(v any) string {
	sum := sha256.New()
	_ = encode(sum, v) // cannot fail: a hash accepts all writes, and our resources can be encoded
	return `W/"` + hex.EncodeToString(sum.Sum(nil)[:12]) + `"`
}

// readBody parses a request body that must be a JSON object.
func readBody(w http.ResponseWriter, r *http.Request) (map[string]any, error) {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	charset := strings.ToLower(params["charset"])
	if err != nil || kind != mediaType && kind != "application/json" || charset != "" && charset != "utf-8" ||
		r.Header.Get("Content-Encoding") != "" {
		return nil, fault.New(fault.Unsupported, "unsupported_media_type", "The body must be JSON in UTF-8.").
			WithHint("Send it with Content-Type: " + mediaType + ".")
	}
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, fault.New(fault.TooLarge, "body_too_large", "The body is larger than 1 MiB.").
			WithHint("Send fewer members of a group at once.")
	case err != nil:
		return nil, fault.New(fault.Invalid, invalidSyntax, "The body could not be read completely.").WithCause(err)
	}
	return parseObject(raw)
}

// parseObject parses a JSON object.
func parseObject(raw []byte) (map[string]any, error) {
	var out map[string]any
	if !utf8.Valid(raw) {
		return nil, bad(invalidSyntax, "The body is not valid UTF-8.")
	}
	if err := json.Unmarshal(raw, &out); err != nil || out == nil {
		return nil, fault.New(fault.Invalid, invalidSyntax, "The body must be a JSON object.").WithCause(err)
	}
	return out, nil
}
