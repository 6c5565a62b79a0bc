package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	// maxAnswer limits a response. It is enough for a hundred comments of the maximum size.
	maxAnswer = 16 << 20
	// maxHops limits redirects within one origin, which hosts send for renamed repositories.
	maxHops = 3
)

// Options configures a Client. Base and HTTP are required.
type Options struct {
	Name      string // the host's name in messages
	Base      string // address of the API, without a trailing slash
	HTTP      *http.Client
	Header    http.Header                                      // sent with every request; no secrets
	Authorize func(ctx context.Context, r *http.Request) error // sets the Authorization header; nil = anonymous
	// reports whether a 403 means "too many requests"; nil = never
	Limited func(h http.Header) (wait time.Duration, over bool)
	Now     func() time.Time
}

// Client calls one API. It is safe for concurrent use.
type Client struct {
	opt  Options
	http http.Client
}

// New returns a client. It uses opt.HTTP's transport and time limit, but its own redirect rule.
func New(opt Options) *Client {
	return &Client{opt: opt,
		http: http.Client{Transport: opt.HTTP.Transport, Timeout: opt.HTTP.Timeout, CheckRedirect: sameOrigin}}
}

// Call is one request.
type Call struct {
	Method string // "" = GET
	Path   string // below the base, escaped, with a leading slash; or a complete URL of the same host
	Query  url.Values
	In     any    // sent as JSON; nil = no body
	Out    any    // decoded from JSON; nil = ignore the response's body
	Hide   string // a secret in the body, which must not occur in errors; "" = none
}

// Do makes a call. It returns the response's headers, or nil if there was no response.
func (c *Client) Do(ctx context.Context, call Call) (http.Header, error) {
	req, err := c.request(ctx, call)
	if err != nil {
		return nil, err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, c.unreached(ctx, err)
	}
	defer func() { _ = resp.Body.Close() }() // already read, or not needed any more
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case err != nil && resp.StatusCode < 300:
		return resp.Header, c.unreached(ctx, err)
	case resp.StatusCode >= 300:
		return resp.Header, c.refused(resp, body, append(secrets(req), call.Hide))
	case len(body) > maxAnswer:
		return resp.Header, c.unreadable(errors.New("response exceeds the size limit"))
	case call.Out == nil:
		return resp.Header, nil
	}
	if err := json.Unmarshal(body, call.Out); err != nil {
		return resp.Header, c.unreadable(err)
	}
	return resp.Header, nil
}

func (c *Client) request(ctx context.Context, call Call) (*http.Request, error) {
	address := call.Path
	if strings.HasPrefix(address, "/") {
		address = c.opt.Base + address
	}
	if len(call.Query) > 0 {
		address += "?" + call.Query.Encode()
	}
	var body io.Reader
	if call.In != nil {
		data, err := json.Marshal(call.In)
		if err != nil {
			return nil, fmt.Errorf("write request: %w", err)
		}
		body = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, call.Method, address, body)
	if err != nil {
		return nil, fmt.Errorf("make request: %w", err)
	}
	for name, values := range c.opt.Header {
		req.Header[name] = values
	}
	req.Header.Set("User-Agent", "Lectern")
	if call.In != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.opt.Authorize != nil {
		if err := c.opt.Authorize(ctx, req); err != nil {
			return nil, err
		}
	}
	return req, nil
}

// sameOrigin follows redirects that change neither origin nor method. Others are returned as responses, because secrets
// and request bodies must be sent only to their own host (F3).
func sameOrigin(req *http.Request, via []*http.Request) error {
	first := via[0]
	if len(via) > maxHops || req.Method != first.Method || req.URL.Scheme != first.URL.Scheme ||
		req.URL.Host != first.URL.Host {
		return http.ErrUseLastResponse
	}
	return nil
}

// More reports whether a response's Link header announces a next page. Its address is not used: pages are requested
// by number.
func More(h http.Header) bool {
	for _, line := range h.Values("Link") {
		for link := range strings.SplitSeq(line, ",") {
			if strings.Contains(link, `rel="next"`) {
				return true
			}
		}
	}
	return false
}

// Numbered reads one page of a list with numbered pages and returns the number of the next page; 0 after the last
// one. size is the name of the query parameter for the page size. at is 0 for the first page.
func (c *Client) Numbered(ctx context.Context, path, size string, perPage, at int, out any) (next int, err error) {
	page := max(at, 1)
	header, err := c.Do(ctx, Call{Path: path, Out: out,
		Query: url.Values{size: {strconv.Itoa(perPage)}, "page": {strconv.Itoa(page)}}})
	if err != nil || !More(header) {
		return 0, err
	}
	return page + 1, nil
}
