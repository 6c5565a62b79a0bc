package oidc

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

const wellKnown = "/.well-known/openid-configuration"

func begin(t testing.TB, p *Provider) error {
	t.Helper()
	_, err := p.Begin(t.Context(), callback, "state", goodNonce, goodVerifier)
	return err
}

func TestInvalidSettingsAreNamed(t *testing.T) {
	good := Options{Issuer: "https://id.example.com/realms/a", ClientID: clientID,
		Now: func() time.Time { return noon }}
	for issuer, ok := range map[string]bool{
		good.Issuer: true, "https://id.example.com/": true, "http://localhost:9000": true, "http://127.0.0.1": true,
		"http://[::1]:1": true,
		"":               false, "id.example.com": false, "http://id.example.com": false, "https://": false,
		"ftp://id.example.com": false, "https://a:b@id.example.com": false,
		"https://id.example.com?x=1": false, "https://id.example.com#x": false, "http://127.0.0.1.example.com": false,
		"https://id.example.com/%zz": false,
	} {
		o := good
		o.Issuer = issuer
		if err := o.Check(); (err == nil) != ok || err != nil && !fault.HasCode(err, "invalid_oidc_setting") {
			t.Errorf("issuer %q: %v", issuer, err)
		}
		if !ok {
			wantFault(t, begin(t, New(o)), "oidc_misconfigured", "issuer")
		}
	}
	good.ClientID = ""
	if f, found := fault.As(good.Check()); !found || f.Field != "clientId" {
		t.Errorf("no client id: %v", good.Check())
	}
}

func TestWaitingCallerCanCancel(t *testing.T) {
	p := openIDP(t)
	arrived, release := make(chan struct{}), make(chan struct{})
	p.instead[wellKnown] = func(http.ResponseWriter, *http.Request) { close(arrived); <-release }
	provider := New(p.options())
	first := make(chan error)
	go func() { first <- begin(t, provider) }()
	<-arrived
	gone, leave := context.WithCancel(t.Context())
	leave()
	_, err := provider.Begin(gone, callback, "state", goodNonce, goodVerifier)
	wantFault(t, err, "oidc_unavailable", "canceled")
	close(release)
	wantFault(t, <-first, "oidc_misconfigured", "decode")
}

func TestHangingProviderTimesOut(t *testing.T) {
	for path, cause := range map[string]string{wellKnown: "discover", "/token": "exchange", "/keys": "keys",
		"/userinfo": "userinfo"} {
		t.Run(cause, func(t *testing.T) {
			t.Parallel()
			p := openIDP(t)
			done := make(chan struct{})
			defer close(done)
			p.claim = func(c object) { delete(c, "groups") }
			p.instead[path] = func(w http.ResponseWriter, r *http.Request) {
				w.WriteHeader(http.StatusOK)
				_ = http.NewResponseController(w).Flush() // the response starts but does not continue
				select {
				case <-r.Context().Done():
				case <-done:
				}
			}
			provider := New(p.options())
			wire := provider.http.Transport.(bounded)
			wire.life /= 5
			provider.http.Transport = wire
			_, err := finish(t, provider)
			wantFault(t, err, "oidc_unavailable", cause)
			wantFault(t, err, "oidc_unavailable", "deadline")
		})
	}
}

func TestTokenEndpointErrorIsParsed(t *testing.T) {
	p := openIDP(t)
	_, err := New(p.options()).Finish(t.Context(), callback, "another-code-4711", goodNonce, goodVerifier)
	wantFault(t, err, "oidc_refused", "invalid_grant")
	if strings.Contains(err.Error(), "another-code-4711") {
		t.Errorf("the log contains the code: %v", err)
	}
	_, err = New(p.options()).Finish(t.Context(), callback, goodCode, goodNonce, "another"+goodVerifier)
	wantFault(t, err, "oidc_refused", "invalid_grant")
	_, err = New(p.options()).Finish(t.Context(), callback+"/other", goodCode, goodNonce, goodVerifier)
	wantFault(t, err, "oidc_refused", "invalid_grant")
	opt := p.options()
	opt.ClientSecret = "not-our-secret-4711"
	_, err = finish(t, New(opt))
	wantFault(t, err, "oidc_misconfigured", "invalid_client")
	if strings.Contains(err.Error(), "4711") {
		t.Errorf("the log contains the secret: %v", err)
	}
	for _, body := range []string{"", "{}", "[]", `{"access_token":7}`, `{"access_token":"` + accessToken + `"`} {
		p.instead["/token"] = func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(body)) // the client may have disconnected
		}
		_, err := finish(t, New(p.options()))
		wantFault(t, err, "oidc_refused", "exchange code")
	}
}

// If a provider's error response repeats the request, including its headers, the log does not contain them.
func TestSecretsInProviderErrorAreNotLogged(t *testing.T) {
	p := openIDP(t)
	var credentials string
	p.instead["/token"] = func(w http.ResponseWriter, r *http.Request) {
		credentials = strings.TrimPrefix(r.Header.Get("Authorization"), "Basic ")
		http.Error(w, "cannot "+credentials+" "+r.FormValue("code"), http.StatusBadRequest)
	}
	_, err := finish(t, New(p.options()))
	wantFault(t, err, "oidc_refused", "400")
	if credentials == "" || strings.Contains(err.Error(), credentials) {
		t.Errorf("the log has %q", err)
	}
}

func TestCanceledSignInIsNotReportedAsForgery(t *testing.T) {
	for _, path := range []string{"/token", "/keys", "/userinfo"} {
		p := openIDP(t)
		p.claim = func(c object) { delete(c, "groups") }
		ctx, leave := context.WithCancel(t.Context())
		done := make(chan struct{})
		p.instead[path] = func(http.ResponseWriter, *http.Request) { leave(); <-done }
		_, err := New(p.options()).Finish(ctx, callback, goodCode, goodNonce, goodVerifier)
		close(done)
		wantFault(t, err, "oidc_unavailable", "canceled")
	}
}

func TestClientSecretUsesProvidersAuthMethod(t *testing.T) {
	for _, c := range []struct {
		methods any
		secret  string
		header  bool
	}{
		{nil, clientSecret, true}, {[]string{"client_secret_basic", "client_secret_post"}, clientSecret, true},
		{[]string{"client_secret_post"}, clientSecret, false}, {nil, "", false},
	} {
		p := openIDP(t)
		p.describe = func(doc object) { doc["token_endpoint_auth_methods_supported"] = c.methods }
		p.instead["/token"] = func(w http.ResponseWriter, r *http.Request) {
			_, basic, inHeader := r.BasicAuth()
			inForm := r.PostFormValue("client_id") == clientID && r.PostFormValue("client_secret") == c.secret
			if inHeader != c.header || inHeader && basic != c.secret || inHeader == inForm {
				t.Errorf("methods %v: header %v, form %v", c.methods, r.Header["Authorization"], r.PostForm)
			}
			if !inHeader {
				r.SetBasicAuth(clientID, clientSecret)
			}
			p.token(w, r)
		}
		opt := p.options()
		opt.ClientSecret = c.secret
		if _, err := finish(t, New(opt)); err != nil {
			t.Errorf("methods %v: %v", c.methods, err)
		}
		if n := p.requests("/token"); n != 1 {
			t.Errorf("the code was sent %d times", n)
		}
	}
}

func TestProviderCanRotateKeys(t *testing.T) {
	p := openIDP(t)
	provider := New(p.options())
	for range 2 {
		if _, err := finish(t, provider); err != nil {
			t.Fatal(err)
		}
	}
	if n := p.requests("/keys"); n != 1 {
		t.Errorf("%d requests for the keys", n)
	}
	p.key, p.kid = newKey(t), "second"
	// The library ends a fetch in a separate goroutine, just after the sign-in that waited for it. Until then it
	// treats the first keys as current and does not fetch them again.
	_, err := finish(t, provider)
	for ; err != nil && p.requests("/keys") == 1; _, err = finish(t, provider) {
		time.Sleep(time.Millisecond)
	}
	if err != nil {
		t.Errorf("after the change: %v", err)
	}
}

func TestKeyFetchFailureIsReported(t *testing.T) {
	for _, c := range []struct {
		code   string
		answer http.HandlerFunc
	}{
		{"oidc_unavailable", endless},
		{"oidc_unavailable", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }},
		{"oidc_refused", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"keys":[{"kty":"oct","k":"AAAA"},7]}`))
		}},
	} {
		p := openIDP(t)
		p.instead["/keys"] = c.answer
		_, err := finish(t, New(p.options()))
		wantFault(t, err, c.code, "keys")
	}
}

func TestProviderErrorInCallbackIsReported(t *testing.T) {
	err := Denied("access_denied\n" + strings.Repeat("x", 5000))
	wantFault(t, err, "oidc_refused", "access_denied x")
	if strings.Contains(err.Error(), "\n") || len(err.Error()) > 600 {
		t.Errorf("the log has %q", err)
	}
}
