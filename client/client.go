package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Maximum sizes of response bodies, in bytes.
const (
	maxAnswer = 64 << 20
	maxError  = 1 << 20
)

// Client calls one server with one key. It is safe for concurrent use.
type Client struct {
	base      *url.URL
	key       string
	userAgent string
	http      *http.Client
	// for downloads: follows redirects and never sends the key
	plain *http.Client
	wait  func(ctx context.Context, d time.Duration) error // returns early with ctx's error when ctx ends
}

// Option configures a Client.
type Option func(*Client)

// WithHTTPClient uses h's transport, cookie jar and timeout instead of the defaults. It does not modify h.
func WithHTTPClient(h *http.Client) Option {
	return func(c *Client) {
		api, plain := *h, *h
		c.http, c.plain = &api, &plain
	}
}

// WithUserAgent sets the User-Agent header, which identifies the calling program to the server.
func WithUserAgent(name string) Option {
	return func(c *Client) { c.userAgent = name }
}

// New returns a client for the server at baseURL, such as https://lectern.example.com. The key may be empty for the
// few operations that do not require one.
func New(baseURL, key string, opts ...Option) (*Client, error) {
	u, err := url.Parse(baseURL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" ||
		u.Fragment != "" {
		return nil, errors.New("create client: the server's address must be an http or https URL without user, query or fragment")
	}
	transport := http.DefaultTransport
	if t, ok := transport.(*http.Transport); ok {
		t = t.Clone()
		t.ResponseHeaderTimeout = time.Minute // only for headers: bodies of streams and downloads may take longer
		transport = t
	}
	c := &Client{base: u, key: key, userAgent: "lectern-go-client", wait: sleep}
	WithHTTPClient(&http.Client{Transport: transport})(c)
	for _, o := range opts {
		o(c)
	}
	// The API does not redirect. Following a redirect could turn a POST into a GET and send the key elsewhere.
	c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c, nil
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// RequestOption modifies a single call.
type RequestOption func(http.Header)

// WithIdempotencyKey makes it safe to retry a call that starts work: within 24 hours, the same key and request return
// the first response again.
func WithIdempotencyKey(key string) RequestOption {
	return func(h http.Header) { h.Set("Idempotency-Key", key) }
}

// WithRequestID sets the id that identifies the request in the server's logs.
func WithRequestID(id string) RequestOption {
	return func(h http.Header) { h.Set("X-Request-Id", id) }
}

// call is one request to the API.
type call struct {
	method string
	path   []string // unescaped segments below the base URL
	query  url.Values
	body   any         // encoded as JSON; nil for no body
	header http.Header // may be nil
	opts   []RequestOption

	keyless bool // the operation needs no key, so none is sent
}

// send makes the call. A status of 300 or higher, except 304, is returned as an *Error. The caller closes the
// response body.
func (c *Client) send(ctx context.Context, in call) (*http.Response, error) {
	req, err := c.request(ctx, in)
	if err != nil {
		return nil, err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, fmt.Errorf("call %s %s: %w", in.method, req.URL.Path, err)
	}
	if resp.StatusCode >= 300 && resp.StatusCode != http.StatusNotModified {
		defer resp.Body.Close()
		return nil, readError(resp)
	}
	return resp, nil
}

func (c *Client) request(ctx context.Context, in call) (*http.Request, error) {
	escaped := make([]string, len(in.path))
	for i, segment := range in.path {
		if segment == "" || segment == "." || segment == ".." {
			return nil, fmt.Errorf("make request: %q cannot be an id", segment)
		}
		escaped[i] = url.PathEscape(segment)
	}
	u := *c.base
	u.RawPath = strings.TrimRight(c.base.EscapedPath(), "/") + "/" + strings.Join(escaped, "/")
	u.Path = strings.TrimRight(c.base.Path, "/") + "/" + strings.Join(in.path, "/")
	u.RawQuery = in.query.Encode()
	var body io.Reader
	if in.body != nil {
		data, err := json.Marshal(in.body)
		if err != nil {
			return nil, fmt.Errorf("encode request: %w", err)
		}
		body = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, in.method, u.String(), body)
	if err != nil {
		return nil, fmt.Errorf("make request: %w", err)
	}
	for name, values := range in.header {
		req.Header[name] = values
	}
	for _, o := range in.opts {
		o(req.Header)
	}
	if in.body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if req.Header.Get("Accept") == "" {
		req.Header.Set("Accept", "application/json")
	}
	req.Header.Set("User-Agent", c.userAgent)
	if c.key != "" && !in.keyless {
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
	return req, nil
}

// do makes the call and decodes the response into out, unless out is nil.
func (c *Client) do(ctx context.Context, in call, out any) error {
	resp, err := c.send(ctx, in)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return decode(resp, out)
}

func decode(resp *http.Response, out any) error {
	if out == nil {
		return nil
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(out); err != nil {
		return fmt.Errorf("decode answer: %w", err)
	}
	return nil
}
