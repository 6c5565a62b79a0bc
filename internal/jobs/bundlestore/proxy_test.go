package bundlestore

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// F6: a bundle is downloaded through the operator's proxy if one is configured, and the proxy resolves the host;
// proxies in the environment are ignored.
func TestBundleIsDownloadedThroughTheConfiguredProxy(t *testing.T) {
	data := bundleOf(t, "v1")
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.Header.Get("Proxy-Authorization") == "" {
			w.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
		if r.URL.String() != "http://bundles.invalid/site.tar.gz?signature=topsecret" {
			t.Errorf("the proxy got a request for %s", r.URL)
		}
		_, _ = w.Write(data)
	}))
	defer server.Close()
	t.Setenv("HTTP_PROXY", server.URL)
	t.Setenv("http_proxy", server.URL)
	proxy, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	const address = "http://bundles.invalid/site.tar.gz?signature=topsecret"
	receive := func(proxy *url.URL) (Outcome, error) {
		t.Helper()
		src, err := NewFromWeb(address, 1<<20, proxy)
		if err != nil {
			t.Fatal(err)
		}
		return volume(t).Receive(t.Context(), src, Expect{})
	}
	if _, err := receive(nil); !fault.Is(err, fault.Unavailable) || asked.Load() != 0 {
		t.Errorf("without a proxy: %v, and the proxy got %d requests", err, asked.Load())
	}
	if _, err := receive(proxy); err == nil || strings.Contains(err.Error(), "topsecret") {
		t.Errorf("a proxy that refuses the request: %v", err)
	}
	proxy.User = url.UserPassword("lectern", "hunter22")
	if out, err := receive(proxy); err != nil || out.Record.Version != "v1" {
		t.Errorf("through the proxy: %+v, %v", out, err)
	}
	server.Close()
	if _, err := receive(proxy); !fault.Is(err, fault.Unavailable) || strings.Contains(err.Error(), "hunter22") ||
		strings.Contains(err.Error(), "topsecret") {
		t.Errorf("an unreachable proxy: %v", err)
	}
}
