package idpfault

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

const (
	// MaxHops is the maximum number of redirects within a provider's origin.
	MaxHops = 3
	// maxCause is the maximum length of a provider's text in the log, in characters.
	maxCause = 400
)

// Silence means that a provider gave no usable response; retrying later may help.
type Silence struct{ Err error }

func (e *Silence) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *Silence) Unwrap() error { return e.Err }

// Mismatch means that a provider responds but does not match the settings; the operator must act.
type Mismatch struct{ Err error }

func (e *Mismatch) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *Mismatch) Unwrap() error { return e.Err }

// Is reports whether an error is, or wraps, an error of type E.
func Is[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

// Explain returns the fault for an error: a *Silence, a *Mismatch, or any other error, which means that the response
// could not be verified. The fault's code starts with the name of the protocol. cause is for the log, see Cause.
func Explain(protocol string, err, cause error) error {
	switch {
	case Is[*Silence](err):
		return fault.New(fault.Unavailable, protocol+"_unavailable", "The identity provider does not respond.").
			WithHint("Try again in a few minutes.").WithCause(cause)
	case Is[*Mismatch](err):
		return fault.New(fault.Unavailable, protocol+"_misconfigured",
			"The settings of this server and of the identity provider do not match.").
			WithHint("Contact the server's operator; the server's log has the details.").WithCause(cause)
	}
	return fault.New(fault.Unauthenticated, protocol+"_refused", "The identity provider's response could not be verified.").
		WithHint("Start again. If that does not help, contact the server's operator; the server's log has the reason.").
		WithCause(cause)
}

// Cause wraps err with text for the log: one line of limited length without secrets.
func Cause(err error, text string, secrets ...string) error {
	return &plain{Clean(text, secrets...), err}
}

type plain struct {
	text string
	err  error
}

func (p *plain) Error() string { return p.text }
func (p *plain) Unwrap() error { return p.err }

// Clean returns text as one line of limited length without secrets.
func Clean(text string, secrets ...string) string {
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

// StayHere follows a few redirects within one origin, because another origin must not be able to provide the keys. It
// follows no redirect of a request with a body, because the body contains the client secret.
func StayHere(r *http.Request, via []*http.Request) error {
	from := via[0]
	if from.Method != http.MethodGet || r.URL.Scheme != from.URL.Scheme || r.URL.Host != from.URL.Host {
		return &Mismatch{fmt.Errorf("%s redirects to another origin", from.URL.Host)}
	}
	if len(via) > MaxHops {
		return &Mismatch{fmt.Errorf("%s redirects more than %d times", from.URL.Host, MaxHops)}
	}
	return nil
}
