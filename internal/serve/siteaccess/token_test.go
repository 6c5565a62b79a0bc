package siteaccess_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/store"
)

type object = map[string]any

func publicPEM(t *testing.T, key crypto.Signer) string {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
}

func sign(t *testing.T, key crypto.Signer, algorithm jose.SignatureAlgorithm, kid string, claims object) string {
	t.Helper()
	s, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: jose.JSONWebKey{Key: key, KeyID: kid}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := s.Sign(raw)
	if err != nil {
		t.Fatal(err)
	}
	out, err := signed.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (r *rig) claims(change object) object {
	c := object{"iss": "https://app.example", "aud": host, "exp": r.Now().Add(time.Minute).Unix(), "jti": rand.Text(),
		"sub": "user-1", "groups": []string{"staff", "beta"}}
	maps.Copy(c, change)
	for name, v := range c {
		if v == nil {
			delete(c, name)
		}
	}
	return c
}

// handOffTo lets an application sign readers in to a site.
func (r *rig) handOffTo(p project.Project, keys ...access.PublicKey) {
	r.t.Helper()
	h, err := access.CleanHandoff(access.Handoff{LoginURL: "https://app.example/docs?x=1", Issuer: "https://app.example",
		Keys: keys})
	r.ok(err)
	r.tx(func(tx *store.Tx) error {
		_, err := tx.SetReaderAccess(r.t.Context(), access.Settings{ProjectID: p.ID, Mode: access.JWT, Handoff: h})
		return err
	})
}

func (b *browser) sendToken(at, token, next string) answer {
	return b.do(http.MethodPost, "https://"+at+"/login/jwt", url.Values{"token": {token}, "next": {next}}.Encode(),
		"Origin", "https://app.example", "Sec-Fetch-Site", "cross-site")
}

func newKeys(t *testing.T) (ed ed25519.PrivateKey, ec *ecdsa.PrivateKey, rs *rsa.PrivateKey) {
	t.Helper()
	_, ed, err := ed25519.GenerateKey(rand.Reader)
	if err == nil {
		ec, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	}
	if err == nil {
		rs, err = rsa.GenerateKey(rand.Reader, 2048)
	}
	if err != nil {
		t.Fatal(err)
	}
	return ed, ec, rs
}

func TestApplicationCanSignReadersIn(t *testing.T) {
	r := newRig(t)
	p, _ := r.site(host, deploy.Production)
	ed, ec, rs := newKeys(t)
	r.handOffTo(p, access.PublicKey{ID: "one", PEM: publicPEM(t, ed)}, access.PublicKey{ID: "two", PEM: publicPEM(t, ec)},
		access.PublicKey{PEM: publicPEM(t, rs)})
	if form := r.browser().page("https://" + host + "/login?next=/log"); !strings.Contains(form.text,
		`href="https://app.example/docs?next=%2Flog&amp;x=1"`) {
		t.Error(form.text)
	}
	for _, c := range []struct {
		key       crypto.Signer
		algorithm jose.SignatureAlgorithm
		kid       string
	}{{ed, jose.EdDSA, "one"}, {ec, jose.ES256, "two"}, {rs, jose.RS256, ""}, {ec, jose.ES256, ""}} {
		b := r.browser()
		a := b.sendToken(host, sign(t, c.key, c.algorithm, c.kid, r.claims(nil)), "/log")
		if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/log" || !b.reads(host) {
			t.Errorf("%s: %d %s", c.algorithm, a.StatusCode, a.text)
		}
		b.do(http.MethodPost, "https://"+host+"/_lectern/api/assistant", "{}", "Sec-Fetch-Site", "same-origin")
		if r.reader.Subject != "user-1" || strings.Join(r.reader.Groups, " ") != "beta staff" || r.reader.Anonymous {
			t.Errorf("%+v", r.reader)
		}
	}
	page := r.browser().page("https://" + host + "/login/jwt")
	if page.StatusCode != http.StatusOK || !strings.Contains(page.text, "location.hash") ||
		!strings.Contains(page.Header.Get("Content-Security-Policy"), "script-src 'sha256-") {
		t.Errorf("%d %v", page.StatusCode, page.Header)
	}
	if a := r.browser().sendToken(host, sign(t, ed, jose.EdDSA, "one", r.claims(nil)), "//evil.example"); a.Header.Get(
		"Location") != "/" {
		t.Errorf("%v", a.Header)
	}
}

// K10: a token that is altered, expired, for another site, already used or signed with another key is rejected.
func TestWrongTokensAreRefused(t *testing.T) {
	r := newRig(t)
	p, _ := r.site(host, deploy.Production)
	other, _ := r.site("other.example.com", deploy.Production)
	ed, ec, rs := newKeys(t)
	_, stranger, err := ed25519.GenerateKey(rand.Reader)
	r.ok(err)
	keys := []access.PublicKey{{ID: "one", PEM: publicPEM(t, ed)}, {ID: "two", PEM: publicPEM(t, rs)}}
	r.handOffTo(p, keys...)
	r.handOffTo(other, keys...)
	good := sign(t, ed, jose.EdDSA, "one", r.claims(nil))
	parts := strings.Split(good, ".")
	encode := func(v any) string {
		raw, err := json.Marshal(v)
		r.ok(err)
		return base64.RawURLEncoding.EncodeToString(raw)
	}
	mac := hmac.New(sha256.New, []byte(publicPEM(t, rs)))
	confused := encode(object{"alg": "HS256", "kid": "two"}) + "." + encode(r.claims(nil))
	mac.Write([]byte(confused))
	for name, token := range map[string]string{
		"empty": "", "text": "x", "long": strings.Repeat("x", 20<<10),
		"unsigned":                        encode(object{"alg": "none"}) + "." + parts[1] + ".",
		"without signature":               parts[0] + "." + parts[1] + ".",
		"other claims":                    parts[0] + "." + encode(r.claims(object{"sub": "admin"})) + "." + parts[2],
		"a public key used as a password": confused + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil)),
		"another key":                     sign(t, stranger, jose.EdDSA, "one", r.claims(nil)),
		"a key that was removed":          sign(t, ec, jose.ES256, "", r.claims(nil)),
		"another kid":                     sign(t, ed, jose.EdDSA, "two", r.claims(nil)),
		"another algorithm":               sign(t, rs, jose.PS256, "two", r.claims(nil)),
		"another host":                    sign(t, ed, jose.EdDSA, "one", r.claims(object{"aud": "other.example.com"})),
		"no host":                         sign(t, ed, jose.EdDSA, "one", r.claims(object{"aud": nil})),
		"another issuer":                  sign(t, ed, jose.EdDSA, "one", r.claims(object{"iss": "https://evil.example"})),
		"no issuer":                       sign(t, ed, jose.EdDSA, "one", r.claims(object{"iss": nil})),
		"no expiry":                       sign(t, ed, jose.EdDSA, "one", r.claims(object{"exp": nil})),
		"expired":                         sign(t, ed, jose.EdDSA, "one", r.claims(object{"exp": r.Now().Add(-2 * time.Minute).Unix()})),
		"good for an hour":                sign(t, ed, jose.EdDSA, "one", r.claims(object{"exp": r.Now().Add(time.Hour).Unix()})),
		"not yet":                         sign(t, ed, jose.EdDSA, "one", r.claims(object{"nbf": r.Now().Add(5 * time.Minute).Unix()})),
		"no id":                           sign(t, ed, jose.EdDSA, "one", r.claims(object{"jti": nil})),
		"a long user":                     sign(t, ed, jose.EdDSA, "one", r.claims(object{"user": strings.Repeat("x", 201)})),
		"a long subject":                  sign(t, ed, jose.EdDSA, "one", r.claims(object{"user": nil, "sub": strings.Repeat("x", 201)})),
		"a long id":                       sign(t, ed, jose.EdDSA, "one", r.claims(object{"jti": strings.Repeat("x", 300)})),
		"groups of another type":          sign(t, ed, jose.EdDSA, "one", r.claims(object{"groups": object{"x": 1}})),
	} {
		b := r.browser()
		if a := b.sendToken(host, token, "/"); a.StatusCode != http.StatusUnauthorized || b.session(host) != "" {
			t.Errorf("%s: %d %v", name, a.StatusCode, a.Header)
		}
	}
	b := r.browser()
	if a := b.sendToken(host, good, "/"); a.StatusCode != http.StatusSeeOther || !b.reads(host) {
		t.Fatalf("%d %s", a.StatusCode, a.text)
	}
	r.Advance(time.Minute + 30*time.Second) // still within the leeway
	if a := r.browser().sendToken(host, good, "/"); a.StatusCode != http.StatusUnauthorized {
		t.Errorf("used twice: %d", a.StatusCode)
	}
	if a := r.browser().sendToken("other.example.com", good, "/"); a.StatusCode != http.StatusUnauthorized {
		t.Errorf("used elsewhere: %d", a.StatusCode)
	}
	if text := r.log.String(); strings.Contains(text, parts[1]) || !strings.Contains(text, "aud is not this host") {
		t.Errorf("the log: %s", text)
	}
	r.protect(p, access.Password)
	if a := r.browser().sendToken(host, sign(t, ed, jose.EdDSA, "one", r.claims(nil)), "/"); a.StatusCode !=
		http.StatusNotFound {
		t.Errorf("in another mode: %d", a.StatusCode)
	}
}
