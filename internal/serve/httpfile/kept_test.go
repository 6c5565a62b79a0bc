package httpfile

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// Every response already has the request's id when it reaches a host. Such responses are cached, but without the id.
func TestResponsesAreCachedWithoutRequestID(t *testing.T) {
	for name, want := range map[string]bool{"": true, "X-Request-Id": true, "X-Outer": false} {
		h := http.Header{}
		if name != "" {
			h.Set(name, "x")
		}
		if got := Untouched(h); got != want {
			t.Errorf("headers of a response with %q count as untouched: %v", name, got)
		}
	}
	if Untouched(http.Header{"X-Request-Id": {"x"}, "X-Outer": {"x"}}) {
		t.Error("a response with another header counts as untouched")
	}
	first := headers()
	first.Set("X-Request-Id", "first")
	kept := New(first, 4)
	w := httptest.NewRecorder()
	w.Header().Set("X-Request-Id", "second")
	kept.Bytes(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil), []byte("text"))
	if got := w.Header().Values("X-Request-Id"); len(got) != 1 || got[0] != "second" {
		t.Errorf("the second response has the request ids %v", got)
	}
}
