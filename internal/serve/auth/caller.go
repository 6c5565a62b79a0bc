package auth

import (
	"context"

	"github.com/lectern-docs/lectern/internal/store"
)

// Caller returns the current principal. It is called again while a stream is running, because the session may have
// ended.
type Caller func(ctx context.Context) (store.Principal, error)

type callerKey struct{}

// FromHere reports whether this process itself made the request and put its caller into the context.
func FromHere(ctx context.Context) bool {
	_, ok := ctx.Value(callerKey{}).(Caller)
	return ok
}

// WithCaller sets a caller that has no key. Only code in this process can do that: nothing that a client sends is
// stored as a context value.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}
