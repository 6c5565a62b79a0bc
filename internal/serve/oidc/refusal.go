package oidc

import (
	"errors"
	"fmt"

	"golang.org/x/oauth2"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/idpfault"
)

// Denied is the fault for a browser that came back with an error instead of a code; reason is the parameter "error" of
// its address.
func Denied(reason string) error {
	return fault.New(fault.Unauthenticated, "oidc_refused", "The identity provider denied the sign-in.").
		WithHint("Sign in there with an account that has access to this server.").
		WithCause(errors.New(idpfault.Clean("provider says " + reason)))
}

// explain makes the fault for what went wrong. secrets are taken out of the cause, whatever the provider repeats.
func explain(err error, secrets ...string) error {
	var token *oauth2.RetrieveError
	if !errors.As(err, &token) {
		return idpfault.Explain("oidc", err, idpfault.Cause(err, err.Error(), secrets...))
	}
	// the library's own text has the whole answer
	cause := idpfault.Cause(err, fmt.Sprintf("exchange code: the response status is %d %q %q", token.Response.StatusCode,
		token.ErrorCode, token.ErrorDescription), secrets...)
	switch {
	case token.ErrorCode == "invalid_client":
		err = &idpfault.Mismatch{Err: err}
	case !idpfault.Is[*idpfault.Silence](err) && !idpfault.Is[*idpfault.Mismatch](err):
		return fault.New(fault.Unauthenticated, "oidc_refused", "The identity provider did not confirm this sign-in.").
			WithHint("Start again; a sign-in attempt works once and only for a few minutes.").WithCause(cause)
	}
	return idpfault.Explain("oidc", err, cause)
}
