package entry

import (
	"net/http"
	"net/url"

	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/serve/signin"
)

const (
	oidcStart    = "/dashboard/oidc/start"
	oidcCallback = "/dashboard/oidc/callback"
	samlStart    = "/dashboard/saml/start"
	samlACS      = "/dashboard/saml/acs"
)

// idpPaths returns the path where signing in with the identity provider starts, and the path to which the browser
// returns.
func idpPaths(b *shell.Board) (start, back string) {
	if usesSAML(b) {
		return samlStart, samlACS
	}
	return oidcStart, oidcCallback
}

// startIDP redirects a browser to the identity provider. The provider sends it back to the server's public address,
// where its cookie must be set, so the sign-in starts there.
func startIDP(b *shell.Board, v *shell.Visit) error {
	next := afterwards(v.Query("next"))
	start, back := idpPaths(b)
	if base := b.Base(v.R); shell.HostOf(base) != shell.HostOf(b.Proxies.BaseURL(v.R)) {
		http.Redirect(v.W, v.R, base+start+"?next="+url.QueryEscape(next), http.StatusSeeOther)
		return nil
	}
	if err := b.SignIn.CheckTransport(v.R); err != nil {
		return err
	}
	address, kept, err := b.SignIn.BeginIDP(v.Ctx(), b.Base(v.R)+back, next)
	if err != nil {
		return err
	}
	b.SignIn.SetIDPCookie(v.W, v.R, kept)
	http.Redirect(v.W, v.R, address, http.StatusSeeOther)
	return nil
}

func finishOIDC(b *shell.Board, v *shell.Visit) error {
	back := signin.Return{Kept: b.SignIn.TakeIDPCookie(v.W, v.R), State: v.Query("state"), Code: v.Query("code"),
		Error: v.Query("error")}
	if usesSAML(b) { // its responses are posted forms
		back.Code, back.Error = "", ""
	}
	return finishIDP(b, v, back)
}

// finishIDP signs in a user who returned from the identity provider.
func finishIDP(b *shell.Board, v *shell.Visit, back signin.Return) error {
	in, err := b.SignIn.FinishIDP(v.Ctx(), back, browser(v))
	if err != nil {
		b.Log.WarnContext(v.Ctx(), "sign-in with the identity provider failed", "error", err)
		return again(v, err, func(pageErr *shell.PageError) error { return askPassword(v, pageErr, "", in.Next) })
	}
	return entered(v, in, in.Next)
}
