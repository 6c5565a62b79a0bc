package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
)

// balancer sends each request to the next server in turn, like a load balancer without health checks. It tries another
// server only if a connection is refused or breaks before the response is complete.
type balancer struct {
	machines []*machine
	out      func() []*machine // the servers in service; nil = all of them
	strict   bool              // a broken connection is a failure and is not retried

	next   atomic.Int64
	failed errorList // responses that no server may send
	served atomic.Int64
	broken atomic.Int64 // broken connections
	busy   atomic.Int64 // 503 responses with Retry-After

	once      sync.Once
	transport *http.Transport
}

// Headers that tell readers which server responded and when it received the request.
const (
	servedBy = "X-Test-Served-By"
	askedAt  = "X-Test-Asked-At"
)

func (b *balancer) client() *http.Client { return &http.Client{Transport: b} }

// RoundTrip tries one server after the other until one responds.
func (b *balancer) RoundTrip(r *http.Request) (*http.Response, error) {
	b.once.Do(func() { b.transport = &http.Transport{MaxIdleConnsPerHost: 64, IdleConnTimeout: time.Minute} })
	if r.URL.Host != "cluster.internal" { // a link to the object store
		return b.transport.RoundTrip(r)
	}
	deadline := time.Now().Add(lectern.Patience)
	for {
		machines := b.machines
		if b.out != nil {
			machines = b.out()
		}
		m := machines[int(b.next.Add(1))%len(machines)]
		asked := time.Now()
		answer, err := b.sendTo(r, m)
		if err == nil {
			b.check(r, answer, m)
			answer.Header.Set(servedBy, m.name)
			answer.Header.Set(askedAt, asked.Format(time.RFC3339Nano))
			return answer, nil
		}
		if r.Context().Err() != nil || b.strict || !isConnectionError(err) || time.Now().After(deadline) {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
		b.broken.Add(1)
	}
}

// sendTo sends the request to one server. Unless the response is a stream, it reads the whole body, so that the request
// can be repeated if the connection breaks.
func (b *balancer) sendTo(r *http.Request, m *machine) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	to := r.Clone(ctx)
	to.URL.Host = m.address
	if to.Host == "" || to.Host == "cluster.internal" {
		to.Host = m.address
	}
	if r.GetBody != nil {
		body, err := r.GetBody()
		if err != nil {
			cancel()
			return nil, err
		}
		to.Body = body
	}
	answer, err := b.transport.RoundTrip(to)
	if err != nil {
		cancel()
		return nil, err
	}
	if strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream") {
		answer.Body = &stream{answer.Body, cancel, b, m}
		return answer, nil
	}
	defer cancel()
	raw, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close() // the body was read, or the connection is closed
	answer.Body = io.NopCloser(bytes.NewReader(raw))
	return answer, err
}

// stream is the body of an event stream. It records if the stream breaks off early where that must not happen.
type stream struct {
	io.ReadCloser
	cancel context.CancelFunc
	b      *balancer
	m      *machine
}

func (s *stream) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) && s.b.strict {
		s.b.failed.add(fmt.Errorf("a stream of %s broke off: %w", s.m.name, err))
	}
	return n, err
}

func (s *stream) Close() error { s.cancel(); return s.ReadCloser.Close() }

// isConnectionError reports whether a connection was refused or broke.
func isConnectionError(err error) bool {
	var network *net.OpError
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		strings.Contains(err.Error(), "server closed idle connection")
}

// check records a response that no server may send: any 5xx except a 503 with Retry-After.
func (b *balancer) check(r *http.Request, answer *http.Response, m *machine) {
	b.served.Add(1)
	switch {
	case answer.StatusCode == http.StatusServiceUnavailable && answer.Header.Get("Retry-After") != "":
		b.busy.Add(1)
	case answer.StatusCode >= 500:
		raw, _ := io.ReadAll(answer.Body)
		answer.Body = io.NopCloser(bytes.NewReader(raw))
		b.failed.add(fmt.Errorf("%s answered %s %s on %s with %d: %.200s", m.name, r.Method, r.URL.Path, r.Host,
			answer.StatusCode, raw))
	}
}

// errorList collects errors from many goroutines.
type errorList struct {
	mu   sync.Mutex
	errs []error // guarded by mu
}

func (l *errorList) add(err error) { l.mu.Lock(); defer l.mu.Unlock(); l.errs = append(l.errs, err) }

func (l *errorList) list() []error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]error{}, l.errs...)
}
