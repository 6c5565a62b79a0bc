package s3

import (
	"net/url"
	"testing"
	"time"
)

// The test server does not support temporary credentials, so this test only inspects the link. Signing needs no server.
func TestLinkContainsSessionToken(t *testing.T) {
	options := Options{Region: "eu-central-1", AccessKey: "key", SecretKey: "secret", SessionToken: "session-token"}
	links, err := dial("https://s3.example.com", options)
	if err != nil {
		t.Fatal(err)
	}
	store := &Store{links: links, bucket: "bucket", prefix: "folder/"}
	link, err := store.Link(t.Context(), "key", "", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := url.Parse(link.URL)
	if err != nil {
		t.Fatal(err)
	}
	if parsed.Host != "bucket.s3.example.com" || parsed.Path != "/folder/key" {
		t.Errorf("link to %s%s", parsed.Host, parsed.Path)
	}
	if got := parsed.Query().Get("X-Amz-Security-Token"); got != "session-token" {
		t.Errorf("token %q", got)
	}
}

func TestUnreadableLinkExpiryIsAnError(t *testing.T) {
	for _, query := range []string{"", "X-Amz-Date=20260101T000000Z", "X-Amz-Date=today&X-Amz-Expires=1"} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		if moment, err := expiry(values); err == nil {
			t.Errorf("expiry of %q = %s", query, moment)
		}
	}
}
