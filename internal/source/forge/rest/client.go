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
	// maxAnswer bounds one answer: a hundred comments of the largest size that hosts take fit in.
	maxAnswer = 16 << 20
	// maxHops bounds redirects within one origin; hosts send them for renamed repositories.
	maxHops = 3
)

// Options set up a Client. Base and HTTP are required.
type Options struct {
	Name      string // what sentences call the host
	Base      string // address of the API, without a final slash
	HTTP      *http.Client
	Header    http.Header                                      // sent with every request; no secrets
	Authorize func(ctx context.Context, r *http.Request) error // sets the header Authorization; nil = anonymous
	// whether a 403 means "too many requests"; nil = it never does
	Limited func(h http.Header) (wait time.Duration, over bool)
	Now     func() time.Time
}

// Client calls one API. It is safe for concurrent use.
type Client struct {
	opt  Options
	http http.Client
}

// New makes a client. Of opt.HTTP it takes transport and time limit; redirects follow a rule of its own.
func New(opt Options) *Client {
	return &Client{opt: opt,
		http: http.Client{Transport: opt.HTTP.Transport, Timeout: opt.HTTP.Timeout, CheckRedirect: sameOrigin}}
}

// Call is one request.
type Call struct {
	Method string // "" = GET
	Path   string // below the base, escaped, with its slash; or a whole address of the same host
	Query  url.Values
	In     any    // sent as JSON; nil = no body
	Out    any    // decoded from JSON; nil = the answer's body does not matter
	Hide   string // a secret in the body, which no error may show; "" = there is none
}

// Do makes a call. The header is that of the answer, nil if there was none.
func (c *Client) Do(ctx context.Context, call Call) (http.Header, error) {
	req, err := c.request(ctx, call)
	if err != nil {
		return nil, err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, c.unreached(ctx, err)
	}
	defer func() { _ = resp.Body.Close() }() // read to its end or given up
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

// sameOrigin follows redirects that change neither origin nor method. Others are answers: a secret and a request's body
// stay with the host they are for (F3).
func sameOrigin(req *http.Request, via []*http.Request) error {
	first := via[0]
	if len(via) > maxHops || req.Method != first.Method || req.URL.Scheme != first.URL.Scheme ||
		req.URL.Host != first.URL.Host {
		return http.ErrUseLastResponse
	}
	return nil
}

// More reports whether an answer's Link header names a next page. Its address is not used: pages are requested by
// number.
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

// Numbered reads one page of a list whose pages have numbers, with size as the name of the query for their size, and
// returns the number of the next page; 0 after the last one. at is 0 for the first page.
func (c *Client) Numbered(ctx context.Context, path, size string, perPage, at int, out any) (next int, err error) {
	page := max(at, 1)
	header, err := c.Do(ctx, Call{Path: path, Out: out,
		Query: url.Values{size: {strconv.Itoa(perPage)}, "page": {strconv.Itoa(page)}}})
	if err != nil || !More(header) {
		return 0, err
	}
	return page + 1, nil
}
