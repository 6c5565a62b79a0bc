package saml

import (
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/idpfault"
)

// denial means that the provider rejected the person.
type denial struct{ status string }

func (e *denial) Error() string { return "the provider's status is " + e.status }

// explain returns the fault for an error. This package's errors contain nothing from the response except its status
// and issuer.
func explain(err error) error {
	cause := idpfault.Cause(err, err.Error())
	if idpfault.Is[*denial](err) {
		return fault.New(fault.Unauthenticated, "saml_refused", "The identity provider denied the sign-in.").
			WithHint("Sign in there with an account that has access.").WithCause(cause)
	}
	return idpfault.Explain("saml", err, cause)
}
