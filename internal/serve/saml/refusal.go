package saml

import (
	"errors"
	"strings"
	"unicode"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// maxCause bounds what the log gets of a provider's own words, in characters.
const maxCause = 400

// silence is a provider that gave no usable answer: waiting may help.
type silence struct{ err error }

func (e *silence) Error() string { return e.err.Error() }
func (e *silence) Unwrap() error { return e.err }

// mismatch is a provider whose metadata does not fit: the operator must act.
type mismatch struct{ err error }

func (e *mismatch) Error() string { return e.err.Error() }
func (e *mismatch) Unwrap() error { return e.err }

// denial is a provider that refused the person.
type denial struct{ status string }

func (e *denial) Error() string { return "the provider's status is " + e.status }

func is[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

// explain makes the fault for what went wrong. No error of this package has a part of the response, except the status
// and the issuer that it names.
func explain(err error) error {
	cause := &plain{cleaned(err.Error()), err}
	switch {
	case is[*silence](err):
		return fault.New(fault.Unavailable, "saml_unavailable", "The identity provider does not respond.").
			WithHint("Try again in a few minutes.").WithCause(cause)
	case is[*mismatch](err):
		return fault.New(fault.Unavailable, "saml_misconfigured",
			"The settings of this server and of the identity provider do not match.").
			WithHint("Contact the server's operator; the server's log has the details.").WithCause(cause)
	case is[*denial](err):
		return fault.New(fault.Unauthenticated, "saml_refused", "The identity provider denied the sign-in.").
			WithHint("Sign in there with an account that has access.").WithCause(cause)
	}
	return fault.New(fault.Unauthenticated, "saml_refused", "The identity provider's response could not be verified.").
		WithHint("Start again. If that does not help, contact the server's operator; the server's log has the reason.").
		WithCause(cause)
}

// plain is an error whose text is fit for a log: bounded and one line.
type plain struct {
	text string
	err  error
}

func (p *plain) Error() string { return p.text }
func (p *plain) Unwrap() error { return p.err }

func cleaned(text string) string {
	letters := []rune(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, text))
	if len(letters) > maxCause {
		letters = append(letters[:maxCause], '…')
	}
	return string(letters)
}
