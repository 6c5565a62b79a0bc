package oidc

import (
	"errors"
	"fmt"

	"golang.org/x/oauth2"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/idpfault"
)

// Denied returns the fault for a browser that returned with an error instead of a code; reason is the query parameter
// "error".
func Denied(reason string) error {
	return fault.New(fault.Unauthenticated, "oidc_refused", "The identity provider denied the sign-in.").
		WithHint("Sign in there with an account that has access to this server.").
		WithCause(errors.New(idpfault.Clean("provider says " + reason)))
}

// explain returns the fault for an error. It removes secrets from the cause, in case the provider repeats them.
func explain(err error, secrets ...string) error {
	var token *oauth2.RetrieveError
	if !errors.As(err, &token) {
		return idpfault.Explain("oidc", err, idpfault.Cause(err, err.Error(), secrets...))
	}
	// The library's own text contains the whole response.
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
