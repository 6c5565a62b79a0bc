package auth

import (
	"context"

	"github.com/lectern-docs/lectern/internal/store"
)

// Caller returns the current principal on each call: a session may end while a stream is running.
type Caller func(ctx context.Context) (store.Principal, error)

type callerKey struct{}

// FromHere reports whether this process itself made the request and put its caller into the context.
func FromHere(ctx context.Context) bool {
	_, ok := ctx.Value(callerKey{}).(Caller)
	return ok
}

// WithCaller sets a caller that has no key. Only code in this process can do that, because nothing in a request
// becomes a context value by itself.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}
