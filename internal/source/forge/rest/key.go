package rest

import (
	"cmp"
	"context"
	"net/http"
)

// Key authenticates requests: a user with a password, or a token with or without a user name.
type Key struct{ User, Password string }

// String hides the key (K9).
func (Key) String() string { return "(hidden)" }

// GoString hides the key.
func (k Key) GoString() string { return k.String() }

// Token returns the secret part, because hosts accept a token as user name or password.
func (k Key) Token() string { return cmp.Or(k.Password, k.User) }

// Scheme returns a function that authenticates with the token after a keyword such as "Bearer", or nil if there is no
// token.
func (k Key) Scheme(word string) func(context.Context, *http.Request) error {
	if k.Token() == "" {
		return nil
	}
	return func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", word+" "+k.Token())
		return nil
	}
}

// Basic returns a function that authenticates with user name and password.
func (k Key) Basic() func(context.Context, *http.Request) error {
	return func(_ context.Context, r *http.Request) error {
		r.SetBasicAuth(k.User, k.Password)
		return nil
	}
}
