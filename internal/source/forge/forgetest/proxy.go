package forgetest

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path"
	"sync"
	"testing"
)

// proxy is a proxy between the driver and the host. It forwards and records requests, and can respond instead of the
// host.
type proxy struct {
	*httptest.Server
	mu      sync.Mutex
	instead http.HandlerFunc // nil = forward
	seen    []string         // method and path
}

func newProxy(t *testing.T, rig *Rig) *proxy {
	t.Helper()
	target, err := url.Parse(rig.URL)
	if err != nil {
		t.Fatal(err)
	}
	b := &proxy{}
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }}
	b.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.mu.Lock()
		b.seen = append(b.seen, r.Method+" "+r.URL.Path)
		instead := b.instead
		b.mu.Unlock()
		if instead != nil {
			instead(w, r)
			return
		}
		forward.ServeHTTP(w, r)
	}))
	t.Cleanup(b.Close)
	return b
}

func (b *proxy) answer(instead http.HandlerFunc) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.instead = instead
}

// check fails the test if the driver requested an action reserved for people (G4).
func (b *proxy) check(t *testing.T) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.seen) == 0 {
		t.Error("the driver sent no request through the proxy")
	}
	for _, request := range b.seen {
		switch path.Base(request) {
		case "merge", "approve", "approvals", "approval", "participants", "decline", "update-branch", "auto-merge":
			t.Errorf("the driver asked for %s", request)
		case "reviews":
			if request[:3] != "GET" {
				t.Errorf("the driver asked for %s", request)
			}
		}
	}
}
