package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

const maxRefusal = 64 << 10 // bytes read of an error response

// ServerError is an error reported by a server, in a response or within a stream.
type ServerError struct {
	Kind    string // the server's error type, such as overloaded_error; "" if none
	Message string // untrusted; for operators
}

// ParseServerError parses {"error": …}, where … is text or an object, depending on the server. A body that cannot
// be parsed becomes the message.
func ParseServerError(body []byte) ServerError {
	var outer struct {
		Error json.RawMessage `json:"error"`
	}
	raw := body
	if json.Unmarshal(body, &outer) == nil && len(outer.Error) > 0 && string(outer.Error) != "null" {
		raw = outer.Error
	}
	var t struct {
		Type    any    `json:"type"`
		Code    any    `json:"code"`
		Message string `json:"message"`
	}
	var text string
	switch {
	case json.Unmarshal(raw, &t) == nil && (t.Message != "" || t.Type != nil || t.Code != nil):
		return ServerError{Kind: words(t.Code, t.Type), Message: excerpt(t.Message)}
	case json.Unmarshal(raw, &text) == nil:
		return ServerError{Message: excerpt(text)}
	}
	return ServerError{Message: excerpt(string(body))}
}

// words joins those values that are strings. An error's code is more specific than its type, but some servers send a
// number as the code.
func words(parts ...any) string {
	var out []string
	for _, p := range parts {
		if s, ok := p.(string); ok && s != "" {
			out = append(out, excerpt(s))
		}
	}
	return strings.Join(out, " ")
}

// excerpt returns the beginning of a server's text without splitting a character.
func excerpt(s string) string {
	const most = 500 // bytes
	return clip.Bytes(strings.ToValidUTF8(strings.TrimSpace(s), "\uFFFD"), most)
}

// Fault converts an error with this status to a fault for the caller. If the result is an *llm.Again, the request may
// be retried.
func (t ServerError) Fault(status int) error {
	cause := fmt.Errorf("server responded %d %s: %s", status, t.Kind, t.Message)
	all := strings.ToLower(t.Kind + " " + t.Message)
	has := func(marks ...string) bool {
		for _, m := range marks {
			if strings.Contains(all, m) {
				return true
			}
		}
		return false
	}
	make := func(kind fault.Kind, code, public string) error {
		return fault.New(kind, code, public).WithCause(cause)
	}
	switch {
	case status == http.StatusPaymentRequired, has("insufficient_quota", "billing_error", "credit balance"):
		return make(fault.Forbidden, "model_account_refused",
			"The model's provider currently rejects this server's account, for example because of its balance.")
	case status == http.StatusUnauthorized, status == http.StatusForbidden,
		has("authentication_error", "permission_error"):
		return make(fault.Forbidden, "model_key_refused", "The model's server rejects this server's API key.")
	case status == http.StatusNotFound, has("not_found_error", "model_not_found"):
		return make(fault.NotFound, "model_unknown", "The model's server does not know this model.")
	case status == http.StatusRequestEntityTooLarge,
		has("context_length", "exceed_context", "prompt is too long", "context length", "request_too_large"):
		return make(fault.TooLarge, "model_input_too_long", "The conversation has become too long for the model.")
	case passing(status), has("overloaded", "rate_limit", "api_error", "server_error", "timeout_error"):
		return &llm.Again{Err: cause}
	}
	return make(fault.Invalid, "model_request_refused", "The model's server rejected the request.")
}

// passing reports whether an error with this status may be temporary.
func passing(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported:
		return false
	}
	return status >= 500
}

func refusal(resp *http.Response, now func() time.Time) error {
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxRefusal))
	if err != nil && len(body) == 0 {
		body = []byte("the response could not be read")
	}
	err = ParseServerError(body).Fault(resp.StatusCode)
	var again *llm.Again
	if !errors.As(err, &again) {
		return err
	}
	if resp.Header.Get("X-Should-Retry") == "false" { // both APIs may send this
		return fault.New(fault.Unavailable, "model_busy", "The model is not available at the moment.").
			WithCause(again.Err)
	}
	again.After = retryAfter(resp.Header, now)
	return again
}

// retryAfter returns the delay that the server requests before a retry, given in milliseconds, in seconds, or as a
// date. It returns 0 if the server requests none.
func retryAfter(h http.Header, now func() time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return span(ms, time.Millisecond)
	}
	value := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(value, 64); err == nil {
		return span(s, time.Second)
	}
	if at, err := http.ParseTime(value); err == nil && now != nil {
		return max(0, at.Sub(now()))
	}
	return 0
}

// span returns n units; invalid values become 0, and values above a day become a day.
func span(n float64, unit time.Duration) time.Duration {
	const day = 24 * time.Hour
	switch {
	case !(n > 0):
		return 0
	case n > float64(day/unit):
		return day
	}
	return time.Duration(n * float64(unit))
}
