package signin

import (
	"context"
	"crypto/subtle"
	"net/http"
	"net/url"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/oidc"
)

// Provider identifies people; *oidc.Provider and *SAML implement it.
type Provider interface {
	Begin(ctx context.Context, redirectURL, state, nonce, verifier string) (authURL string, err error)
	Finish(ctx context.Context, redirectURL, code, nonce, verifier string) (oidc.Identity, error)
}

// IDP configures the identity provider for signing in.
type IDP struct {
	Provider Provider
	Name     string // label of the button
	// without a default role, people whose groups grant no role are rejected
	Roles          account.GroupRoles
	OrganizationID func(ctx context.Context) (string, error) // the organization that people from the provider join
}

// method returns the sign-in method recorded in sessions. It is also the actor recorded for changes that the provider
// causes.
func (o *IDP) method() string {
	if o.IsSAML() {
		return bySAML
	}
	return byOIDC
}

// IsSAML reports whether the provider uses SAML, in which case browsers return with a form.
func (o *IDP) IsSAML() bool {
	_, ok := o.Provider.(*SAML)
	return ok
}

// code returns the error code for a rejection.
func (o *IDP) code(what string) string { return o.method() + "_" + what }

const (
	idpLife         = 10 * time.Minute
	secureIDPCookie = "__Host-lectern-oidc"
	plainIDPCookie  = "lectern_oidc"
)

// errand is the encrypted state that a browser keeps while it visits the provider.
type errand struct {
	State    string    `json:"state"`
	Nonce    string    `json:"nonce"`
	Verifier string    `json:"verifier"`
	Redirect string    `json:"redirect"`
	Next     string    `json:"next"`
	Until    time.Time `json:"until"`
}

// BeginIDP returns the URL to send the browser to, and the state to pass to SetIDPCookie. redirect is the URL to
// which the provider sends the browser back, and next is the page that the person wants.
func (d *Service) BeginIDP(ctx context.Context, redirect, next string) (address, kept string, err error) {
	if d.IDP == nil {
		return "", "", noProvider()
	}
	e := errand{State: account.NewToken(d.Rand), Nonce: account.NewToken(d.Rand),
		Verifier: account.NewToken(d.Rand) + account.NewToken(d.Rand),
		Redirect: redirect, Next: next, Until: d.Now().Add(idpLife)}
	address, err = d.IDP.Provider.Begin(ctx, redirect, e.State, e.Nonce, e.Verifier)
	if err != nil {
		return "", "", err
	}
	return address, d.seal(forIDP, "", e), nil
}

// Return contains the data with which a browser returns from the provider.
type Return struct {
	Kept               string // value of the cookie
	State, Code, Error string // parameters of the request
}

// FinishIDP signs in a person who returned from the provider. It does not require our second factor, because the
// provider is trusted.
func (d *Service) FinishIDP(ctx context.Context, r Return, b Browser) (Entered, error) {
	if d.IDP == nil {
		return Entered{}, noProvider()
	}
	var e errand
	_, ok := d.unseal(forIDP, "", r.Kept, &e)
	if !ok || !d.Now().Before(e.Until) || subtle.ConstantTimeCompare([]byte(e.State), []byte(r.State)) != 1 ||
		r.Code == "" && r.Error == "" {
		return Entered{}, fault.New(fault.Unauthenticated, d.IDP.code("start_over"),
			"This sign-in was not started in this browser, or took too long.").
			WithHint("Start again from here.")
	}
	if r.Error != "" {
		return Entered{Next: e.Next}, oidc.Denied(r.Error)
	}
	who, err := d.IDP.Provider.Finish(ctx, e.Redirect, r.Code, e.Nonce, e.Verifier)
	if err != nil {
		return Entered{Next: e.Next}, err
	}
	in, err := d.admit(ctx, who, linkOf(e.Next), b)
	in.Next = e.Next
	return in, err
}

// linkOf returns the secret of the invitation link in next; "" = none.
func linkOf(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.Path != account.JoinPath {
		return ""
	}
	return u.Query().Get("token")
}

func noProvider() error {
	return fault.New(fault.NotFound, "no_provider", "This server has no identity provider configured.").
		WithHint("Sign in with e-mail address and password.")
}

// SetIDPCookie stores the state in a cookie while the browser visits the provider. The cookie must be SameSite=Lax,
// because another site sends the browser back.
func (d *Service) SetIDPCookie(w http.ResponseWriter, r *http.Request, kept string) {
	http.SetCookie(w, d.idpCookie(r, kept, int(idpLife.Seconds())))
}

// TakeIDPCookie returns the state and deletes the cookie, which is valid for one return.
func (d *Service) TakeIDPCookie(w http.ResponseWriter, r *http.Request) string {
	c := d.idpCookie(r, "", -1)
	http.SetCookie(w, c)
	if kept, err := r.Cookie(c.Name); err == nil {
		return kept.Value
	}
	return ""
}

func (d *Service) idpCookie(r *http.Request, value string, maxAge int) *http.Cookie {
	name := plainIDPCookie
	if d.secure(r) {
		name = secureIDPCookie
	}
	return &http.Cookie{Name: name, Value: value, Path: "/", MaxAge: maxAge, HttpOnly: true, Secure: d.secure(r),
		SameSite: http.SameSiteLaxMode}
}
