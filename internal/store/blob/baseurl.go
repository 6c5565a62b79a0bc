package blob

import "context"

// baseURLKey is the context key of WithBaseURL.
type baseURLKey struct{}

// WithBaseURL returns a context in which a driver that serves its links itself
// builds them on url ("https://docs.example.com") instead of its configured
// base. A handler uses it to answer with the address its caller used.
func WithBaseURL(ctx context.Context, url string) context.Context {
	return context.WithValue(ctx, baseURLKey{}, url)
}

// BaseURL returns the base set by WithBaseURL, or "" when none was set.
func BaseURL(ctx context.Context) string {
	url, _ := ctx.Value(baseURLKey{}).(string)
	return url
}
