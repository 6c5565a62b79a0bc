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

// Provider identifies people: an *oidc.Provider or a *SAML.
type Provider interface {
	Begin(ctx context.Context, redirectURL, state, nonce, verifier string) (authURL string, err error)
	Finish(ctx context.Context, redirectURL, code, nonce, verifier string) (oidc.Identity, error)
}

// IDP is an identity provider that people may sign in with.
type IDP struct {
	Provider       Provider
	Name           string                                    // on the button
	Roles          account.GroupRoles                        // without a default role, people whose groups have none stay out
	OrganizationID func(ctx context.Context) (string, error) // where the provider's people become members
}

// method is how sessions of the provider's people are opened, and the actor of changes that follow from its word.
func (o *IDP) method() string {
	if o.IsSAML() {
		return bySAML
	}
	return byOIDC
}

// IsSAML reports whether browsers return with a form of SAML.
func (o *IDP) IsSAML() bool {
	_, ok := o.Provider.(*SAML)
	return ok
}

// code makes the code of a refusal.
func (o *IDP) code(what string) string { return o.method() + "_" + what }

const (
	idpLife         = 10 * time.Minute
	secureIDPCookie = "__Host-lectern-oidc"
	plainIDPCookie  = "lectern_oidc"
)

// errand is what a browser keeps while it is at the provider. It is sealed.
type errand struct {
	State    string    `json:"state"`
	Nonce    string    `json:"nonce"`
	Verifier string    `json:"verifier"`
	Redirect string    `json:"redirect"`
	Next     string    `json:"next"`
	Until    time.Time `json:"until"`
}

// BeginIDP returns where to send the browser, and what it keeps meanwhile, for SetIDPCookie. redirect is the address
// that the provider sends it back to, next where the person wants to go.
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

// Return is what a browser brings back from the provider.
type Return struct {
	Kept               string // what it kept meanwhile
	State, Code, Error string // parameters of the address
}

// FinishIDP signs a person in whom the provider sent back. It does not ask for our second factor: the provider is
// trusted.
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

// linkOf returns the secret of the invitation link that the person was about to use; "" = none.
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

// SetIDPCookie hands a browser what it keeps while it is at the provider. It comes back with the browser, which
// another site leads here, so that it must be Lax.
func (d *Service) SetIDPCookie(w http.ResponseWriter, r *http.Request, kept string) {
	http.SetCookie(w, d.idpCookie(r, kept, int(idpLife.Seconds())))
}

// TakeIDPCookie returns it and takes it back: it is good for one return.
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
