package saml

import (
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/idpfault"
)

// denial is a provider that refused the person.
type denial struct{ status string }

func (e *denial) Error() string { return "the provider's status is " + e.status }

// explain makes the fault for what went wrong. No error of this package has a part of the response, except the status
// and the issuer that it names.
func explain(err error) error {
	cause := idpfault.Cause(err, err.Error())
	if idpfault.Is[*denial](err) {
		return fault.New(fault.Unauthenticated, "saml_refused", "The identity provider denied the sign-in.").
			WithHint("Sign in there with an account that has access.").WithCause(cause)
	}
	return idpfault.Explain("saml", err, cause)
}
