package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Options configures the server and its limits.
type Options struct {
	URL    string            // complete address, such as https://host/v1/messages
	Key    llm.Key           // removed from all errors
	Header func(http.Header) // adds headers to all requests; nil: none
	Retry  llm.Retry         // retries of failed requests
	Quiet  time.Duration     // longest silence of the server; default 5 min, because a local server may have to load its model first
	Bytes  int64             // limit of a response, decompressed; default 32 MiB
	HTTP   http.RoundTripper // nil: a separate transport
}

// Client sends requests to one server. It is safe for concurrent use.
type Client struct {
	opt  Options
	http *http.Client
}

// New returns a client. The address must use HTTP or HTTPS.
func New(opt Options) (*Client, error) {
	u, err := url.Parse(opt.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fault.New(fault.Invalid, "invalid_field", "The model's address is not an http or https address.").
			WithField("url")
	}
	if opt.Quiet <= 0 {
		opt.Quiet = 5 * time.Minute
	}
	if opt.Bytes <= 0 {
		opt.Bytes = 32 << 20
	}
	opt.Retry = opt.Retry.OrDefault()
	if opt.HTTP == nil {
		opt.HTTP = transport()
	}
	last := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Client{opt: opt, http: &http.Client{Transport: opt.HTTP, CheckRedirect: last}}, nil
}

// transport returns a transport without a time limit for a whole response: the client limits how long the server may be
// silent instead.
func transport() *http.Transport {
	const patience = 30 * time.Second
	return &http.Transport{
		DialContext:            (&net.Dialer{Timeout: patience, KeepAlive: patience}).DialContext,
		TLSHandshakeTimeout:    patience,
		MaxResponseHeaderBytes: 64 << 10,
		MaxIdleConnsPerHost:    8,
		IdleConnTimeout:        time.Minute,
		ForceAttemptHTTP2:      true,
	}
}

// Post sends body, which is JSON, and passes the response to read, with retries. After a retry, read starts again.
func (c *Client) Post(ctx context.Context, body []byte, read func(*Reply) error) error {
	return c.opt.Retry.Do(ctx, func(ctx context.Context) error { return c.clean(c.try(ctx, body, read)) })
}

func (c *Client) try(ctx context.Context, body []byte, read func(*Reply) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(c.opt.Quiet, func() { cancel(errQuiet) })
	defer watch.Stop()

	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.opt.URL, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("make request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "lectern")
	if c.opt.Header != nil {
		c.opt.Header(req.Header)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return &llm.Again{Err: fmt.Errorf("reach model: %w", because(ctx, err))}
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return refusal(resp, c.opt.Retry.Now)
	}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	b := &bounded{body: resp.Body, left: c.opt.Bytes, heard: func() { watch.Reset(c.opt.Quiet) }}
	err = read(newReply(kind, b))
	var f *fault.Error
	if err != nil && !errors.As(err, &f) {
		return &llm.Again{Err: fmt.Errorf("read answer: %w", because(ctx, err))}
	}
	return err
}

var errQuiet = errors.New("the server stopped sending")

// because replaces the connection error that results from the end of ctx with the cause of that end. It removes the
// address from other errors, because an address may contain a password.
func because(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// clean makes sure that an error does not contain the key.
func (c *Client) clean(err error) error {
	key := c.opt.Key.Reveal()
	if err == nil || key == "" || !strings.Contains(err.Error(), key) {
		return err
	}
	hide := func(s string) string { return strings.ReplaceAll(s, key, "[key]") }
	var again *llm.Again
	if errors.As(err, &again) {
		return &llm.Again{Err: errors.New(hide(again.Err.Error())), After: again.After}
	}
	f, ok := fault.As(err)
	if !ok {
		return errors.New(hide(err.Error()))
	}
	out := fault.New(f.Kind, f.Code, hide(f.Public)).WithHint(hide(f.Hint)).WithRetryAfter(f.RetryAfter)
	if cause := f.Unwrap(); cause != nil {
		out = out.WithCause(errors.New(hide(cause.Error())))
	}
	return out
}
