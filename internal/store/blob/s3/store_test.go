package s3_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store/blob"
	"github.com/lectern-docs/lectern/internal/store/blob/blobtest"
	"github.com/lectern-docs/lectern/internal/store/blob/s3"
	server "github.com/lectern-docs/lectern/internal/testkit/testserver/s3"
)

// shared is the server that this package's tests use. It is set once, before they run.
var shared *server.Server

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	if shared, err = server.Start(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer shared.Stop()
	return m.Run()
}

func options(t *testing.T) s3.Options {
	t.Helper()
	return s3.Options{
		Endpoint:  shared.Endpoint,
		Region:    shared.Region,
		Bucket:    shared.Bucket(t),
		AccessKey: shared.AccessKey,
		SecretKey: shared.SecretKey,
		PathStyle: true,
	}
}

func open(t *testing.T, options s3.Options) *s3.Store {
	t.Helper()
	store, err := s3.Open(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// until waits for the real clock, because the server uses that clock.
func until(t *testing.T, moment time.Time) {
	t.Helper()
	timer := time.NewTimer(time.Until(moment))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-t.Context().Done():
	}
}

// uploads lists the multipart uploads that were neither completed nor aborted.
func uploads(t *testing.T, bucket string) []string {
	t.Helper()
	client, err := minio.New(strings.TrimPrefix(shared.Endpoint, "http://"), &minio.Options{
		Creds:  credentials.NewStaticV4(shared.AccessKey, shared.SecretKey, ""),
		Region: shared.Region,
	})
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for upload := range client.ListIncompleteUploads(t.Context(), bucket, "", true) {
		if upload.Err != nil {
			t.Fatal(upload.Err)
		}
		found = append(found, upload.Key)
	}
	return found
}

func TestConformance(t *testing.T) {
	blobtest.Run(t, func(t *testing.T) blobtest.Fixture {
		options := options(t)
		options.Prefix = "lectern/blobs"
		return blobtest.Fixture{
			Store:      open(t, options),
			Until:      until,
			Unfinished: func(t *testing.T) []string { return uploads(t, options.Bucket) },
			// S3 reads the query and looks for the bucket before it checks the signature.
			OtherRefusals: []int{http.StatusBadRequest, http.StatusNotFound},
		}
	})
}

// J8: uploads that a killed process left open are aborted while the server runs. Recent uploads, and uploads of other
// stores, are kept.
func TestRemovePartialAbortsStalledUploads(t *testing.T) {
	options := options(t)
	options.Prefix = "lectern/blobs"
	store := open(t, options)
	client, err := minio.NewCore(strings.TrimPrefix(shared.Endpoint, "http://"), &minio.Options{
		Creds: credentials.NewStaticV4(shared.AccessKey, shared.SecretKey, ""), Region: shared.Region,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"lectern/blobs/sites/a", "lectern/blobs/sites/b", "other/c"} {
		upload, err := client.NewMultipartUpload(t.Context(), options.Bucket, key, minio.PutObjectOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := client.PutObjectPart(t.Context(), options.Bucket, key, upload, 1, strings.NewReader("half"), 4,
			minio.PutObjectPartOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := store.RemovePartial(t.Context(), time.Hour); n != 0 || err != nil {
		t.Errorf("aborted %d recent uploads (error %v)", n, err)
	}
	if left := uploads(t, options.Bucket); len(left) != 3 {
		t.Errorf("left: %q", left)
	}
	// the server's clock may be a little ahead
	if n, err := store.RemovePartial(t.Context(), -time.Minute); n != 2 || err != nil {
		t.Errorf("aborted %d (error %v)", n, err)
	}
	if left := uploads(t, options.Bucket); len(left) != 1 || left[0] != "other/c" {
		t.Errorf("left: %q", left)
	}
}

func TestPrefixesIsolateStores(t *testing.T) {
	one := options(t)
	two := one
	one.Prefix, two.Prefix = "one", "one-more"
	if _, err := open(t, one).Put(t.Context(), "key", strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	other := open(t, two)
	if _, _, err := other.Open(t.Context(), "key"); !fault.Is(err, fault.NotFound) {
		t.Errorf("open = %v", err)
	}
	if err := other.List(t.Context(), "",
		func(info blob.Info) error { return fmt.Errorf("listed %s", info.Key) }); err != nil {
		t.Error(err)
	}
}

func TestOpenFailsIfBucketIsUnusable(t *testing.T) {
	for name, change := range map[string]func(*s3.Options){
		"no such bucket":  func(o *s3.Options) { o.Bucket += "-absent" },
		"wrong secret":    func(o *s3.Options) { o.SecretKey = "wrong" },
		"unknown key":     func(o *s3.Options) { o.AccessKey = "unknown" },
		"no credentials":  func(o *s3.Options) { o.AccessKey = "" },
		"bad prefix":      func(o *s3.Options) { o.Prefix = "../other" },
		"bad scheme":      func(o *s3.Options) { o.Endpoint = "ftp://127.0.0.1" },
		"endpoint path":   func(o *s3.Options) { o.Endpoint += "/path" },
		"no endpoint":     func(o *s3.Options) { o.Endpoint = "" },
		"bad link target": func(o *s3.Options) { o.LinkEndpoint = "https://a/b" },
	} {
		t.Run(name, func(t *testing.T) {
			changed := options(t)
			change(&changed)
			if _, err := s3.Open(t.Context(), changed); err == nil {
				t.Error("opened")
			}
		})
	}
}

func TestRegionIsReadFromServer(t *testing.T) {
	unsaid := options(t)
	unsaid.Region = ""
	unsaid.Endpoint, unsaid.Insecure = strings.TrimPrefix(unsaid.Endpoint, "http://"), true
	store := open(t, unsaid)
	if _, err := store.Put(t.Context(), "key", strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	link, err := store.Link(t.Context(), "key", "", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.Get(link.URL)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("status %s", response.Status)
	}
}

func TestLinksUseLinkEndpoint(t *testing.T) {
	public := options(t)
	public.LinkEndpoint = "https://files.example.com"
	link, err := open(t, public).Link(t.Context(), "a/b", "", time.Minute)
	if err != nil || !strings.HasPrefix(link.URL, "https://files.example.com/"+public.Bucket+"/a/b?") {
		t.Errorf("link %s, %v", link.URL, err)
	}
}

// B2: a link's reported expiry time is never later than the expiry time of the credentials that sign it.
func TestTemporaryCredentialsShortenLinkLifetime(t *testing.T) {
	temporary := options(t)
	temporary.CredentialExpiry = time.Now().Add(time.Hour)
	store := open(t, temporary)
	link, err := store.Link(t.Context(), "key", "", 24*time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if early := temporary.CredentialExpiry.Sub(link.ExpiresAt); early < 0 || early > 3*time.Second {
		t.Errorf("the link ends %s before its credentials", early)
	}
	if link, err = store.Link(t.Context(), "key", "", time.Minute); err != nil ||
		time.Until(link.ExpiresAt) > time.Minute {
		t.Errorf("a short lifetime became %s, %v", time.Until(link.ExpiresAt), err)
	}
	temporary.CredentialExpiry = time.Now()
	if _, err := open(t, temporary).Link(t.Context(), "key", "", time.Hour); !fault.Is(err, fault.Unavailable) {
		t.Errorf("a link by expired credentials = %v", err)
	}
}

// B2: the reported expiry time is the same as in the signed link.
func TestReportedExpiryEqualsSignedExpiry(t *testing.T) {
	plain := options(t)
	store := open(t, plain)
	before := time.Now().Truncate(time.Second)
	link, err := store.Link(t.Context(), "key", "", 90*time.Minute+900*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := url.Parse(link.URL)
	if err != nil {
		t.Fatal(err)
	}
	if got := parsed.Query().Get("X-Amz-Expires"); got != "5400" {
		t.Errorf("signed life %s", got)
	}
	if after := link.ExpiresAt.Sub(before); after < 90*time.Minute || after > 90*time.Minute+5*time.Second {
		t.Errorf("the link ends after %s", after)
	}
	if link.ExpiresAt.Nanosecond() != 0 {
		t.Errorf("the expiry %s is not a whole second", link.ExpiresAt)
	}
}

func TestUnreachableServerIsUnavailable(t *testing.T) {
	gone, err := server.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer gone.Stop()
	store := open(t, s3.Options{
		Endpoint: gone.Endpoint, Region: gone.Region, Bucket: gone.Bucket(t),
		AccessKey: gone.AccessKey, SecretKey: gone.SecretKey, PathStyle: true,
	})
	gone.Stop()
	if _, _, err := store.Open(t.Context(), "key"); !fault.HasCode(err, "blob_unavailable") {
		t.Errorf("open = %v", err)
	}
}
