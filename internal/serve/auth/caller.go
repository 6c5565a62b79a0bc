package auth

import (
	"context"

	"github.com/lectern-docs/lectern/internal/store"
)

// Caller identifies the caller on every call: a session may end while a stream runs.
type Caller func(ctx context.Context) (store.Principal, error)

type callerKey struct{}

// FromHere reports whether a request comes from this process itself, with its caller in the context.
func FromHere(ctx context.Context) bool {
	_, ok := ctx.Value(callerKey{}).(Caller)
	return ok
}

// WithCaller says who calls by other means than a key. Only code of this process can do that: nothing of a request
// becomes a context's value by itself.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}
