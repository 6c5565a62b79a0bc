package bundlestore

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store/blob"
	"github.com/lectern-docs/lectern/internal/store/blob/s3"
	s3server "github.com/lectern-docs/lectern/internal/testkit/testserver/s3"
)

// web starts a server with the handler f.
func web(t *testing.T, f http.HandlerFunc) (address string) {
	t.Helper()
	s := httptest.NewServer(f)
	t.Cleanup(s.Close)
	return s.URL
}

func fromWeb(t *testing.T, address string) *FromWeb {
	t.Helper()
	src, err := NewFromWeb(address, 1<<20, nil)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func TestBundleIsDownloadedOnceOverHTTPWithRedirects(t *testing.T) {
	data, sent := bundleOf(t, "v1"), 0
	address := web(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/start" {
			http.Redirect(w, r, "/site.tar.gz?signature=topsecret", http.StatusFound)
			return
		}
		w.Header().Set("ETag", `"one"`)
		if r.Header.Get("If-None-Match") == `"one"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		sent++
		_, _ = w.Write(data)
	})
	v := volume(t)
	for range 3 {
		if out, err := v.Receive(t.Context(), fromWeb(t, address+"/start?signature=topsecret"), Expect{}); err != nil ||
			out.Record.Version != "v1" {
			t.Fatalf("%+v, %v", out, err)
		}
	}
	if sent != 1 {
		t.Errorf("the archive was sent %d times", sent)
	}
}

func TestDownloadErrorsDoNotContainTheLink(t *testing.T) {
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		kind   fault.Kind
		text   string
	}{
		"expired":    {status(http.StatusForbidden), fault.Gone, "denied access to the bundle"},
		"overloaded": {status(http.StatusServiceUnavailable), fault.Unavailable, "returned status 503"},
		"endless": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.String(), http.StatusFound)
		}, fault.Unavailable, "redirected more than 5 times"},
		"too large": {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(bytes.Repeat([]byte("x"), 2<<20)) },
			fault.TooLarge, "larger than the limit"},
		"ends too early": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = w.Write([]byte("x"))
		}, fault.Unavailable, "completely"},
		"to a file": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
		}, fault.Forbidden, "other than HTTP"},
	} {
		t.Run(name, func(t *testing.T) {
			v := volume(t)
			src := fromWeb(t, web(t, c.answer)+"/site.tar.gz?signature=topsecret")
			_, err := v.Receive(t.Context(), src, Expect{})
			f, ok := fault.As(err)
			if !ok || f.Kind != c.kind || !strings.Contains(f.Public, c.text) {
				t.Errorf("%v", err)
			}
			if strings.Contains(err.Error()+src.Name(), "topsecret") {
				t.Errorf("the link is printed: %v, %s", err, src.Name())
			}
		})
	}
	src := fromWeb(t, "http://127.0.0.1:1/x?signature=topsecret")
	if _, err := volume(t).Receive(t.Context(), src, Expect{}); !fault.Is(err, fault.Unavailable) ||
		strings.Contains(err.Error(), "topsecret") {
		t.Errorf("nobody there: %v", err)
	}
}

func TestBundleIsDownloadedFromARealBucket(t *testing.T) {
	server, err := s3server.Start(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	bucket := server.Bucket(t)
	open := func(ctx context.Context) (*s3.Store, error) {
		return s3.Open(ctx, s3.Options{Endpoint: server.Endpoint, Region: server.Region, Bucket: bucket,
			PathStyle: true, AccessKey: server.AccessKey, SecretKey: server.SecretKey})
	}
	box, err := open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	put := func(version string) {
		t.Helper()
		if _, err := box.Put(t.Context(), "sites/site.tar.gz", bytes.NewReader(bundleOf(t, version))); err != nil {
			t.Fatal(err)
		}
	}
	src := FromBucket{Bucket: bucket, Key: "sites/site.tar.gz",
		Connect: func(ctx context.Context) (Objects, error) { return open(ctx) }}
	v := volume(t)
	if _, err := v.Receive(t.Context(), src, Expect{}); !fault.Is(err, fault.Unavailable) {
		t.Errorf("before it is there: %v", err)
	}
	put("v1")
	for i, unchanged := range []bool{false, true} {
		if out, err := v.Receive(t.Context(), src, Expect{}); err != nil || out.Unchanged != unchanged ||
			out.Record.Version != "v1" {
			t.Fatalf("fetch %d: %+v, %v", i, out, err)
		}
	}
	put("v2, longer")
	if out, err := v.Receive(t.Context(), src, Expect{}); err != nil || out.Record.Version != "v2, longer" ||
		!out.Activated {
		t.Fatalf("the new one: %+v, %v", out, err)
	}
	link, err := box.Link(t.Context(), "sites/site.tar.gz", "", 2*blob.MinLinkLife)
	if err != nil {
		t.Fatal(err)
	}
	fresh := volume(t)
	if out, err := fresh.Receive(t.Context(), fromWeb(t, link.URL), Expect{}); err != nil ||
		out.Record.Version != "v2, longer" {
		t.Fatalf("by a presigned link: %+v, %v", out, err)
	}
	// B14: once the link has expired, the error says so, and the volume keeps its version.
	for !fault.HasCode(err, "link_expired") && t.Context().Err() == nil {
		_, err = fresh.Receive(t.Context(), fromWeb(t, link.URL), Expect{})
	}
	if f, ok := fault.As(err); !ok || strings.Contains(err.Error(), "Signature") ||
		!strings.Contains(f.Hint, "Generate the bundle again") {
		t.Errorf("after it has expired: %v", err)
	}
	if got, err := fresh.Current(); err != nil || got.Digest == "" {
		t.Errorf("after it has expired the volume has %+v, %v", got, err)
	}
}
