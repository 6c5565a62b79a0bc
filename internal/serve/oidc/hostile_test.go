package oidc

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

const (
	clientID     = "lectern"
	clientSecret = "client-secret-0123456789-0123456789-0123456789"
	callback     = "http://lectern.example.com/dashboard/sign-in/callback"
	goodCode     = "code-7f2b"
	goodNonce    = "nonce-19ac"
	goodVerifier = "verifier-0123456789-0123456789-0123456789-0123456789"
	accessToken  = "access-token-51c8"
)

// noon is the time at which all of these tests take place.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

type object = map[string]any

// idp is an identity provider that behaves correctly except where a test makes it lie.
type idp struct {
	*httptest.Server
	key      crypto.Signer
	kid, alg string
	describe func(object)             // changes the discovery document; nil = unchanged
	claim    func(object)             // changes the ID token's claims
	forge    func(said object) string // creates the ID token; nil = signed with the key
	answer   func(object)             // changes the token endpoint's response
	info     object                   // nil = userinfo has the same claims as the ID token
	instead  map[string]http.HandlerFunc

	mu     sync.Mutex
	asked  map[string]int // requests by path
	signed object         // claims of the last ID token
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func openIDP(t testing.TB) *idp {
	t.Helper()
	p := &idp{key: newKey(t), kid: "first", alg: "ES256", asked: map[string]int{},
		instead: map[string]http.HandlerFunc{}}
	p.Server = httptest.NewServer(p)
	t.Cleanup(p.Close)
	return p
}

func (p *idp) options() Options {
	return Options{Issuer: p.URL, ClientID: clientID, ClientSecret: clientSecret, HTTP: p.Client(),
		Now: func() time.Time { return noon }}
}

func (p *idp) requests(path string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked[path]
}

func (p *idp) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.asked[r.URL.Path]++
	handle := p.instead[r.URL.Path]
	p.mu.Unlock()
	if handle != nil {
		handle(w, r)
		return
	}
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		doc := object{"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize",
			"token_endpoint": p.URL + "/token", "jwks_uri": p.URL + "/keys",
			"userinfo_endpoint":                     p.URL + "/userinfo",
			"id_token_signing_alg_values_supported": []string{"none", "HS256", "RS256", "ES256"}}
		if p.describe != nil {
			p.describe(doc)
		}
		reply(w, doc)
	case "/keys":
		reply(w, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: p.key.Public(), KeyID: p.kid, Use: "sig"}}})
	case "/token":
		p.token(w, r)
	case "/userinfo":
		if r.Header.Get("Authorization") != "Bearer "+accessToken {
			http.Error(w, "who asks?", http.StatusUnauthorized)
			return
		}
		reply(w, p.about())
	default:
		http.NotFound(w, r)
	}
}

func (p *idp) about() object {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.info != nil {
		return p.info
	}
	return p.signed
}

// token handles a token request as a careful provider does: the client, the code, the verifier and the redirect URL
// must be correct.
func (p *idp) token(w http.ResponseWriter, r *http.Request) {
	id, secret, _ := r.BasicAuth()
	if id != clientID || secret != clientSecret {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnauthorized)
		reply(w, object{"error": "invalid_client", "error_description": "not " + secret})
		return
	}
	if r.FormValue("code") != goodCode || r.FormValue("code_verifier") != goodVerifier ||
		r.FormValue("redirect_uri") != callback ||
		r.FormValue("grant_type") != "authorization_code" {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		reply(w, object{"error": "invalid_grant",
			"error_description": "not " + r.FormValue("code") + " with " + r.FormValue("code_verifier")})
		return
	}
	said := object{"iss": p.URL, "sub": "person-1", "aud": clientID, "iat": noon.Unix() - 5, "exp": noon.Unix() + 300,
		"nonce": goodNonce,
		"email": "owner@example.com", "email_verified": true, "name": "Owner", "groups": []string{"staff", "docs"}}
	if p.claim != nil {
		p.claim(said)
	}
	p.mu.Lock()
	p.signed = maps.Clone(said)
	p.mu.Unlock()
	out := object{"access_token": accessToken, "token_type": "Bearer", "expires_in": 300}
	if p.forge != nil {
		out["id_token"] = p.forge(said)
	} else {
		out["id_token"] = sign(p.alg, p.key, p.kid, said)
	}
	if p.answer != nil {
		p.answer(out)
	}
	reply(w, out)
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		panic(err)
	}
}

func sign(alg string, key any, kid string, said object) string {
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.SignatureAlgorithm(alg),
		Key: jose.JSONWebKey{Key: key, KeyID: kid}}, nil)
	if err != nil {
		panic(err)
	}
	payload, err := json.Marshal(said)
	if err != nil {
		panic(err)
	}
	signed, err := signer.Sign(payload)
	if err != nil {
		panic(err)
	}
	text, err := signed.CompactSerialize()
	if err != nil {
		panic(err)
	}
	return text
}

// finish completes a sign-in with correct parameters on our side.
func finish(t testing.TB, p *Provider) (Identity, error) {
	t.Helper()
	return p.Finish(t.Context(), callback, goodCode, goodNonce, goodVerifier)
}

// wantFault checks that an error is a fault with this code, a suitable kind and a message for people, and that it
// contains no secrets.
func wantFault(t testing.TB, err error, code string, cause string) {
	t.Helper()
	f, ok := fault.As(err)
	if !ok {
		t.Fatalf("%v is not a fault", err)
	}
	kind := fault.Unavailable
	if code == "oidc_refused" {
		kind = fault.Unauthenticated
	}
	if f.Code != code || f.Kind != kind || f.Public == "" || f.Hint == "" || errors.Unwrap(f) == nil {
		t.Errorf("%s %v %q %q because of %v, want %s", f.Code, f.Kind, f.Public, f.Hint, errors.Unwrap(f), code)
	}
	if !strings.Contains(err.Error(), cause) {
		t.Errorf("the log has %q, without %q", err, cause)
	}
	for _, secret := range []string{clientSecret, goodCode, goodVerifier, goodNonce, accessToken, "eyJ"} {
		if strings.Contains(err.Error(), secret) {
			t.Errorf("the log has %q, with %s", err, secret)
		}
	}
	if len(err.Error()) > 2000 {
		t.Errorf("the log has %d bytes", len(err.Error()))
	}
}

func part(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

// Every kind of invalid ID token is rejected, and the log has the reason but nothing from the token.
func TestInvalidIDTokenIsRefused(t *testing.T) {
	other := newKey(t)
	set := func(name string, value any) func(*idp) {
		return func(p *idp) { p.claim = func(c object) { c[name] = value } }
	}
	forge := func(make func(p *idp, c object) string) func(*idp) {
		return func(p *idp) { p.forge = func(c object) string { return make(p, c) } }
	}
	for name, c := range map[string]struct {
		lie   func(*idp)
		cause string
	}{
		"nonce of another":      {set("nonce", "nonce-of-another"), "nonce"},
		"no nonce":              {func(p *idp) { p.claim = func(c object) { delete(c, "nonce") } }, "nonce"},
		"audience of another":   {set("aud", "other-client"), "audience"},
		"no audience":           {func(p *idp) { p.claim = func(c object) { delete(c, "aud") } }, "audience"},
		"several, no party":     {set("aud", []string{clientID, "other-client"}), "authorized party"},
		"party is another":      {set("azp", "other-client"), "authorized party"},
		"party is empty":        {set("azp", ""), "authorized party"},
		"party is a number":     {set("azp", 7), "authorized party"},
		"expired":               {set("exp", noon.Unix()-1), "expired"},
		"no expiry":             {func(p *idp) { p.claim = func(c object) { delete(c, "exp") } }, "expired"},
		"not yet valid":         {set("nbf", noon.Unix()+3600), "before"},
		"issuer of another":     {set("iss", "https://other.example.com"), "different provider"},
		"no subject":            {set("sub", ""), "subject"},
		"endless subject":       {set("sub", strings.Repeat("s", 256)), "subject"},
		"hash of another token": {set("at_hash", "AAAAAAAAAAAAAAAAAAAAAA"), "access token"},
		"not a token":           {forge(func(*idp, object) string { return "nothing" }), "malformed"},
		"no token":              {func(p *idp) { p.answer = func(a object) { delete(a, "id_token") } }, "none"},
		"a number":              {func(p *idp) { p.answer = func(a object) { a["id_token"] = 7 } }, "none"},
		"signed by another": {forge(func(p *idp, c object) string { return sign("ES256", other, p.kid, c) }),
			"signature"},
		"signed by an unknown key": {forge(func(p *idp, c object) string {
			return sign("ES256", other, "unknown", c)
		}), "signature"},
		"signed with the secret": {forge(func(p *idp, c object) string {
			return sign("HS256", []byte(clientSecret), "", c)
		}), "algorithm"},
		"secret under the key's id": {forge(func(p *idp, c object) string {
			return sign("HS256", []byte(clientSecret), p.kid, c)
		}), "algorithm"},
		"signed by nobody": {forge(func(_ *idp, c object) string {
			return part(object{"alg": "none"}) + "." + part(c) + "."
		}), "algorithm"},
		"signed by NoNe": {forge(func(_ *idp, c object) string {
			return part(object{"alg": "NoNe"}) + "." + part(c) + "."
		}), "algorithm"},
		"brings its own key": {forge(func(_ *idp, c object) string { return selfSigned(other, c) }), "signature"},
		"changed after it was signed": {forge(func(p *idp, c object) string {
			parts := strings.Split(sign("ES256", p.key, p.kid, c), ".")
			c["sub"] = "person-2"
			return parts[0] + "." + part(c) + "." + parts[2]
		}), "signature"},
	} {
		t.Run(name, func(t *testing.T) {
			p := openIDP(t)
			c.lie(p)
			who, err := finish(t, New(p.options()))
			wantFault(t, err, "oidc_refused", c.cause)
			if who.Subject != "" || who.Email != "" || who.Groups != nil {
				t.Errorf("an identity was returned anyway: %+v", who)
			}
		})
	}
}

// selfSigned returns a token that contains the key for verifying it.
func selfSigned(key crypto.Signer, said object) string {
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: key}, &jose.SignerOptions{EmbedJWK: true})
	if err != nil {
		panic(err)
	}
	payload, err := json.Marshal(said)
	if err != nil {
		panic(err)
	}
	signed, err := signer.Sign(payload)
	if err != nil {
		panic(err)
	}
	text, err := signed.CompactSerialize()
	if err != nil {
		panic(err)
	}
	return text
}

// If a provider offers only signatures made with the client secret, or none, RS256 is required.
func TestProviderCannotDowngradeSignatures(t *testing.T) {
	for _, offer := range [][]string{{"HS256"}, {"none"}, {"HS256", "none"}, {}} {
		p := openIDP(t)
		p.describe = func(doc object) { doc["id_token_signing_alg_values_supported"] = offer }
		p.forge = func(c object) string { return sign("HS256", []byte(clientSecret), p.kid, c) }
		_, err := finish(t, New(p.options()))
		wantFault(t, err, "oidc_refused", "algorithm")
		key, err := rsa.GenerateKey(rand.Reader, 2048)
		if err != nil {
			t.Fatal(err)
		}
		p.key, p.alg, p.forge = key, "RS256", nil
		if _, err := finish(t, New(p.options())); err != nil {
			t.Errorf("offer %v, RS256: %v", offer, err)
		}
	}
}

func TestAuthorizationURLHasAllParameters(t *testing.T) {
	p := openIDP(t)
	p.describe = func(doc object) { doc["authorization_endpoint"] = p.URL + "/authorize?tenant=a" }
	opt := p.options()
	opt.Scopes = []string{"groups", "email", ""}
	address, err := New(opt).Begin(t.Context(), callback, "state&1", goodNonce, goodVerifier)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(goodVerifier))
	for name, want := range map[string]string{"tenant": "a", "response_type": "code", "client_id": clientID,
		"redirect_uri": callback,
		"state":        "state&1", "nonce": goodNonce, "scope": "openid email profile groups",
		"code_challenge_method": "S256", "code_challenge": base64.RawURLEncoding.EncodeToString(sum[:])} {
		if got := u.Query()[name]; len(got) != 1 || got[0] != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if !strings.HasPrefix(address, p.URL+"/authorize?") || strings.Contains(address, goodVerifier) ||
		strings.Contains(address, clientSecret) {
		t.Errorf("the address is %s", address)
	}
}

func TestSignInRequiresRandomParameters(t *testing.T) {
	p := openIDP(t)
	provider := New(p.options())
	for _, c := range [][3]string{{"", goodNonce, goodVerifier}, {"s", "", goodVerifier}, {"s", goodNonce, ""},
		{"s", goodNonce, "short"}} {
		if _, err := provider.Begin(t.Context(), callback, c[0], c[1], c[2]); err == nil {
			t.Errorf("Begin with %q", c)
		}
		if _, err := provider.Finish(t.Context(), callback, goodCode, c[1], c[2]); err == nil && c[0] != "" {
			t.Errorf("Finish with %q", c)
		}
	}
}
