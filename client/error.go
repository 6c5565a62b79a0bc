package client

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Error is an error response from the server or from a proxy in front of it.
type Error struct {
	Status     int           // HTTP status
	Code       string        // stable code, such as unknown_domain; "" if the response did not come from the API
	Message    string        // message for people
	Hint       string        // what to do about it, or ""
	RequestID  string        // to quote in support requests, or ""
	RetryAfter time.Duration // how long to wait before retrying; 0 if the server did not say
	Details    []ErrorDetail // invalid fields, or nil
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Message)
	fmt.Fprintf(&b, " (status %d", e.Status)
	if e.Code != "" {
		b.WriteString(", " + e.Code)
	}
	if e.RequestID != "" {
		b.WriteString(", request " + e.RequestID)
	}
	b.WriteString(")")
	return b.String()
}

// temporary reports whether the same GET may succeed later.
func (e *Error) temporary() bool { return e.Status == http.StatusTooManyRequests || e.Status >= 500 }

func readError(resp *http.Response) *Error {
	e := &Error{
		Status: resp.StatusCode, RequestID: resp.Header.Get("X-Request-Id"), RetryAfter: retryAfter(resp.Header),
		Message: "The server answered " +
			strings.TrimSpace(strconv.Itoa(resp.StatusCode)+" "+http.StatusText(resp.StatusCode)) + ".",
	}
	var body struct {
		Error     string        `json:"error"`
		Code      string        `json:"code"`
		RequestID string        `json:"requestId"`
		Hint      string        `json:"hint"`
		Details   []ErrorDetail `json:"details"`
	}
	// A body that cannot be decoded did not come from the API; then the status is all we know.
	if data, err := io.ReadAll(io.LimitReader(resp.Body, maxError)); err != nil || json.Unmarshal(data, &body) != nil ||
		body.Error == "" {
		return e
	}
	e.Message, e.Code, e.Hint, e.Details = body.Error, body.Code, body.Hint, body.Details
	if body.RequestID != "" {
		e.RequestID = body.RequestID
	}
	return e
}

// retryAfter parses Retry-After in seconds. It returns 0 if the header is absent or not a number.
func retryAfter(h http.Header) time.Duration {
	seconds, err := strconv.Atoi(h.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(seconds) * time.Second
}
