package entry

import (
	"net/http"

	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/signin"
)

// samlPage is the data of a page that posts a provider's response again.
type samlPage struct{ Response, RelayState string }

// usesSAML reports whether users sign in with a SAML provider.
func usesSAML(b *shell.Board) bool {
	return b.SignIn != nil && b.SignIn.IDP != nil && b.SignIn.IDP.IsSAML()
}

// takeSAML receives the provider's response: first from the provider's page, without our SameSite=Lax cookie, then
// from our page, with the cookie.
func takeSAML(b *shell.Board, v *shell.Visit) error {
	if !usesSAML(b) {
		return fault.New(fault.NotFound, "no_provider", "This server has no SAML provider configured.")
	}
	if err := b.SignIn.CheckTransport(v.R); err != nil {
		return err
	}
	if v.Form.Get("again") == "" {
		return v.Show(http.StatusOK, "saml", shell.Frame{Title: "Sign in", Narrow: true},
			samlPage{v.Form.Get("SAMLResponse"), v.Form.Get("RelayState")})
	}
	if err := http.NewCrossOriginProtection().Check(v.R); err != nil {
		return fault.New(fault.Forbidden, "other_site", "The form was sent by another site.").
			WithHint("Open the dashboard and try again there.").WithCause(err)
	}
	return finishIDP(b, v, signin.Return{Kept: b.SignIn.TakeIDPCookie(v.W, v.R), State: v.Form.Get("RelayState"),
		Code: v.Form.Get("SAMLResponse")})
}

// showSAML serves this server's metadata for the provider.
func showSAML(b *shell.Board, v *shell.Visit) error {
	if !usesSAML(b) {
		return fault.New(fault.NotFound, "no_provider", "This server has no SAML provider configured.")
	}
	text, err := b.SignIn.SAMLMetadata(b.Base(v.R) + samlACS)
	if err != nil {
		return err
	}
	v.W.Header().Set("Content-Type", "application/samlmetadata+xml; charset=utf-8")
	_, _ = v.W.Write(text) // fails only if the client has disconnected
	return nil
}
