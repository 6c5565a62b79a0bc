package forgetest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// failure is a response that replaces the host's.
type failure struct {
	answer func(w http.ResponseWriter, r *http.Request, secrets []string)
	code   string // the fault's code; "" = any fault, or success, because an empty list may be a valid response
	kind   fault.Kind
	wait   time.Duration
}

func status(code int, header ...string) func(http.ResponseWriter, *http.Request, []string) {
	return func(w http.ResponseWriter, _ *http.Request, secrets []string) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		// Echo the request in every field in which hosts put messages.
		echo := strings.Join(secrets, " ")
		fmt.Fprintf(w,
			`{"message": "no: %[1]s", "error": {"message": "no %[1]s"}, "errors": ["%[1]s", {"message": "%[1]s"}, {"deep": [[[["%[1]s"]]]]}]}`, echo)
	}
}

func text(body string) func(http.ResponseWriter, *http.Request, []string) {
	return func(w http.ResponseWriter, _ *http.Request, secrets []string) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, strings.ReplaceAll(body, "SECRET", strings.Join(secrets, " ")))
	}
}

var failures = map[string]failure{
	"too many requests":   {status(429, "Retry-After", "7"), "forge_busy", fault.Unavailable, 7 * time.Second},
	"too many, for a day": {status(429, "Retry-After", "86400"), "forge_busy", fault.Unavailable, time.Hour},
	"too many, oddly":     {status(429, "Retry-After", "-5 bananas"), "forge_busy", fault.Unavailable, 0},
	"internal error":      {status(500), "forge_busy", fault.Unavailable, 0},
	"maintenance":         {status(503, "Retry-After", "30"), "forge_busy", fault.Unavailable, 30 * time.Second},
	"unauthorized":        {status(401), "forge_key_refused", fault.Forbidden, 0},
	"forbidden":           {status(403), "forge_key_refused", fault.Forbidden, 0},
	"teapot":              {status(418), "forge_refused", fault.Invalid, 0},
	"a page of HTML":      {text("<!doctype html><title>SECRET</title>"), "forge_bad_answer", fault.Unavailable, 0},
	"half an answer":      {text(`{"number": 1, "title": "SECRET`), "forge_bad_answer", fault.Unavailable, 0},
	"nothing":             {text(""), "forge_bad_answer", fault.Unavailable, 0},
	"wrong types": {text(`{"number": "SECRET", "iid": [], "id": {}, "values": 5, "title": 5}`),
		"forge_bad_answer", fault.Unavailable, 0},
	"a list of wrong things": {text(`[5, "SECRET", [[]], {"number": {}}]`), "forge_bad_answer", fault.Unavailable, 0},
	"null":                   {text("null"), "", 0, 0},
	"negative numbers":       {text(`{"number": -1, "iid": -1, "id": -1, "values": []}`), "", 0, 0},
	"deep nesting":           {text(strings.Repeat("[", 100_000)), "forge_bad_answer", fault.Unavailable, 0},
	"an endless answer": {func(w http.ResponseWriter, r *http.Request, _ []string) {
		chunk := strings.Repeat(" ", 1<<20)
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, chunk); err != nil {
				return
			}
		}
	}, "forge_bad_answer", fault.Unavailable, 0},
	"an announced giant": {func(w http.ResponseWriter, _ *http.Request, _ []string) {
		w.Header().Set("Content-Length", "999999999999")
		_, _ = io.WriteString(w, "[")
	}, "forge_bad_answer", fault.Unavailable, 0},
	"a cut connection": {func(http.ResponseWriter, *http.Request, []string) { panic(http.ErrAbortHandler) },
		"forge_busy", fault.Unavailable, 0},
}

// F4, K9: whatever responds instead of the host, the driver returns one of the contract's faults, of limited length and
// without secrets.
func hostFailures(t *testing.T, d *fixture) {
	for what, f := range failures {
		d.proxy.answer(func(w http.ResponseWriter, r *http.Request) { f.answer(w, r, d.rig.Secrets) })
		for name, ask := range asks(d.host, 1) {
			err := ask(t.Context())
			d.hides(t, what+", "+name, err)
			if err == nil && d.rig.Mute && name == setStatus {
				continue // any response is acceptable
			}
			if err == nil && d.rig.Issue == nil && name == "MayWrite" && f.code == "" {
				continue // an empty list means that nobody has the permission
			}
			found, ok := fault.As(err)
			switch {
			case !ok:
				t.Errorf("%s, %s: no fault: %v", what, name, err)
			case f.code != "" && (found.Code != f.code || found.Kind != f.kind || found.RetryAfter != f.wait):
				t.Errorf("%s, %s: %s after %v: %v", what, name, found.Code, found.RetryAfter, err)
			}
		}
	}
}

// F3: a redirect to another origin is not followed, and a redirect loop ends.
func redirects(t *testing.T, d *fixture) {
	var reached atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	t.Cleanup(other.Close)
	for _, code := range []int{301, 302, 303, 307, 308} {
		for _, to := range []string{other.URL, "//" + strings.TrimPrefix(other.URL, "http://"), "file:///etc/passwd",
			"SELF"} {
			d.proxy.answer(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Location", strings.Replace(to, "SELF", r.URL.RequestURI(), 1))
				w.WriteHeader(code)
			})
			for name, ask := range asks(d.host, 1) {
				err := ask(t.Context())
				d.hides(t, name, err)
				if _, ok := fault.As(err); !ok {
					t.Errorf("%d to %s, %s: %v", code, to, name, err)
				}
			}
		}
	}
	if n := reached.Load(); n != 0 {
		t.Errorf("the other host received %d requests", n)
	}
}
