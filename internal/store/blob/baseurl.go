package blob

import "context"

// baseURLKey is the context key that WithBaseURL uses.
type baseURLKey struct{}

// WithBaseURL returns a context in which a driver that serves its own links uses url ("https://docs.example.com")
// instead of its configured base. A handler uses this to return links with the same address that its caller used.
func WithBaseURL(ctx context.Context, url string) context.Context {
	return context.WithValue(ctx, baseURLKey{}, url)
}

// BaseURL returns the base set by WithBaseURL, or "".
func BaseURL(ctx context.Context) string {
	url, _ := ctx.Value(baseURLKey{}).(string)
	return url
}
