package daemon

import (
	"crypto/rand"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/serve/apierror"
)

// A3: responses of downloads and the dashboard have a request id too, and an id sent by the caller is kept.
func TestEveryNonSiteResponseHasARequestID(t *testing.T) {
	ok := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	problems := apierror.Writer{Log: slog.New(slog.DiscardHandler), IDs: id.Source{Rand: rand.Reader}}
	a := problems.Identify(&admin{links: ok, board: ok, api: ok})
	for _, path := range []string{"/", "/blob/exports/x", "/v1/projects"} {
		for _, given := range []string{"", "caller-given-0001"} {
			r, w := httptest.NewRequest(http.MethodGet, path, nil), httptest.NewRecorder()
			r.Header.Set(apierror.Header, given)
			a.ServeHTTP(w, r)
			if got := w.Header().Get(apierror.Header); got == "" || given != "" && got != given {
				t.Errorf("%s with %q: %q", path, given, got)
			}
		}
	}
}
