package apierror_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/serve/apierror"
)

func write(t *testing.T, err error) (*httptest.ResponseRecorder, apierror.Body, string) {
	t.Helper()
	var log bytes.Buffer
	p := apierror.Writer{Log: slog.New(slog.NewTextHandler(&log, nil)), IDs: id.Source{Rand: rand.Reader}}
	w := httptest.NewRecorder()
	p.Write(w, httptest.NewRequest("GET", "/v1/projects", nil), err)
	var body apierror.Body
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
		t.Fatalf("body %q: %v", w.Body, err)
	}
	return w, body, log.String()
}

// A2: every kind has its documented status and the error format.
func TestEveryFaultKindHasItsStatus(t *testing.T) {
	for kind, want := range map[fault.Kind]int{
		fault.Internal: 500, fault.Unauthenticated: 401, fault.Forbidden: 403, fault.NotFound: 404, fault.Invalid: 400,
		fault.TooLarge: 413,
		fault.Conflict: 409, fault.RateLimited: 429, fault.NotAllowed: 405, fault.Unsupported: 415,
		fault.Unavailable: 503, fault.Gone: 410,
	} {
		w, body, _ := write(t, fmt.Errorf("do: %w", fault.New(kind, "some_code", "A sentence.")))
		if w.Code != want || body.Error == "" || body.Code == "" || body.RequestID == "" ||
			body.RequestID != w.Header().Get("X-Request-Id") {
			t.Errorf("kind %v: status %d, body %+v", kind, w.Code, body)
		}
		for name, value := range map[string]string{"Content-Type": "application/json",
			"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"} {
			if got := w.Header().Get(name); got != value {
				t.Errorf("kind %v: %s = %q", kind, name, got)
			}
		}
		if got := w.Header().Get("WWW-Authenticate"); (got == "Bearer") != (want == 401) {
			t.Errorf("kind %v: WWW-Authenticate = %q", kind, got)
		}
		if got := w.Header().Get("Retry-After"); (got != "") != (want == 429 || want == 503) {
			t.Errorf("kind %v: Retry-After = %q", kind, got)
		}
	}
}

func TestUnexpectedErrorIsLoggedOnceAndHidden(t *testing.T) {
	w, body, log := write(t, errors.New("open /secret/place: denied"))
	if w.Code != 500 || strings.Contains(w.Body.String(), "secret") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if strings.Count(log, "/secret/place") != 1 || !strings.Contains(log, body.RequestID) {
		t.Errorf("log: %s", log)
	}
}

func TestErrorCauseIsHidden(t *testing.T) {
	w, _, log := write(t, fault.New(fault.NotFound, "x", "Gone.").WithCause(errors.New("row 7 of table keys")))
	if strings.Contains(w.Body.String(), "table") || log != "" {
		t.Errorf("body %s, log %s", w.Body, log)
	}
}

// A2: a response does not grow with the caller's input that it quotes.
func TestLongMessagesAreTruncated(t *testing.T) {
	w, body, _ := write(t, fault.Newf(fault.Invalid, "invalid_field", "%q is not a host name.",
		strings.Repeat("ä", 1<<19)).WithField("domain"))
	if w.Body.Len() > 4096 || !strings.HasPrefix(body.Error, `"ää`) || !strings.HasSuffix(body.Error, "ä…") ||
		len(body.Details) != 1 {
		t.Errorf("%d bytes: %.80s", w.Body.Len(), w.Body)
	}
}

func TestFieldsBecomeDetails(t *testing.T) {
	_, body, _ := write(t, fault.New(fault.Invalid, "invalid_field", "name is too long.").WithField("name").
		WithHint("Shorten it."))
	if len(body.Details) != 1 || body.Details[0].Field != "name" || body.Hint != "Shorten it." {
		t.Errorf("%+v", body)
	}
	_, body, _ = write(t, fmt.Errorf("check: %w", errors.Join(
		fault.New(fault.Unavailable, "not_ready", "The database does not respond.").WithField("database"),
		fault.New(fault.Unavailable, "not_ready", "Files cannot be read.").WithField("blob"))))
	if len(body.Details) != 2 || body.Details[1].Field != "blob" {
		t.Errorf("%+v", body)
	}
}

func TestRetryAfterIsRoundedUp(t *testing.T) {
	w, _, _ := write(t, fault.New(fault.RateLimited, "rate_limited", "Slow down.").
		WithRetryAfter(1500*time.Millisecond))
	if got := w.Header().Get("Retry-After"); got != "2" {
		t.Errorf("Retry-After = %q", got)
	}
}

// A3: a caller's id is used if, and only if, it is well formed.
func TestRequestIDs(t *testing.T) {
	p := apierror.Writer{IDs: id.Source{Rand: rand.Reader}}
	for in, kept := range map[string]bool{"trace-0001.a_b": true, "short": false, "": false, "with space in it": false,
		"evil\"quote-1234": false, strings.Repeat("x", 65): false, strings.Repeat("x", 64): true} {
		w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil)
		r.Header.Set("X-Request-Id", in)
		got := p.RequestID(w, r)
		if (got == in) != kept || got == "" || w.Header().Get("X-Request-Id") != got || p.RequestID(w, r) != got {
			t.Errorf("%q became %q", in, got)
		}
	}
}
