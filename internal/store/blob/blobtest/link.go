package blobtest

import (
	"bytes"
	"io"
	"mime"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// response is an HTTP response, read completely.
type response struct {
	status int
	header http.Header
	body   []byte
}

// request sends a request without following redirects.
func request(t *testing.T, method, link string, header ...string) response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, link, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Close = method != http.MethodGet // after a rejected method, the connection may be in an undefined state
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatalf("%s %s: %v", method, link, err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("read answer to %s %s: %v", method, link, err)
	}
	return response{res.StatusCode, res.Header, body}
}

// linked stores content and creates a link to it.
func linked(t *testing.T, f Fixture, key string, content []byte, life time.Duration) blob.Link {
	t.Helper()
	put(t, f.Store, key, content)
	return link(t, f, key, life)
}

func link(t *testing.T, f Fixture, key string, life time.Duration) blob.Link {
	t.Helper()
	made, err := f.Store.Link(t.Context(), key, "site export.tar.gz", life)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func wantStatus(t *testing.T, what string, got response, want int) {
	t.Helper()
	if got.status != want {
		t.Fatalf("%s: status %d, want %d: %.300s", what, got.status, want, got.body)
	}
}

func testLink(t *testing.T, f Fixture) {
	content := bytesOf(large, 1)
	made := linked(t, f, "exports/site.tar.gz", content, time.Hour)
	for range 2 { // B1: reusable until expiry
		got := request(t, http.MethodGet, made.URL)
		wantStatus(t, "get", got, http.StatusOK)
		if !bytes.Equal(got.body, content) {
			t.Fatalf("downloaded %d bytes that differ", len(got.body))
		}
		if got.header.Get("ETag") == "" || !strings.Contains(got.header.Get("Cache-Control"), "no-store") {
			t.Errorf("header: %v", got.header)
		}
	}
	for name, want := range map[string]string{
		"":                                   "site.tar.gz",
		"site export.tar.gz":                 "site export.tar.gz",
		`a"b;c=d&e+f%20.zip`:                 `a"b;c=d&e+f%20.zip`,
		"Übersicht \u2014 \U0001F4D8.tar.gz": "Übersicht \u2014 \U0001F4D8.tar.gz",
	} {
		made, err := f.Store.Link(t.Context(), "exports/site.tar.gz", name, time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		got := request(t, http.MethodGet, made.URL)
		kind, params, err := mime.ParseMediaType(got.header.Get("Content-Disposition"))
		if err != nil || kind != "attachment" || params["filename"] != want {
			t.Errorf("%q is saved by %q (%v)", name, got.header.Get("Content-Disposition"), err)
		}
	}
}

func testLinkRange(t *testing.T, f Fixture) {
	content := bytesOf(1000, 1)
	made := linked(t, f, "key", content, time.Hour)
	got := request(t, http.MethodGet, made.URL, "Range", "bytes=100-199")
	wantStatus(t, "range", got, http.StatusPartialContent)
	if !bytes.Equal(got.body, content[100:200]) || got.header.Get("Content-Range") != "bytes 100-199/1000" {
		t.Errorf("%d bytes, %s", len(got.body), got.header.Get("Content-Range"))
	}
	got = request(t, http.MethodGet, made.URL, "Range", "bytes=5000-")
	wantStatus(t, "range beyond the end", got, http.StatusRequestedRangeNotSatisfiable)
}

// B1: each byte of path and query is changed, removed and doubled in turn. A server that compares values may accept a
// different encoding of the same path and values; our own server compares bytes. The response to any other change must
// be a 403. If a server cannot even parse the query or finds no such bucket, it may be a 400 or 404 that reveals
// nothing.
func testLinkAltered(t *testing.T, f Fixture) {
	content := bytesOf(1000, 1)
	made := linked(t, f, "exports/site.tar.gz", content, time.Hour)
	original, err := url.Parse(made.URL)
	if err != nil {
		t.Fatal(err)
	}
	start := strings.Index(made.URL, original.Host) + len(original.Host) + 1
	statuses := map[int]int{}
	for i := start; i < len(made.URL); i++ {
		for _, other := range alternatives(made.URL[i]) {
			altered := made.URL[:i] + other + made.URL[i+1:]
			parsed, err := url.Parse(altered)
			if err != nil || parsed.Host != original.Host || strings.ContainsAny(altered, "#") {
				continue // no client can send this
			}
			got := request(t, http.MethodGet, altered)
			statuses[got.status]++
			if !f.refused(got) && !(respelt(parsed, original) && !f.OneSpelling && got.status == http.StatusOK) ||
				bytes.Contains(got.body, content[:100]) != (got.status == http.StatusOK) {
				t.Errorf("byte %d, %q for %q: status %d\n%s", i, other, made.URL[i], got.status, altered)
			}
		}
	}
	t.Logf("answers to altered links: %v", statuses)
	if refusals := statuses[http.StatusForbidden]; refusals < 3*(len(made.URL)-start) {
		t.Errorf("only %d links were refused with 403", refusals)
	}
	for _, extra := range []string{"x", "/x", "&x=y", "&versionId=null", "%00"} {
		if got := request(t, http.MethodGet, made.URL+extra); !f.refused(got) {
			t.Errorf("with %q appended: status %d", extra, got.status)
		}
	}
	wantStatus(t, "without a query", request(t, http.MethodGet, made.URL[:strings.Index(made.URL, "?")]),
		http.StatusForbidden)
}

// respelt reports whether two links have the same path and values. Header names are case-insensitive.
func respelt(a, b *url.URL) bool {
	values := func(u *url.URL) url.Values {
		q := u.Query()
		for i, name := range q["X-Amz-SignedHeaders"] {
			q["X-Amz-SignedHeaders"][i] = strings.ToLower(name)
		}
		return q
	}
	return a.Path == b.Path && reflect.DeepEqual(values(a), values(b))
}

// refused reports whether the response is what the server returns for a link that was never signed.
func (f Fixture) refused(got response) bool {
	return got.status == http.StatusForbidden || slices.Contains(f.OtherRefusals, got.status)
}

// alternatives returns replacements for a byte: other bytes, nothing, and the byte twice.
func alternatives(c byte) []string {
	others := []string{"", string([]byte{c, c})}
	for _, other := range []byte{'0', 'a', 'Z', '9', c ^ 1, c ^ 0x20} {
		if other != c && other > ' ' && other < 0x7f {
			others = append(others, string(other))
		}
	}
	return others
}

// B1: the expiry time of a link cannot be changed.
func testLinkLonger(t *testing.T, f Fixture) {
	made := linked(t, f, "key", []byte("content"), time.Hour)
	parsed, err := url.Parse(made.URL)
	if err != nil {
		t.Fatal(err)
	}
	name := "expires"
	for key := range parsed.Query() {
		if strings.EqualFold(key, "X-Amz-Expires") {
			name = key
		}
	}
	value := parsed.Query().Get(name)
	signed, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		t.Fatalf("no expiry in %s", made.URL)
	}
	for _, by := range []int64{-3600, -1, 1, 60, 86400} {
		altered := strings.Replace(made.URL, name+"="+value, name+"="+strconv.FormatInt(signed+by, 10), 1)
		if got := request(t, http.MethodGet, altered); altered == made.URL || !f.refused(got) {
			t.Errorf("%d seconds more: status %d for %s", by, got.status, altered)
		}
	}
	wantStatus(t, "unaltered", request(t, http.MethodGet, made.URL), http.StatusOK)
}

// B1: a link is valid for only one method.
func testLinkMethods(t *testing.T, f Fixture) {
	content := bytesOf(1000, 1)
	made := linked(t, f, "key", content, time.Hour)
	for _, method := range []string{
		http.MethodHead, http.MethodPut, http.MethodPost, http.MethodDelete, http.MethodPatch, http.MethodOptions,
	} {
		got := request(t, method, made.URL)
		if !f.refused(got) && got.status != http.StatusMethodNotAllowed {
			t.Errorf("%s: status %d", method, got.status)
		}
	}
	wantContent(t, f.Store, "key", content)
}

func testLinkOtherBlob(t *testing.T, f Fixture) {
	put(t, f.Store, "secret", []byte("secret"))
	made := linked(t, f, "public", []byte("public"), time.Hour)
	got := request(t, http.MethodGet, strings.Replace(made.URL, "/public?", "/secret?", 1))
	if got.status != http.StatusForbidden || bytes.Equal(got.body, []byte("secret")) {
		t.Errorf("another blob: status %d", got.status)
	}
}

func testLinkAbsent(t *testing.T, f Fixture) {
	wantStatus(t, "absent blob", request(t, http.MethodGet, link(t, f, "nothing", time.Hour).URL), http.StatusNotFound)
}

func testLinkWishes(t *testing.T, f Fixture) {
	for _, life := range []time.Duration{-time.Hour, 0, time.Second - 1, blob.MaxLinkLife + 1} { // B2
		if _, err := f.Store.Link(t.Context(), "key", "x", life); !fault.Is(err, fault.Invalid) {
			t.Errorf("life %s = %v", life, err)
		}
	}
	if _, err := f.Store.Link(t.Context(), "key", "x", blob.MaxLinkLife); err != nil {
		t.Errorf("longest life = %v", err)
	}
	for _, name := range []string{"a/b", `a\b`, "a\r\nSet-Cookie: x", "\x00", "\xff", strings.Repeat("n", 256)} {
		if _, err := f.Store.Link(t.Context(), "key", name, time.Hour); !fault.Is(err, fault.Invalid) {
			t.Errorf("file name %q = %v", name, err)
		}
	}
}

// B2: a link works until its announced expiry time, and not after it.
func testLinkExpiry(t *testing.T, f Fixture) {
	made := linked(t, f, "key", []byte("content"), 3*time.Second)
	f.Until(t, made.ExpiresAt.Add(-time.Second))
	wantStatus(t, "one second before", request(t, http.MethodGet, made.URL), http.StatusOK)
	f.Until(t, made.ExpiresAt.Add(time.Second))
	wantStatus(t, "one second after", request(t, http.MethodGet, made.URL), http.StatusForbidden)
}

// B3: a download that began in time can finish, but a range that is requested after the expiry is refused.
func testLinkDownloadAcrossExpiry(t *testing.T, f Fixture) {
	content := bytesOf(large, 1)
	made := linked(t, f, "key", content, 2*time.Second)
	res, err := http.Get(made.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Fatalf("status %s", res.Status)
	}
	got := make([]byte, large)
	if _, err := io.ReadFull(res.Body, got[:1000]); err != nil {
		t.Fatal(err)
	}
	f.Until(t, made.ExpiresAt.Add(time.Second))
	if _, err := io.ReadFull(res.Body, got[1000:]); err != nil || !bytes.Equal(got, content) {
		t.Errorf("the running download: %v, equal %v", err, bytes.Equal(got, content))
	}
	resumed := request(t, http.MethodGet, made.URL, "Range", "bytes=1000-")
	wantStatus(t, "resumed range", resumed, http.StatusForbidden)
}

// B4: every renewed link leads to the same bytes.
func testLinkRenewal(t *testing.T, f Fixture) {
	content := bytesOf(100_000, 1)
	first := linked(t, f, "key", content, time.Second)
	f.Until(t, first.ExpiresAt.Add(time.Second))
	wantStatus(t, "expired", request(t, http.MethodGet, first.URL), http.StatusForbidden)
	for range 10 {
		renewed := link(t, f, "key", time.Hour)
		if renewed.URL == first.URL || !renewed.ExpiresAt.After(first.ExpiresAt) {
			t.Errorf("renewed %+v from %+v", renewed, first)
		}
		got := request(t, http.MethodGet, renewed.URL)
		wantStatus(t, "renewed", got, http.StatusOK)
		if digest(got.body) != digest(content) {
			t.Error("the renewed link gives different bytes")
		}
	}
	wantStatus(t, "still expired", request(t, http.MethodGet, first.URL), http.StatusForbidden)
}
