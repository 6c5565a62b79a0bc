package bundlehost

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
)

// echo is an endpoint that responds with its input.
type echo struct{}

func (echo) ServeSite(w http.ResponseWriter, r *http.Request, s siteapi.Site) {
	list, err := s.Library.File(r.Context(), "llms.txt", 100)
	_, missing := s.Library.File(r.Context(), "none.txt", 100)
	_, large := s.Library.File(r.Context(), "index.html", 100)
	w.Header().Set("X-Teller", "1")
	fmt.Fprintf(w, "%s %s host=%s list=%s %v %v %v", r.Method, r.URL.Path, s.Host, list, err, missing, large)
}

func TestEndpointsAreServedBelowBasePath(t *testing.T) {
	o := newOrigin(t, bundleOf(t, "v1"))
	for _, base := range []string{"", "/docs"} {
		r := start(t, o.URL, setup{dir: t.TempDir(), base: base,
			endpoints: map[string]siteapi.Endpoint{capability.ProxyPath: echo{}}})
		r.ready(t)
		// Twice, because responses of endpoints are not cached.
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodGet} {
			status, header, body := r.ask(t, method, base+capability.ProxyPath)
			if status != http.StatusOK || header.Get("X-Teller") != "1" ||
				!strings.HasPrefix(body, method+" "+base+capability.ProxyPath+" host=127.0.0.1 list=list <nil> ") ||
				!strings.Contains(body, "File not found") || !strings.Contains(body, "larger than 100 bytes") {
				t.Errorf("%s: %d %s", method, status, body)
			}
		}
		for _, path := range []string{base + capability.AskPath, base + capability.ProxyPath + "s",
			"/elsewhere" + capability.ProxyPath} {
			if status, header, _ := r.ask(t, http.MethodGet, path); status != http.StatusNotFound ||
				header.Get("X-Teller") != "" {
				t.Errorf("%s: %d", path, status)
			}
			if status, _, _ := r.ask(t, http.MethodPost, path); status != http.StatusMethodNotAllowed {
				t.Errorf("POST %s: %d", path, status)
			}
		}
	}
}

// A bundle server without endpoints has nothing at their paths.
func TestBundleWithoutEndpointsServesOnlyPages(t *testing.T) {
	r := start(t, newOrigin(t, bundleOf(t, "v1")).URL, setup{dir: t.TempDir()})
	r.ready(t)
	if status, header, _ := r.ask(t, http.MethodGet, capability.ProxyPath); status != http.StatusNotFound ||
		header.Get("Lectern-Proxy") != "" {
		t.Errorf("%d %v", status, header)
	}
}

func (r *running) ask(t *testing.T, method, path string) (int, http.Header, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, r.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(body)
}
