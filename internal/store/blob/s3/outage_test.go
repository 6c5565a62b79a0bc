package s3_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store/blob"
	"github.com/lectern-docs/lectern/internal/store/blob/s3"
)

// If the storage denies access to the server, that is an outage: tasks wait until an operator fixes it.
func TestAccessDeniedByStorageIsAnOutage(t *testing.T) {
	for name, spoil := range map[string]func(http.Header){
		"RequestTimeTooSkewed": func(h http.Header) {
			h.Set("X-Amz-Date", time.Now().UTC().Add(-time.Hour).Format("20060102T150405Z"))
		},
		"SignatureDoesNotMatch": func(h http.Header) {
			signed, _, _ := strings.Cut(h.Get("Authorization"), "Signature=")
			h.Set("Authorization", signed+"Signature="+strings.Repeat("0", 64))
		},
	} {
		var spoiled atomic.Bool
		through := options(t)
		through.Endpoint = changing(t, func(h http.Header) {
			if spoiled.Load() {
				spoil(h)
			}
		})
		store := open(t, through)
		spoiled.Store(true)
		outages(t, name, store)
	}
}

// A removed bucket is an outage; a missing object is not.
func TestRemovedBucketIsAnOutage(t *testing.T) {
	there := options(t)
	store := open(t, there)
	if _, _, err := store.Open(t.Context(), "key"); !fault.HasCode(err, "blob_not_found") || fault.IsOutage(err) {
		t.Errorf("a missing object: %v", err)
	}
	client, err := minio.New(strings.TrimPrefix(shared.Endpoint, "http://"), &minio.Options{
		Creds:  credentials.NewStaticV4(shared.AccessKey, shared.SecretKey, ""),
		Region: shared.Region,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := client.RemoveBucket(t.Context(), there.Bucket); err != nil {
		t.Fatal(err)
	}
	outages(t, "NoSuchBucket", store)
}

// changing returns the address of a proxy to the shared server. The proxy changes the headers of signed requests.
func changing(t *testing.T, change func(http.Header)) string {
	t.Helper()
	target, err := url.Parse(shared.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host // the host is signed
		change(r.Out.Header)
	}})
	t.Cleanup(proxy.Close)
	return proxy.URL
}

// outages fails unless every kind of request reports an outage when the server returns an error with that code.
func outages(t *testing.T, code string, store *s3.Store) {
	t.Helper()
	_, _, openErr := store.Open(t.Context(), "key")
	_, putErr := store.Put(t.Context(), "key", strings.NewReader("text"))
	listErr := store.List(t.Context(), "", func(blob.Info) error { return nil })
	deleteErr := store.Delete(t.Context(), "key")
	for request, err := range map[string]error{"open": openErr, "put": putErr, "list": listErr, "delete": deleteErr} {
		var answer minio.ErrorResponse
		if !fault.IsOutage(err) || !fault.HasCode(err, "blob_unavailable") || !errors.As(err, &answer) ||
			answer.Code != code {
			t.Errorf("%s: %s: %v (%s)", code, request, err, answer.Code)
		}
	}
}
