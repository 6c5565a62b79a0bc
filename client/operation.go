package client

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// Helpers for the methods in operations.gen.go.

// ask makes the call and returns its decoded response.
func ask[T any](ctx context.Context, c *Client, in call, opts []RequestOption) (*T, error) {
	in.opts = opts
	out := new(T)
	if err := c.do(ctx, in, out); err != nil {
		return nil, err
	}
	return out, nil
}

// askValue is like ask, for responses that are not structs.
func askValue[T any](ctx context.Context, c *Client, in call, opts []RequestOption) (none T, err error) {
	out, err := ask[T](ctx, c, in, opts)
	if err != nil {
		return none, err
	}
	return *out, nil
}

// tell makes a call that has no response body.
func tell(ctx context.Context, c *Client, in call, opts []RequestOption) error {
	in.opts = opts
	return c.do(ctx, in, nil)
}

// save writes the response, a file of one of the accepted media types, to w.
func save(ctx context.Context, c *Client, in call, accept string, w io.Writer, opts []RequestOption) error {
	in.opts, in.header = opts, http.Header{"Accept": {accept}}
	resp, err := c.send(ctx, in)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(w, resp.Body)
	return err
}

// setQuery adds a parameter to a query unless it is the zero value, which means that the caller did not set it.
func setQuery[T comparable](q url.Values, name string, value T) {
	var zero T
	if value == zero {
		return
	}
	if at, ok := any(value).(time.Time); ok {
		q.Set(name, at.UTC().Format(time.RFC3339))
		return
	}
	q.Set(name, fmt.Sprint(value))
}
