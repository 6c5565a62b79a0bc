package rest

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/outbound"
)

func clock() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

func newTestClient(t *testing.T, handler http.HandlerFunc) *Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	guard, err := outbound.NewGuard([]string{"127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	return New(Options{Name: "The host", Base: server.URL + "/api",
		HTTP: guard.Client(outbound.Limits{Time: 10 * time.Second}), Now: clock,
		Authorize: Key{Password: "tok-secret"}.Scheme("Bearer")})
}

func TestRedirectWithinHostIsFollowed(t *testing.T) {
	var methods []string
	c := newTestClient(t, func(w http.ResponseWriter, r *http.Request) {
		methods = append(methods, r.Method+" "+r.URL.Path+" "+r.Header.Get("Authorization"))
		if r.URL.Path == "/api/old" {
			http.Redirect(w, r, "/api/new", http.StatusTemporaryRedirect)
			return
		}
		var in map[string]string
		_ = json.NewDecoder(r.Body).Decode(&in)
		_, _ = w.Write([]byte(`{"said": "` + in["say"] + `"}`))
	})
	var out struct{ Said string }
	if _, err := c.Do(t.Context(), Call{Method: http.MethodPost, Path: "/old", In: map[string]string{"say": "hello"},
		Out: &out}); err != nil || out.Said != "hello" {
		t.Errorf("%+v, %v", out, err)
	}
	if want := "POST /api/old Bearer tok-secret,POST /api/new Bearer tok-secret"; strings.Join(methods, ",") != want {
		t.Errorf("requests %v", methods)
	}
}

// F2: a code host's address is checked like any other address that people enter.
func TestPrivateAddressesAreRefused(t *testing.T) {
	guard, err := outbound.NewGuard(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := New(Options{Name: "The host", Base: "http://127.0.0.1:9/api", HTTP: guard.Client(outbound.Limits{}),
		Now: clock})
	if _, err := c.Do(t.Context(), Call{Path: "/x"}); !fault.HasCode(err, "address_not_allowed") {
		t.Error(err)
	}
}

func TestRetryAfterAcceptsSecondsOrDate(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"": 0, "5": 5 * time.Second, "-3": 0, "99999999999999999999": 0, "100000000": time.Hour, "soon": 0,
		"Sun, 01 Mar 2026 12:00:30 GMT": 30 * time.Second, "Sun, 01 Mar 2026 11:00:00 GMT": 0,
		"Mon, 01 Mar 2027 12:00:00 GMT": time.Hour,
	} {
		if got := retryAfter(http.Header{"Retry-After": {text}}, clock); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestForbiddenCanMeanRateLimit(t *testing.T) {
	c := newTestClient(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) })
	c.opt.Limited = func(http.Header) (time.Duration, bool) { return 3 * time.Minute, true }
	_, err := c.Do(t.Context(), Call{Path: "/x"})
	if f, ok := fault.As(err); !ok || f.Code != "forge_busy" || f.RetryAfter != 3*time.Minute {
		t.Error(err)
	}
}

func TestErrorMessageIsFoundInEveryFormat(t *testing.T) {
	for body, want := range map[string]string{
		`{"message": "Validation Failed", "errors": [{"message": "A pull request already exists"}, {"code": "custom"}]}`: "Validation Failed A pull request already exists",
		`{"message": ["Another one exists: !5"]}`:                             "Another one exists: !5",
		`{"message": {"title": ["is too long"], "base": ["is gone"]}}`:        "is gone is too long",
		`{"type": "error", "error": {"message": "There is no branch"}}`:       "There is no branch",
		`{"errors": [{"message": "a\u0000b\n\tc"}, "d", 5, null, [["e"]]]}`:   "ab c d e",
		`{"error": "invalid_token", "error_description": "Token is expired"}`: "Token is expired invalid_token",
		`{"message": "tok-secret and Bearer tok-secret"}`:                     "(hidden) and (hidden)",
		`[1]`: "", `"x"`: "", ``: "", `<html>`: "", `{}`: "",
	} {
		if got := sentence([]byte(body), []string{"Bearer tok-secret", "tok-secret"}); got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

func FuzzSentence(f *testing.F) {
	f.Add([]byte(`{"message": "tok-secret", "errors": [{"message": ["x", {"a": ["tok-secret"]}]}]}`))
	f.Add([]byte("{\"message\": \"\u202e\\ud800 " + strings.Repeat("ö", 400) + "\"}"))
	f.Fuzz(func(t *testing.T, body []byte) {
		got := sentence(body, []string{"tok-secret"})
		if len(got) > maxSentence+len("…") || !utf8.ValidString(got) || strings.Contains(got, "tok-secret") ||
			strings.ContainsAny(got, "\n\r\x00") {
			t.Fatalf("%q", got)
		}
	})
}

func TestWebAcceptsOnlyBrowserURLs(t *testing.T) {
	for _, bad := range []string{"", "javascript:alert(1)", "data:text/html,x", "//host/x", "https://user:pw@host/x",
		"ftp://host/x", "https:///x", "https://h/" + strings.Repeat("x", 3000), "https://h/\x00"} {
		if got := Web(bad); got != "" {
			t.Errorf("%q became %q", bad, got)
		}
	}
	if got := Web("https://git.example.com/a/b/pulls/1"); got == "" {
		t.Error("a plain address was refused")
	}
}

func TestRequestIsTruncatedToCommonLimits(t *testing.T) {
	r := Fit(pull.Request{Title: "two\nlines " + strings.Repeat("ä", 400), Body: strings.Repeat("ö", 50_000) + "\xff"})
	if len(r.Title) > 255 || strings.Contains(r.Title, "\n") || !utf8.ValidString(r.Title) || len(r.Body) > 60_100 ||
		!utf8.ValidString(r.Body) {
		t.Errorf("%d bytes of title, %d of text", len(r.Title), len(r.Body))
	}
}

func TestKeysAreNotPrinted(t *testing.T) {
	if text := (Key{User: "u", Password: "tok-secret"}).String(); strings.Contains(text, "tok") {
		t.Error(text)
	}
	if (Key{}).Scheme("Bearer") != nil {
		t.Error("an empty key authenticates")
	}
	for _, k := range []Key{{User: "tok-secret"}, {User: "oauth2", Password: "tok-secret"}} {
		r := httptest.NewRequestWithContext(context.Background(), http.MethodGet, "/", nil)
		if err := k.Scheme("token")(t.Context(), r); err != nil || r.Header.Get("Authorization") != "token tok-secret" {
			t.Errorf("%v %v", r.Header, err)
		}
	}
}
