package outbound_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/source/outbound"
)

// F1: an author's address in the operator's network is refused when dialing, unless the operator allows it.
func TestGetterAcceptsDocumentsWithinLimits(t *testing.T) {
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/spec":
			_, _ = w.Write([]byte("openapi: 3.1.0"))
		case "/huge":
			_, _ = w.Write([]byte(strings.Repeat("x", 4096)))
		default:
			http.NotFound(w, r)
		}
	}))
	defer host.Close()
	limits := outbound.Limits{Bytes: 1024, Time: 10 * time.Second}
	closed, err := outbound.NewGuard(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := closed.Getter(limits)(t.Context(), host.URL+"/spec"); err == nil {
		t.Error("loopback was reached without permission")
	}
	open, err := outbound.NewGuard([]string{"127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	get := open.Getter(limits)
	if data, err := get(t.Context(), host.URL+"/spec"); err != nil || string(data) != "openapi: 3.1.0" {
		t.Errorf("spec: %q %v", data, err)
	}
	for _, path := range []string{"/huge", "/none"} {
		if _, err := get(t.Context(), host.URL+path); err == nil {
			t.Errorf("%s was accepted", path)
		}
	}
}

// F8: documents are requested without credentials, temporary failures are retried, and other failures report their
// cause.
func TestGetterRetriesAndReportsCause(t *testing.T) {
	var mu sync.Mutex
	asked := map[string]int{}
	count := func(path string, add int) int {
		mu.Lock()
		defer mu.Unlock()
		asked[path] += add
		return asked[path]
	}
	stop := make(chan struct{})
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tries := count(r.URL.Path, 1)
		if len(r.Cookies()) > 0 || r.Header.Get("Authorization") != "" {
			t.Errorf("credentials were sent: %v", r.Header)
		}
		http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
		switch {
		case r.URL.Path == "/cut" || r.URL.Path == "/once" && tries < 3:
			w.Header().Set("Content-Length", "100")
			_, _ = w.Write([]byte(`{"openapi":`))
		case r.URL.Path == "/slow":
			select {
			case <-stop:
			case <-r.Context().Done():
			}
		case r.URL.Path == "/busy":
			w.WriteHeader(http.StatusServiceUnavailable)
		case r.URL.Path == "/none":
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer host.Close()
	defer close(stop)
	gone := httptest.NewServer(nil)
	gone.Close()
	guard, err := outbound.NewGuard([]string{"127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	get := guard.Getter(outbound.Limits{Time: 300 * time.Millisecond, Retries: 2, Pause: time.Millisecond})
	if _, err := get(t.Context(), host.URL+"/once"); err != nil {
		t.Errorf("the third try succeeds: %v", err)
	}
	for address, want := range map[string]struct {
		text  string
		tries int
	}{
		host.URL + "/cut":  {"the response is incomplete", 3},
		host.URL + "/slow": {"the host took too long to respond", 3},
		host.URL + "/busy": {"the host returned status 503", 3},
		host.URL + "/none": {"the host returned status 404", 1},
		gone.URL:           {"the host cannot be reached", 0},
	} {
		_, err := get(t.Context(), address)
		if tries := count(strings.TrimPrefix(address, host.URL), 0); err == nil || err.Error() != want.text ||
			tries != want.tries {
			t.Errorf("%s: %v after %d tries", address, err, tries)
		}
	}
}
