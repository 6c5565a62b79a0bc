package oidc

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/oauth2"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// maxCause bounds what the log gets of a provider's own words, in characters.
const maxCause = 400

// silence is a provider that gave no usable answer: waiting may help.
type silence struct{ err error }

func (e *silence) Error() string { return e.err.Error() }
func (e *silence) Unwrap() error { return e.err }

// mismatch is a provider that answers, but not as the settings say: the operator must act.
type mismatch struct{ err error }

func (e *mismatch) Error() string { return e.err.Error() }
func (e *mismatch) Unwrap() error { return e.err }

func is[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

// Denied is the fault for a browser that came back with an error instead of a code; reason is the parameter "error" of
// its address.
func Denied(reason string) error {
	return fault.New(fault.Unauthenticated, "oidc_refused", "The identity provider denied the sign-in.").
		WithHint("Sign in there with an account that has access to this server.").
		WithCause(errors.New(cleaned("provider says "+reason, nil)))
}

// explain makes the fault for what went wrong. secrets are taken out of the cause, whatever the provider repeats.
func explain(err error, secrets ...string) error {
	text := err.Error()
	var token *oauth2.RetrieveError
	if errors.As(err, &token) { // its own text has the whole answer
		text = fmt.Sprintf("exchange code: the response status is %d %q %q", token.Response.StatusCode, token.ErrorCode,
			token.ErrorDescription)
	}
	cause := &plain{cleaned(text, secrets), err}
	switch {
	case is[*silence](err):
		return fault.New(fault.Unavailable, "oidc_unavailable", "The identity provider does not respond.").
			WithHint("Try again in a few minutes.").WithCause(cause)
	case is[*mismatch](err), errors.As(err, &token) && token.ErrorCode == "invalid_client":
		return fault.New(fault.Unavailable, "oidc_misconfigured",
			"The settings of this server and of the identity provider do not match.").
			WithHint("Contact the server's operator; the server's log has the details.").WithCause(cause)
	case errors.As(err, &token):
		return fault.New(fault.Unauthenticated, "oidc_refused", "The identity provider did not confirm this sign-in.").
			WithHint("Start again; a sign-in attempt works once and only for a few minutes.").WithCause(cause)
	}
	return fault.New(fault.Unauthenticated, "oidc_refused", "The identity provider's response could not be verified.").
		WithHint("Start again. If that does not help, contact the server's operator; the server's log has the reason.").
		WithCause(cause)
}

// plain is an error whose text is fit for a log: bounded, one line, without secrets.
type plain struct {
	text string
	err  error
}

func (p *plain) Error() string { return p.text }
func (p *plain) Unwrap() error { return p.err }

func cleaned(text string, secrets []string) string {
	for _, s := range secrets {
		if s != "" {
			text = strings.ReplaceAll(text, s, "…")
		}
	}
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
