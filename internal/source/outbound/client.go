package outbound

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Limits limits one request. A zero field takes its default.
type Limits struct {
	Bytes     int64         // largest body after decompression; default 32 MiB
	Time      time.Duration // from dialing to the body's last byte; default 30 s
	Redirects int           // redirects followed; default 5, negative for none: the 3xx response is returned
	Retries   int           // for Getter: retries after a temporary failure; default none
	Pause     time.Duration // for Getter: pause before the first retry, doubling for each later one; default 1 s
	// the operator's forward proxy, nil for none; the guard then only sees the proxy's address, so use this only
	// for addresses that the operator configured
	Proxy *url.URL
}

func (l Limits) orDefault() Limits {
	if l.Bytes <= 0 {
		l.Bytes = 32 << 20
	}
	if l.Time <= 0 {
		l.Time = 30 * time.Second
	}
	if l.Redirects == 0 {
		l.Redirects = 5
	}
	if l.Pause <= 0 {
		l.Pause = time.Second
	}
	return l
}

// Client returns an HTTP client whose connections all go through the guard and whose responses are limited. It uses no
// proxy from the environment and stores no cookies.
func (g *Guard) Client(limits Limits) *http.Client {
	limits = limits.orDefault()
	transport := &http.Transport{
		DialContext:            g.DialContext,
		TLSHandshakeTimeout:    dialTimeout,
		ResponseHeaderTimeout:  limits.Time,
		MaxResponseHeaderBytes: 64 << 10,
		MaxIdleConnsPerHost:    4,
		IdleConnTimeout:        30 * time.Second,
		ForceAttemptHTTP2:      true,
	}
	if limits.Proxy != nil {
		transport.Proxy = http.ProxyURL(limits.Proxy)
	}
	return &http.Client{
		Transport:     capped{next: transport, bytes: limits.Bytes},
		Timeout:       limits.Time,
		CheckRedirect: redirectRule(limits.Redirects),
	}
}

// redirectRule follows at most hops redirects, only to HTTP and HTTPS. After the first redirect to another origin,
// only headers without secrets are sent, even if a later redirect leads back.
func redirectRule(hops int) func(*http.Request, []*http.Request) error {
	return func(req *http.Request, via []*http.Request) error {
		if hops < 0 {
			return http.ErrUseLastResponse
		}
		if len(via) > hops {
			return fault.Newf(fault.Unavailable, "too_many_redirects", "The address redirected more than %d times.",
				hops)
		}
		if req.URL.Scheme != "http" && req.URL.Scheme != "https" {
			return fault.New(fault.Forbidden, "address_not_allowed",
				"The address redirected to something other than HTTP.")
		}
		for _, seen := range append(via[1:len(via):len(via)], req) {
			if origin(seen) != origin(via[0]) {
				keepHarmless(req.Header)
				break
			}
		}
		return nil
	}
}

func origin(r *http.Request) string {
	port := r.URL.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[r.URL.Scheme]
	}
	return r.URL.Scheme + "://" + fold(r.URL.Hostname()) + ":" + port
}

func keepHarmless(h http.Header) {
	for name := range h {
		switch {
		case strings.HasPrefix(name, "Accept"), strings.HasPrefix(name, "If-"):
		case name == "User-Agent", name == "Range", name == "Content-Type":
		default:
			h.Del(name)
		}
	}
}

// capped rejects bodies above its limit, by their announced length or while they are read.
type capped struct {
	next  http.RoundTripper
	bytes int64
}

func (c capped) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := c.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if resp.ContentLength > c.bytes && req.Method != http.MethodHead {
		return nil, errors.Join(tooLarge(c.bytes), resp.Body.Close())
	}
	resp.Body = &cappedBody{body: resp.Body, left: c.bytes, bytes: c.bytes}
	return resp, nil
}

type cappedBody struct {
	body  io.ReadCloser
	left  int64 // bytes that may still be read; -1 once the limit is exceeded
	bytes int64
}

func (b *cappedBody) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, tooLarge(b.bytes)
	}
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.body.Read(p)
	if int64(n) > b.left {
		n = int(b.left)
		b.left = -1
		return n, tooLarge(b.bytes)
	}
	b.left -= int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("read body: %w", err)
	}
	return n, err
}

func (b *cappedBody) Close() error { return b.body.Close() }

func tooLarge(limit int64) error {
	return fault.Newf(fault.TooLarge, "response_too_large", "The response is larger than the limit of %d bytes.", limit)
}
