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

// Error is an answer by which the server, or something before it, refused a call.
type Error struct {
	Status     int           // HTTP status
	Code       string        // stable word, such as unknown_domain; "" when the answer was not the API's own
	Message    string        // sentence for people
	Hint       string        // what to do about it, or ""
	RequestID  string        // to quote when asking for help, or ""
	RetryAfter time.Duration // how long to wait before trying again; 0 when the server did not say
	Details    []ErrorDetail // fields at fault, or nil
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
	// What cannot be read is not the API's own answer: the status says all there is to say.
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

// retryAfter reads the header's seconds; it is 0 when absent or not a number.
func retryAfter(h http.Header) time.Duration {
	seconds, err := strconv.Atoi(h.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(seconds) * time.Second
}
