package apierror

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

// Writer writes error responses.
type Writer struct {
	Log *slog.Logger
	IDs id.Source
}

// Body is the JSON body of every error response (A2).
type Body struct {
	Error     string   `json:"error"`
	Code      string   `json:"code"`
	RequestID string   `json:"requestId"`
	Hint      string   `json:"hint,omitempty"`
	Details   []Detail `json:"details,omitempty"`
}

// Detail names one invalid field.
type Detail struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// Status returns the HTTP status of a kind of fault.
func Status(k fault.Kind) int { return statuses[k] }

// statuses maps each kind of fault to its HTTP status.
var statuses = map[fault.Kind]int{
	fault.Internal:        http.StatusInternalServerError,
	fault.Unauthenticated: http.StatusUnauthorized,
	fault.Forbidden:       http.StatusForbidden,
	fault.NotFound:        http.StatusNotFound,
	fault.Invalid:         http.StatusBadRequest,
	fault.TooLarge:        http.StatusRequestEntityTooLarge,
	fault.Conflict:        http.StatusConflict,
	fault.RateLimited:     http.StatusTooManyRequests,
	fault.NotAllowed:      http.StatusMethodNotAllowed,
	fault.Unsupported:     http.StatusUnsupportedMediaType,
	fault.Unavailable:     http.StatusServiceUnavailable,
	fault.Gone:            http.StatusGone,
}

// Write sends err as the response to r.
func (p Writer) Write(w http.ResponseWriter, r *http.Request, err error) {
	f := p.Resolve(w, r, err)
	w.WriteHeader(statuses[f.Kind])
	enc := json.NewEncoder(w)
	// The body is not HTML, and hints contain angle brackets.
	enc.SetEscapeHTML(false)
	// Encode fails only if the caller has disconnected.
	_ = enc.Encode(Body{Error: clip.Bytes(f.Public, maxSentence), Code: f.Code, RequestID: p.RequestID(w, r),
		Hint: f.Hint, Details: details(f, err)})
}

// Resolve returns the part of err that the caller may see, and sets the headers of the response to r. Internal errors
// are logged only here.
func (p Writer) Resolve(w http.ResponseWriter, r *http.Request, err error) *fault.Error {
	name := p.RequestID(w, r)
	f, ok := fault.As(err)
	if !ok || f.Kind == fault.Internal {
		if outage, is := fault.Outage(err); is {
			f, ok = outage, true
		}
	}
	if !ok || f.Kind == fault.Internal {
		level := slog.LevelError
		if errors.Is(r.Context().Err(), context.Canceled) { // the caller disconnected, which canceled the request
			level = slog.LevelDebug
		}
		p.Log.Log(r.Context(), level, "request failed", "requestId", name, "method", r.Method, "route", r.Pattern,
			"error", err)
		f = fault.New(fault.Internal, "internal_error", fault.Public(err)).
			WithHint("Try again. If the error persists, contact the operator and quote the requestId.")
	} else if f.Kind == fault.Unavailable {
		p.Log.WarnContext(r.Context(), "not available", "requestId", name, "route", r.Pattern, "error", err)
	}
	setHeaders(w.Header(), f)
	return f
}

func setHeaders(h http.Header, f *fault.Error) {
	for _, stale := range []string{"ETag", "Content-Encoding", "Content-Length", "Location"} {
		h.Del(stale)
	}
	h.Set("Content-Type", "application/json")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	switch f.Kind {
	case fault.Unauthenticated:
		h.Set("WWW-Authenticate", "Bearer")
	case fault.RateLimited, fault.Unavailable:
		h.Set("Retry-After", strconv.Itoa(Seconds(max(f.RetryAfter, time.Second))))
	}
}

// Seconds rounds a duration up to whole seconds, for headers, so that waiting that long is always enough.
func Seconds(d time.Duration) int { return max(0, int(math.Ceil(d.Seconds()))) }

// maxSentence is the maximum length of a message, in bytes. Messages quote input, which may be as long as a request
// body; the response must stay small.
const maxSentence = 1000

// details lists the fields of err and of every fault joined into it.
func details(f *fault.Error, err error) []Detail {
	var list []Detail
	seen := map[Detail]bool{}
	add := func(e *fault.Error) {
		d := Detail{Field: e.Field, Message: clip.Bytes(e.Public, maxSentence)}
		if e.Field != "" && e.Kind == f.Kind && !seen[d] {
			seen[d] = true
			list = append(list, d)
		}
	}
	add(f)
	var many interface{ Unwrap() []error }
	if errors.As(err, &many) {
		for _, one := range many.Unwrap() {
			if e, ok := fault.As(one); ok {
				add(e)
			}
		}
	}
	return list
}
