package fetch_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/fetch"
)

// F1 in part: an author's address that leads into the operator's network is refused at dial time unless the operator allows it.
func TestGetterTakesDocumentsWithinItsBounds(t *testing.T) {
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
	limits := fetch.Limits{Bytes: 1024, Time: 10 * time.Second}
	closed, err := fetch.NewGuard(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := closed.Getter(limits)(t.Context(), host.URL+"/spec"); err == nil {
		t.Error("loopback was reached without leave")
	}
	open, err := fetch.NewGuard([]string{"127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	get := open.Getter(limits)
	if data, err := get(t.Context(), host.URL+"/spec"); err != nil || string(data) != "openapi: 3.1.0" {
		t.Errorf("spec: %q %v", data, err)
	}
	for _, path := range []string{"/huge", "/none"} {
		if _, err := get(t.Context(), host.URL+path); err == nil {
			t.Errorf("%s was taken", path)
		}
	}
}
