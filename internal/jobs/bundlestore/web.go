package bundlestore

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/outbound"
)

// FromWeb is a bundle behind a URL, such as a presigned link. The URL is a secret: anyone who has it can read the
// bundle.
type FromWeb struct {
	address *url.URL
	client  *http.Client
	stall   time.Duration // maximum time without receiving data
}

const (
	webTime      = 2 * time.Hour // for a whole download
	webRedirects = 5
	webStall     = time.Minute
)

// NewFromWeb returns a source for a URL. The operator sets the URL, so it may point anywhere, including private
// networks. proxy is a forward proxy, or nil for none; the environment is not consulted.
func NewFromWeb(address string, maxBytes int64, proxy *url.URL) (*FromWeb, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" { // the cause would quote the address
		return nil, fault.New(fault.Invalid, "bad_source",
			"The source must be a file, an http or https address, or s3://BUCKET/KEY.").WithField("source")
	}
	trusted := []string{"0.0.0.0/0", "::/0", u.Hostname()}
	if proxy != nil {
		trusted = append(trusted, proxy.Hostname())
	}
	guard, err := outbound.NewGuard(trusted)
	if err != nil {
		return nil, fault.New(fault.Invalid, "bad_source", "The source's host cannot be used.").WithField("source").
			WithCause(err)
	}
	if maxBytes <= 0 {
		maxBytes = DefaultMaxBytes
	}
	return &FromWeb{u, guard.Client(outbound.Limits{Bytes: maxBytes, Time: webTime, Redirects: webRedirects,
		Proxy: proxy}), webStall}, nil
}

// Name returns the URL without its query and without credentials.
func (s *FromWeb) Name() string {
	bare := url.URL{Scheme: s.address.Scheme, Host: s.address.Host, Path: s.address.Path}
	return bare.String()
}

// Identity returns the URL without credentials but with its query and its fragment. The query differs between two links
// to the same archive. The fragment is never sent to the host, so an operator can change it to make a link count as
// new.
func (s *FromWeb) Identity() string {
	return s.Name() + "?" + s.address.RawQuery + "#" + s.address.Fragment
}

// Fetch starts the download, unless the host reports that nothing has changed.
func (s *FromWeb) Fetch(ctx context.Context, known Tag) (io.ReadCloser, Tag, error) {
	ctx, cancel := context.WithCancel(ctx)
	watch := time.AfterFunc(s.stall, cancel)
	body, tag, err := s.get(ctx, known)
	if err != nil {
		watch.Stop()
		cancel()
		return nil, tag, err
	}
	return &watched{body, watch, s.stall, cancel}, tag, nil
}

func (s *FromWeb) get(ctx context.Context, known Tag) (io.ReadCloser, Tag, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.address.String(), nil)
	if err != nil {
		return nil, "", fault.New(fault.Invalid, "bad_source", "The source's address cannot be used.").
			WithField("source")
	}
	req.Header.Set("Accept-Encoding", "identity") // prevents transport compression of the archive
	if known != "" {
		req.Header.Set("If-None-Match", string(known))
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return nil, "", s.unreachable(err)
	}
	if resp.StatusCode == http.StatusOK {
		return resp.Body, Tag(resp.Header.Get("ETag")), nil
	}
	if resp.StatusCode == http.StatusNotModified && known != "" {
		return nil, known, errors.Join(ErrUnchanged, resp.Body.Close())
	}
	return nil, "", errors.Join(s.answered(resp.StatusCode), resp.Body.Close())
}

// unreachable removes the address and its query, which HTTP client errors quote.
func (s *FromWeb) unreachable(err error) error {
	var outer *url.Error
	for errors.As(err, &outer) {
		err = outer.Err
	}
	if f, ok := fault.As(err); ok {
		return f
	}
	return fault.Newf(fault.Unavailable, "source_unavailable", "The host %s cannot be reached.", s.address.Host).
		WithField("source").WithCause(err)
}

func (s *FromWeb) answered(status int) error {
	switch {
	case status == http.StatusForbidden || status == http.StatusUnauthorized || status == http.StatusNotFound ||
		status == http.StatusGone || status == http.StatusBadRequest:
		return fault.Newf(fault.Gone, "link_expired", "The host %s denied access to the bundle (status %d).",
			s.address.Host, status).WithField("source").
			WithHint("The link may have expired. Generate the bundle again and use the new link.")
	case status == http.StatusTooManyRequests || status >= http.StatusInternalServerError:
		return fault.Newf(fault.Unavailable, "source_unavailable", "The host %s returned status %d.", s.address.Host,
			status).WithField("source")
	}
	return fault.Newf(fault.Invalid, "bad_source", "The host %s returned status %d instead of a bundle.",
		s.address.Host, status).WithField("source")
}

// watched is a response body that fails if no more data arrives.
type watched struct {
	io.ReadCloser
	watch  *time.Timer
	stall  time.Duration
	cancel context.CancelFunc
}

// Read implements io.Reader.
func (w *watched) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	w.watch.Reset(w.stall)
	return n, err
}

// Close implements io.Closer.
func (w *watched) Close() error {
	w.watch.Stop()
	w.cancel()
	return w.ReadCloser.Close()
}
