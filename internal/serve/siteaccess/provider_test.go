package siteaccess_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/store"
)

// idp is an identity provider that behaves correctly except where a test makes it lie.
type idp struct {
	*httptest.Server
	t   *testing.T
	r   *rig
	key *ecdsa.PrivateKey
	lie object // claims of the ID token that differ

	mu     sync.Mutex
	asked  map[string]url.Values // parameters with which the browser was sent here, by code
	secret string                // client secret, as received
}

func openIDP(t *testing.T, r *rig) *idp {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	r.ok(err)
	p := &idp{t: t, r: r, key: key, asked: map[string]url.Values{}}
	p.Server = httptest.NewServer(p)
	t.Cleanup(p.Close)
	return p
}

func (p *idp) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out any
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		out = object{"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token",
			"jwks_uri": p.URL + "/keys", "id_token_signing_alg_values_supported": []string{"ES256"}}
	case "/keys":
		out = jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: p.key.Public(), KeyID: "k", Use: "sig"}}}
	case "/token":
		_ = r.ParseForm()
		sent := p.asked[r.PostForm.Get("code")]
		sum := sha256.Sum256([]byte(r.PostForm.Get("code_verifier")))
		_, p.secret, _ = r.BasicAuth()
		if sent == nil || base64.RawURLEncoding.EncodeToString(sum[:]) != sent.Get("code_challenge") ||
			r.PostForm.Get("redirect_uri") != sent.Get("redirect_uri") {
			http.Error(w, `{"error":"invalid_grant"}`, http.StatusBadRequest)
			return
		}
		delete(p.asked, r.PostForm.Get("code"))
		claims := object{"iss": p.URL, "aud": "docs", "sub": "reader-1", "email": "reader@acme.example", "email_verified": true,
			"nonce": sent.Get("nonce"), "iat": p.r.Now().Unix(), "exp": p.r.Now().Add(time.Minute).Unix(),
			"teams": []string{"staff"}}
		for name, v := range p.lie {
			claims[name] = v
		}
		out = object{"access_token": "a", "token_type": "Bearer", "id_token": sign(p.t, p.key, jose.ES256, "k", claims)}
	default:
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(out)
}

// identify makes the provider send a browser back, and returns the URL.
func (p *idp) identify(address string) string {
	p.t.Helper()
	u, err := url.Parse(address)
	p.r.ok(err)
	q := u.Query()
	if !strings.HasPrefix(address, p.URL+"/authorize") || q.Get("code_challenge_method") != "S256" {
		p.t.Fatalf("%s", address)
	}
	code := rand.Text()
	p.mu.Lock()
	p.asked[code] = q
	p.mu.Unlock()
	return q.Get("redirect_uri") + "?" + url.Values{"code": {code}, "state": {q.Get("state")}}.Encode()
}

func (r *rig) identifyBy(p project.Project, list ...access.Provider) {
	r.t.Helper()
	list, err := access.CleanProviders(access.OIDC, list)
	r.ok(err)
	r.tx(func(tx *store.Tx) error {
		_, err := tx.SetReaderAccess(r.t.Context(), access.Settings{ProjectID: p.ID, Mode: access.OIDC, Providers: list,
			Sealed: access.SealSecrets(master, rand.Reader, p.ID, list)})
		return err
	})
}

func (p *idp) provider(change func(*access.Provider)) access.Provider {
	out := access.Provider{Name: "main", Label: "Acme <ID>", Issuer: p.URL, ClientID: "docs", ClientSecret: "s3cret",
		GroupsClaim: "teams"}
	if change != nil {
		change(&out)
	}
	return out
}

func TestReaderCanSignInWithProvider(t *testing.T) {
	r := newRig(t)
	p, _ := r.site(host, deploy.Production)
	one, two := openIDP(t, r), openIDP(t, r)
	r.identifyBy(p, one.provider(nil), two.provider(func(p *access.Provider) { p.Name, p.Label = "second", "" }))
	b := r.browser()
	form := b.page("https://" + host + "/login?next=/log")
	for _, want := range []string{"Acme &lt;ID&gt;", `href="/login/oidc/main?next=%2Flog"`,
		`href="/login/oidc/second?next=%2Flog"`} {
		if !strings.Contains(form.text, want) {
			t.Errorf("the page lacks %s: %s", want, form.text)
		}
	}
	for name, provider := range map[string]*idp{"main": one, "second": two} {
		b := r.browser()
		sent := b.page("https://" + host + "/login/oidc/" + name + "?next=/log")
		a := b.page(provider.identify(sent.Header.Get("Location")))
		if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/log" || !b.reads(host) ||
			provider.secret != "s3cret" {
			t.Fatalf("%d %v %s", a.StatusCode, a.Header, a.text)
		}
		b.do(http.MethodPost, "https://"+host+"/_lectern/api/assistant", "{}", "Sec-Fetch-Site", "same-origin")
		if r.reader.Subject != name+" reader-1" || strings.Join(r.reader.Groups, " ") != "staff" || r.reader.Anonymous {
			t.Errorf("%+v", r.reader)
		}
	}
	if a := b.page("https://" + host + "/login/oidc/none"); a.StatusCode != http.StatusNotFound {
		t.Errorf("%d", a.StatusCode)
	}
}

// Only people in one of the groups, or with a verified address in one of the domains, may read the site.
func TestProviderRulesLimitReaders(t *testing.T) {
	r := newRig(t)
	p, _ := r.site(host, deploy.Production)
	provider := openIDP(t, r)
	for name, c := range map[string]struct {
		groups, domains []string
		lie             object
		admitted        bool
	}{
		"no rule":                 {nil, nil, object{"teams": nil}, true},
		"group":                   {[]string{"other", "staff"}, nil, nil, true},
		"other group":             {[]string{"other"}, nil, nil, false},
		"groups of another claim": {[]string{"other"}, nil, object{"groups": []string{"other"}}, false},
		"domain":                  {nil, []string{"@ACME.example"}, nil, true},
		"other domain":            {nil, []string{"example"}, nil, false},
		"domain not verified":     {nil, []string{"acme.example"}, object{"email_verified": false}, false},
		"either":                  {[]string{"other"}, []string{"acme.example"}, nil, true},
	} {
		provider.lie = c.lie
		r.identifyBy(p, provider.provider(func(p *access.Provider) { p.Groups, p.EmailDomains = c.groups, c.domains }))
		b := r.browser()
		sent := b.page("https://" + host + "/login/oidc/main")
		a := b.page(provider.identify(sent.Header.Get("Location")))
		if c.admitted != b.reads(host) || !c.admitted && a.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %d %s", name, a.StatusCode, a.text)
		}
	}
}

// K10: a provider's response is accepted only if it is consistent, and only once, in the browser that started the
// sign-in, for this site.
func TestInvalidProviderResponsesAreRejected(t *testing.T) {
	r := newRig(t)
	p, _ := r.site(host, deploy.Production)
	other, _ := r.site("other.example.com", deploy.Production)
	provider := openIDP(t, r)
	r.identifyBy(p, provider.provider(nil))
	r.identifyBy(other, provider.provider(nil))
	begin := func(b *browser) string {
		return b.page("https://" + host + "/login/oidc/main").Header.Get("Location")
	}
	refused := func(name string, b *browser, address string) {
		t.Helper()
		if a := b.page(address); a.StatusCode < 400 || b.session(host) != "" || b.session("other.example.com") != "" {
			t.Errorf("%s: %d %v", name, a.StatusCode, a.Header)
		}
	}
	for name, lie := range map[string]object{"nonce": {"nonce": "other"}, "issuer": {"iss": "https://evil.example"},
		"audience": {"aud": "other"}, "expired": {"exp": r.Now().Add(-time.Hour).Unix()}, "groups": {"teams": 7}} {
		provider.lie = lie
		b := r.browser()
		refused(name, b, provider.identify(begin(b)))
	}
	provider.lie = nil
	mixed := r.browser()
	refused("a code of another provider", mixed, provider.identify(begin(mixed))+"&iss=https%3A%2F%2Fother.example")
	if len(provider.asked) != 1 { // the earlier codes were redeemed
		t.Errorf("the provider got another provider's code: %d codes are left", len(provider.asked))
	}
	same := r.browser()
	if a := same.page(provider.identify(begin(same)) + "&iss=" + url.QueryEscape(provider.URL)); a.StatusCode != http.StatusSeeOther {
		t.Errorf("a provider that names itself: %d %s", a.StatusCode, a.text)
	}
	b, thief := r.browser(), r.browser()
	back := provider.identify(begin(b))
	refused("a browser that asked for nothing", r.browser(), back)
	begin(thief)
	refused("another browser", thief, back)
	refused("another state", b, strings.Replace(back, "state=", "state=x", 1))
	begin(b)
	refused("no code", b, "https://"+host+"/login/callback?state=x")
	to := begin(b)
	u, err := url.Parse(to)
	r.ok(err)
	refused("denied", b, "https://"+host+"/login/callback?error=access_denied&state="+u.Query().Get("state"))
	elsewhere := r.browser()
	away := elsewhere.page("https://other.example.com/login/oidc/main").Header.Get("Location")
	elsewhere.setCookies(host, elsewhere.cookies("other.example.com"))
	refused("a sign-in of another site", elsewhere, strings.Replace(provider.identify(away), "other.example.com", host, 1))
	changed := r.browser()
	back = provider.identify(begin(changed))
	r.identifyBy(p, provider.provider(nil))
	refused("after a change of the settings", changed, back)
	late := r.browser()
	back = provider.identify(begin(late))
	r.Advance(11 * time.Minute)
	refused("too late", late, back)
	member := r.browser()
	member.begin(host, "/")
	refused("what was kept for the dashboard", member, "https://"+host+"/login/callback?code=x&state=x")
}

// A provider with a list of groups grants only these, whatever other groups it claims and however it writes their
// names. A provider without a list grants all groups that it claims.
func TestProviderGrantsOnlyItsOwnGroups(t *testing.T) {
	r := newRig(t)
	p, _ := r.site(host, deploy.Production)
	honest, liar, free := openIDP(t, r), openIDP(t, r), openIDP(t, r)
	r.identifyBy(p, honest.provider(func(p *access.Provider) { p.Name, p.GrantGroups = "honest", []string{"staff"} }),
		liar.provider(func(p *access.Provider) { p.Name, p.GrantGroups = "liar", []string{"partner"} }),
		free.provider(func(p *access.Provider) { p.Name = "free" }))
	claimed := []string{"staff", "Partner", "partner ", "partner", "staff,partner", ""}
	liar.lie, free.lie = object{"teams": claimed}, object{"teams": claimed}
	for name, c := range map[string]struct {
		*idp
		want string
	}{"honest": {honest, "staff"}, "liar": {liar, "partner"}, "free": {free, "Partner|partner|partner |staff|staff,partner"}} {
		b := r.browser()
		sent := b.page("https://" + host + "/login/oidc/" + name)
		b.page(c.identify(sent.Header.Get("Location")))
		b.do(http.MethodPost, "https://"+host+"/_lectern/api/assistant", "{}", "Sec-Fetch-Site", "same-origin")
		if got := strings.Join(r.reader.Groups, "|"); got != c.want || r.reader.Subject != name+" reader-1" {
			t.Errorf("%s: %+v, want %s", name, r.reader, c.want)
		}
	}
}

// Anyone can start a sign-in and return with a made-up code, but nobody can make the server flood a provider with
// requests.
func TestMadeUpCodesAreLimited(t *testing.T) {
	r := newRig(t)
	p, _ := r.site(host, deploy.Production)
	provider := openIDP(t, r)
	r.identifyBy(p, provider.provider(nil))
	try := func(change string) answer {
		b := r.browser()
		sent := b.page("https://" + host + "/login/oidc/main")
		return b.page(strings.Replace(provider.identify(sent.Header.Get("Location")), "code=", "code="+change, 1))
	}
	limited := 0
	for range 70 {
		if a := try("x"); a.StatusCode == http.StatusTooManyRequests && a.Header.Get("Retry-After") != "" {
			limited++
		} else if a.StatusCode < 400 {
			t.Fatalf("%d %v", a.StatusCode, a.Header)
		}
	}
	if limited != 10 {
		t.Errorf("%d of 70 codes were rejected locally", limited)
	}
	r.Advance(16 * time.Minute)
	for range 70 { // successful sign-ins are not counted
		if a := try(""); a.StatusCode != http.StatusSeeOther {
			t.Fatalf("%d %s", a.StatusCode, a.text)
		}
	}
}
