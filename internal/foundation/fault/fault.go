package fault

import (
	"errors"
	"fmt"
	"syscall"
	"time"
)

// Kind selects one of the documented responses. The API and the command line map kinds to responses; they do not
// interpret codes.
type Kind int

// The kinds, in the order of the documentation's table of common responses.
const (
	Internal Kind = iota
	Unauthenticated
	Forbidden
	NotFound
	Invalid
	TooLarge
	Conflict
	RateLimited
	NotAllowed
	Unsupported
	Unavailable
	Gone
)

// ErrUnavailable is in the chain of errors caused by a dependency of the server (database or object storage) that
// did not respond. The same request or task may succeed later.
var ErrUnavailable = errors.New("a dependency of this server is unavailable")

// IsOutage reports whether err was caused by a dependency of the server that was unreachable, full or read-only:
// database, object storage, disk, file descriptors. A task that fails with such an error did not cause it and may
// succeed later.
func IsOutage(err error) bool {
	for _, cause := range []error{ErrUnavailable, syscall.ENOSPC, syscall.EDQUOT, syscall.EMFILE, syscall.ENFILE,
		syscall.EROFS} {
		if errors.Is(err, cause) {
			return true
		}
	}
	return false
}

// OutageSentence returns a public sentence that says which dependency of the server is unavailable, without
// internal details.
func OutageSentence(err error) string {
	if f, ok := As(err); ok && f.Kind != Internal {
		return f.Sentence()
	}
	return "A dependency of this server is unavailable or full."
}

// Error is a fault. Its fields are set once, where the error is created, and never change.
type Error struct {
	Kind       Kind
	Code       string        // stable word for programs, e.g. unknown_domain
	Public     string        // sentence for people
	Hint       string        // what to do about it, or ""
	Field      string        // request field at fault, or ""
	RetryAfter time.Duration // 0 if waiting does not help
	cause      error         // for operators only; nil if there is no further cause
}

// New returns a fault without a cause.
func New(kind Kind, code, public string) *Error {
	return &Error{Kind: kind, Code: code, Public: public}
}

// Newf is like New with a formatted message.
func Newf(kind Kind, code, format string, args ...any) *Error {
	return New(kind, code, fmt.Sprintf(format, args...))
}

// WithHint returns a copy with a hint for the caller.
func (e *Error) WithHint(hint string) *Error { c := *e; c.Hint = hint; return &c }

// WithField returns a copy that names the invalid field of the request.
func (e *Error) WithField(field string) *Error { c := *e; c.Field = field; return &c }

// WithCause returns a copy with a cause, which is logged for operators.
func (e *Error) WithCause(err error) *Error { c := *e; c.cause = err; return &c }

// WithRetryAfter returns a copy with the time after which the caller should retry.
func (e *Error) WithRetryAfter(d time.Duration) *Error { c := *e; c.RetryAfter = d; return &c }

// Error returns the text for operators: the public sentence and its cause.
func (e *Error) Error() string {
	if e.cause == nil {
		return e.Public
	}
	return e.Public + ": " + e.cause.Error()
}

// Sentence returns the public sentence and the hint as one text.
func (e *Error) Sentence() string {
	if e.Hint == "" {
		return e.Public
	}
	return e.Public + " " + e.Hint
}

// Unwrap returns the cause, for errors.Is and errors.As.
func (e *Error) Unwrap() error { return e.cause }

// As returns the outermost fault in err's chain.
func As(err error) (*Error, bool) {
	var e *Error
	ok := errors.As(err, &e)
	return e, ok
}

// Is reports whether err is or wraps a fault of the given kind.
func Is(err error, kind Kind) bool {
	e, ok := As(err)
	return ok && e.Kind == kind
}

// HasCode reports whether err is or wraps a fault with the given code.
func HasCode(err error, code string) bool {
	e, ok := As(err)
	return ok && e.Code == code
}

// Public returns the public sentence of a fault, or a generic sentence if err is not a fault.
func Public(err error) string {
	if e, ok := As(err); ok && e.Kind != Internal {
		return e.Public
	}
	return "An internal error occurred."
}
