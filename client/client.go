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

// Limits on what is read of an answer, in bytes.
const (
	maxAnswer = 64 << 20
	maxError  = 1 << 20
)

// Client calls one server with one key. Safe for concurrent use.
type Client struct {
	base      *url.URL
	key       string
	userAgent string
	http      *http.Client
	// for downloads: follows redirects, never carries the key
	plain *http.Client
	wait  func(ctx context.Context, d time.Duration) error // returns early with ctx's error when it ends
}

// Option changes how a client works.
type Option func(*Client)

// WithHTTPClient uses h's transport, cookie jar and time limit instead of the default ones. h itself is not changed.
func WithHTTPClient(h *http.Client) Option {
	return func(c *Client) {
		api, plain := *h, *h
		c.http, c.plain = &api, &plain
	}
}

// WithUserAgent names the calling program to the server.
func WithUserAgent(name string) Option {
	return func(c *Client) { c.userAgent = name }
}

// New makes a client for the server at baseURL, such as https://lectern.example.com. The key may be empty for the few
// operations that need none.
func New(baseURL, key string, opts ...Option) (*Client, error) {
	u, err := url.Parse(baseURL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" ||
		u.Fragment != "" {
		return nil, errors.New("make client: the server's address must be an http or https URL without user, query or fragment")
	}
	transport := http.DefaultTransport
	if t, ok := transport.(*http.Transport); ok {
		t = t.Clone()
		t.ResponseHeaderTimeout = time.Minute // bodies may take longer: streams and downloads
		transport = t
	}
	c := &Client{base: u, key: key, userAgent: "lectern-go-client", wait: sleep}
	WithHTTPClient(&http.Client{Transport: transport})(c)
	for _, o := range opts {
		o(c)
	}
	// The API does not redirect. Following one could turn a POST into a GET and carry the key to another place.
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

// RequestOption changes one call.
type RequestOption func(http.Header)

// WithIdempotencyKey makes it safe to repeat a call that starts work: within 24 hours the same key and request get the
// first answer again.
func WithIdempotencyKey(key string) RequestOption {
	return func(h http.Header) { h.Set("Idempotency-Key", key) }
}

// WithRequestID names the request in the server's logs.
func WithRequestID(id string) RequestOption {
	return func(h http.Header) { h.Set("X-Request-Id", id) }
}

// call is one request to the API.
type call struct {
	method string
	path   []string // unescaped segments below the base URL
	query  url.Values
	body   any         // marshalled to JSON; nil for none
	header http.Header // may be nil
	opts   []RequestOption

	keyless bool // the operation needs no key, so it gets none
}

// send makes the call. A status of 300 and more is an *Error, except 304. The caller closes the answer's body.
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

// do makes the call and decodes its answer into out, unless out is nil.
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
