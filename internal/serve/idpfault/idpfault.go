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
	// MaxHops bounds redirects within the origin of a provider.
	MaxHops = 3
	// maxCause bounds what the log gets of a provider's own words, in characters.
	maxCause = 400
)

// Silence is a provider that gave no usable answer: waiting may help.
type Silence struct{ Err error }

func (e *Silence) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *Silence) Unwrap() error { return e.Err }

// Mismatch is a provider that answers, but not as the settings say: the operator must act.
type Mismatch struct{ Err error }

func (e *Mismatch) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *Mismatch) Unwrap() error { return e.Err }

// Is reports whether an error is, or wraps, one of the type E.
func Is[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

// Explain makes the fault for an error: a *Silence, a *Mismatch, or else an answer that could not be verified. Its code
// begins with the name of the protocol. cause is for the log, see Cause.
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

// Cause returns err with a text that is fit for a log: bounded, one line, without secrets.
func Cause(err error, text string, secrets ...string) error {
	return &plain{Clean(text, secrets...), err}
}

type plain struct {
	text string
	err  error
}

func (p *plain) Error() string { return p.text }
func (p *plain) Unwrap() error { return p.err }

// Clean returns a text as one bounded line without secrets.
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

// StayHere follows a few redirects within one origin: who controls another one must not choose the keys. It follows none
// of a request with a body, which carries the client's secret.
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
