package github_test

import (
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/forgetest"
	"github.com/lectern-docs/lectern/internal/source/forge/github"
)

// appServer is a fake of the part of GitHub that issues tokens to Apps.
type appServer struct {
	*httptest.Server
	mu        sync.Mutex
	now       time.Time
	key       *rsa.PublicKey
	given     []map[string]any // bodies of requests for tokens
	refuse    int              // response status instead of a token; 0 = none
	grantless bool             // whether the App lacks the permission to create check runs
}

func (s *appServer) time() time.Time { s.mu.Lock(); defer s.mu.Unlock(); return s.now }

func (s *appServer) pass(d time.Duration) { s.mu.Lock(); defer s.mu.Unlock(); s.now = s.now.Add(d) }

func newAppServer(t *testing.T) (*appServer, github.App) {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	s := &appServer{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), key: &key.PublicKey}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if err := s.check(r.Header.Get("Authorization")); err != nil {
			t.Error(err)
		}
		switch {
		case s.refuse != 0:
			w.WriteHeader(s.refuse)
			fmt.Fprintf(w, `{"message": "no %s"}`, r.Header.Get("Authorization"))
		case r.Method == http.MethodGet && r.URL.Path == "/repos/acme/docs/installation":
			fmt.Fprint(w, `{"id": 4711, "account": {"login": "acme"}, "repository_selection": "selected"}`)
		case r.Method == http.MethodPost && r.URL.Path == "/app/installations/4711/access_tokens":
			var in map[string]any
			if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
				t.Error(err)
			}
			if rights, _ := in["permissions"].(map[string]any); s.grantless && rights["checks"] != nil {
				w.WriteHeader(http.StatusUnprocessableEntity)
				fmt.Fprint(w, `{"message": "The permissions requested are not granted to this installation."}`)
				return
			}
			s.given = append(s.given, in)
			w.WriteHeader(http.StatusCreated)
			fmt.Fprintf(w, `{"token": "ghs_%d", "expires_at": %q, "permissions": {"contents": "write"}}`, len(s.given),
				s.now.Add(time.Hour).Format(time.RFC3339))
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(s.Close)
	text := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	return s, github.App{ID: "12345", PrivateKey: string(text)}
}

// check verifies a JSON Web Token like GitHub.
func (s *appServer) check(header string) error {
	parts := strings.Split(strings.TrimPrefix(header, "Bearer "), ".")
	if len(parts) != 3 {
		return fmt.Errorf("no token: %q", header)
	}
	head, _ := base64.RawURLEncoding.DecodeString(parts[0])
	body, _ := base64.RawURLEncoding.DecodeString(parts[1])
	signature, _ := base64.RawURLEncoding.DecodeString(parts[2])
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if err := rsa.VerifyPKCS1v15(s.key, crypto.SHA256, sum[:], signature); err != nil ||
		string(head) != `{"alg":"RS256","typ":"JWT"}` {
		return fmt.Errorf("bad signature of %s: %w", head, err)
	}
	var claims struct {
		Iat, Exp int64
		Iss      string
	}
	if err := json.Unmarshal(body, &claims); err != nil {
		return err
	}
	if at := s.now.Unix(); claims.Iss != "12345" || claims.Iat > at || claims.Exp <= at || claims.Exp-claims.Iat > 600 {
		return fmt.Errorf("claims %+v at %d", claims, at)
	}
	return nil
}

// G2: a token is for one repository, has only the necessary permissions, and is replaced before it expires.
func TestAppTokenIsForOneRepository(t *testing.T) {
	server, app := newAppServer(t)
	tokens := github.NewTokens(forgetest.Client(t), server.time)
	ask := func(write bool) string {
		t.Helper()
		token, err := tokens.Find(t.Context(), app, server.URL, "acme", "docs", github.Use{Write: write})
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	if a, b, c := ask(true), ask(true), ask(false); a != "ghs_1" || b != a || c != "ghs_2" {
		t.Errorf("tokens %s %s %s", a, b, c)
	}
	want := []string{
		`{"permissions":{"contents":"write","metadata":"read","pull_requests":"write"},"repositories":["docs"]}`,
		`{"permissions":{"contents":"read","metadata":"read"},"repositories":["docs"]}`,
	}
	for i, in := range server.given {
		if text, _ := json.Marshal(in); string(text) != want[i] {
			t.Errorf("asked for %s", text)
		}
	}
	if _, err := tokens.Find(t.Context(), app, server.URL, "acme", "docs", github.Use{Report: true}); err != nil {
		t.Fatal(err)
	}
	const reports = `{"permissions":{"checks":"write","contents":"read","metadata":"read","pull_requests":"write","statuses":"write"},"repositories":["docs"]}`
	if text, _ := json.Marshal(server.given[len(server.given)-1]); string(text) != reports {
		t.Errorf("for reports, it asked for %s", text)
	}
	server.pass(54 * time.Minute)
	if got := ask(true); got != "ghs_1" {
		t.Errorf("a token was discarded early: %s", got)
	}
	server.pass(2 * time.Minute)
	if got := ask(true); got != "ghs_4" {
		t.Errorf("a token that expires in four minutes was reused: %s", got)
	}
	server.pass(20 * time.Minute)
	if got, err := tokens.Find(t.Context(), app, server.URL, "acme", "docs",
		github.Use{Write: true, Lasts: 50 * time.Minute}); err != nil || got != "ghs_5" {
		t.Errorf("asked for one of 50 minutes: %s, %v", got, err)
	}
}

// K9: no error contains the App's key or its JSON Web Token.
func TestRefusedAppReportsReason(t *testing.T) {
	server, app := newAppServer(t)
	tokens := github.NewTokens(forgetest.Client(t), server.time)
	for status, code := range map[int]string{401: "forge_key_refused", 404: "forge_not_found", 422: "forge_refused",
		502: "forge_busy"} {
		server.refuse = status
		_, err := tokens.Find(t.Context(), app, server.URL, "acme", "docs", github.Use{Write: true})
		if !fault.HasCode(err, code) || strings.Contains(fmt.Sprintf("%v %+v", err, err), "eyJ") {
			t.Errorf("%d: %v", status, err)
		}
	}
	for name, key := range map[string]string{"empty": "", "no PEM": "hunter2",
		"not a key": "-----BEGIN RSA PRIVATE KEY-----\naHVudGVyMg==\n-----END RSA PRIVATE KEY-----\n"} {
		bad := github.App{ID: "1", PrivateKey: key}
		_, err := tokens.Find(t.Context(), bad, server.URL, "acme", "docs", github.Use{Write: true})
		if !fault.HasCode(err, "bad_credential") || !fault.HasCode(bad.Check(), "bad_credential") ||
			strings.Contains(fmt.Sprintf("%v %v %#v", err, bad, bad), "hunter2") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := app.Check(); err != nil {
		t.Error(err)
	}
}

func TestPKCS8KeyIsAccepted(t *testing.T) {
	server, app := newAppServer(t)
	block, _ := pem.Decode([]byte(app.PrivateKey))
	key, err := x509.ParsePKCS1PrivateKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	app.PrivateKey = string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	if _, err := github.NewTokens(forgetest.Client(t), server.time).
		Find(t.Context(), app, server.URL, "acme", "docs", github.Use{}); err != nil {
		t.Error(err)
	}
}

// GitHub reports rate limits as a 403 with special headers.
func TestRateLimitIsNotARefusal(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	for name, c := range map[string]struct {
		header map[string]string
		code   string
		wait   time.Duration
	}{
		"primary": {map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1700000090"},
			"forge_busy", 90 * time.Second},
		"without reset": {map[string]string{"X-RateLimit-Remaining": "0"}, "forge_busy", time.Minute},
		"secondary": {map[string]string{"Retry-After": "40", "X-RateLimit-Remaining": "17"}, "forge_busy",
			40 * time.Second},
		"a real no": {map[string]string{"X-RateLimit-Remaining": "17"}, "forge_key_refused", 0},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			for k, v := range c.header {
				w.Header().Set(k, v)
			}
			w.WriteHeader(http.StatusForbidden)
		}))
		host := github.New(github.Options{API: server.URL, Owner: "acme", Name: "docs", HTTP: forgetest.Client(t),
			Now:   func() time.Time { return now },
			Token: func(context.Context) (string, error) { return "t", nil }})
		_, err := host.Find(t.Context(), "x")
		if f, ok := fault.As(err); !ok || f.Code != c.code || f.RetryAfter != c.wait {
			t.Errorf("%s: %v", name, err)
		}
		server.Close()
	}
}

// A repository whose plan does not support drafts gets a regular pull request.
func TestUnsupportedDraftBecomesRegularPullRequest(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Draft bool }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Error(err)
		}
		if in.Draft {
			w.WriteHeader(http.StatusUnprocessableEntity)
			fmt.Fprint(w,
				`{"message": "Draft pull requests are not supported in this repository.", "documentation_url": "https://docs.github.com/rest"}`)
			return
		}
		w.WriteHeader(http.StatusCreated)
		fmt.Fprint(w,
			`{"number": 7, "state": "open", "html_url": "https://github.com/acme/docs/pull/7", "head": {"ref": "x"}, "base": {"ref": "main"}}`)
	}))
	t.Cleanup(server.Close)
	host := github.New(github.Options{API: server.URL, Owner: "acme", Name: "docs", HTTP: forgetest.Client(t),
		Now: time.Now})
	if p, err := host.Open(t.Context(), pullRequest(true)); err != nil || p.Number != 7 || p.Draft {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestAppWithoutChecksPermissionStillGetsToken(t *testing.T) {
	server, app := newAppServer(t)
	server.grantless = true
	tokens := github.NewTokens(forgetest.Client(t), server.time)
	if _, err := tokens.Find(t.Context(), app, server.URL, "acme", "docs", github.Use{Report: true}); err != nil {
		t.Fatal(err)
	}
	const want = `{"permissions":{"contents":"read","metadata":"read","pull_requests":"write","statuses":"write"},"repositories":["docs"]}`
	if text, _ := json.Marshal(server.given[0]); string(text) != want {
		t.Errorf("asked for %s", text)
	}
}
