package apiproxy

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/source/outbound"
)

// exchange is one forwarded request with its log record. The log contains no path, query, headers or visitor address,
// because these can contain secrets.
type exchange struct {
	proxy    *Proxy
	site     siteapi.Site
	started  time.Time
	origin   string
	method   string
	status   int         // the API's status; 0 = no response
	internal atomic.Bool // only the operator's list permits the address; set by the dialer
}

// run handles the request. The error is only for the log: when run returns, the response has been written to w.
func (e *exchange) run(w http.ResponseWriter, r *http.Request) (outcome string, err error) {
	if err := e.proxy.admit(w, r, e.site); err != nil {
		siteapi.RefuseFault(w, err)
		if fault.Is(err, fault.RateLimited) {
			return Limited, nil
		}
		return Refused, err
	}
	release, ok := e.proxy.slots.take(e.proxy.caller(r), siteKey(e.site))
	if !ok {
		w.Header().Set("Retry-After", "5")
		siteapi.Refuse(w, http.StatusServiceUnavailable, "busy",
			"Too many requests are in progress. Try again in a moment.")
		return Limited, nil
	}
	defer release()
	out, err := e.request(w, r)
	if err != nil {
		siteapi.RefuseFault(w, err)
		return Refused, err
	}
	ctx, cancel := context.WithTimeout(out.Context(), e.proxy.opt.Limits.Time)
	defer cancel()
	defer e.leaveLate(w)()
	outcome, err = e.exchange(w, r, out.WithContext(ctx))
	return outcome, reason(err)
}

// leaveLate aborts writing to a visitor who does not read the response and would otherwise occupy a slot forever. After
// the caller has called stop, w is no longer used.
func (e *exchange) leaveLate(w http.ResponseWriter) (stop func()) {
	var mu sync.Mutex
	ended := false
	limit := e.proxy.opt.Limits.Time
	late := time.AfterFunc(limit+limit/4, func() {
		mu.Lock()
		defer mu.Unlock()
		if !ended {
			// A deadline in the past; a writer without deadlines does not block.
			_ = http.NewResponseController(w).SetWriteDeadline(time.Unix(1, 0))
		}
	})
	return func() {
		late.Stop()
		mu.Lock()
		defer mu.Unlock()
		ended = true
	}
}

// exchange sends the request and returns the response. It does not use an http.Client, which would parse the target
// of a redirect even without following it, and fail if the target is invalid.
func (e *exchange) exchange(w http.ResponseWriter, r, out *http.Request) (string, error) {
	resp, err := e.proxy.send.RoundTrip(out)
	e.audit(r.Context())
	if err != nil {
		return e.failed(w, r, err)
	}
	defer func() { _ = resp.Body.Close() }() // already read to the end, or abandoned
	return e.answer(w, resp)
}

// request builds the request to the API.
func (e *exchange) request(w http.ResponseWriter, r *http.Request) (*http.Request, error) {
	u, o, err := target(r)
	if err != nil {
		return nil, err
	}
	e.origin = o.String()
	if e.method, err = method(r); err != nil {
		return nil, err
	}
	header, err := sent(r)
	if err != nil {
		return nil, err
	}
	if r.ContentLength > e.proxy.opt.Limits.Request {
		return nil, tooLarge()
	}
	if err := e.proxy.permitted(r.Context(), e.site, o); err != nil {
		return nil, err
	}
	trace := &httptrace.ClientTrace{GotConn: func(c httptrace.GotConnInfo) {
		if to, err := netip.ParseAddrPort(c.Conn.RemoteAddr().String()); err == nil {
			e.internal.Store(!outbound.Public(to.Addr()))
		}
	}}
	body := io.Reader(http.NoBody)
	if r.ContentLength != 0 {
		body = http.MaxBytesReader(w, r.Body, e.proxy.opt.Limits.Request)
	}
	out, err := http.NewRequestWithContext(httptrace.WithClientTrace(r.Context(), trace), e.method, u.String(), body)
	if err != nil {
		// The cause would quote the URL.
		return nil, fault.New(fault.Invalid, "bad_target", "The request cannot be sent.")
	}
	out.Header, out.ContentLength = header, r.ContentLength
	return out, nil
}

func tooLarge() error {
	return fault.New(fault.TooLarge, "request_too_large", "The request body is too large for the playground.")
}

// failed writes the response when the request to the API has failed. Visitors never see the address that a host name
// resolved to.
func (e *exchange) failed(w http.ResponseWriter, r *http.Request, err error) (string, error) {
	var large *http.MaxBytesError
	var certificate *tls.CertificateVerificationError
	var unknown *net.DNSError
	var timeout net.Error
	switch {
	case r.Context().Err() != nil: // the visitor disconnected
		return Unreachable, r.Context().Err()
	case errors.As(err, &large):
		siteapi.RefuseFault(w, tooLarge())
		return Refused, err
	case fault.HasCode(err, "address_not_allowed"):
		noAddress(w)
		return Refused, err
	case errors.As(err, &certificate):
		siteapi.Refuse(w, http.StatusBadGateway, "bad_certificate", "This server does not trust the API's certificate.")
		return Unreachable, err
	case errors.As(err, &timeout) && timeout.Timeout():
		siteapi.Refuse(w, http.StatusGatewayTimeout, "api_timeout", "The API did not respond in time.")
		return TimedOut, err
	case errors.As(err, &unknown):
		noAddress(w)
		return Unreachable, err
	}
	siteapi.Refuse(w, http.StatusBadGateway, "api_unreachable", "The API cannot be reached.")
	return Unreachable, err
}

// noAddress gives the same response for an unknown name and a forbidden address: a difference would reveal which
// names exist in the internal network.
func noAddress(w http.ResponseWriter) {
	siteapi.Refuse(w, http.StatusForbidden, "address_not_allowed",
		"This server may not call the address of the API's host. The operator can allow the origin (playground.origins).")
}

// answer streams the API's response to the visitor.
func (e *exchange) answer(w http.ResponseWriter, resp *http.Response) (string, error) {
	e.status = resp.StatusCode
	body, err := unpacked(resp)
	if err != nil {
		siteapi.Refuse(w, http.StatusBadGateway, "bad_encoding", "The API's response could not be decompressed.")
		return Unreachable, err
	}
	h := w.Header()
	list, cut := encodeHeaders(resp.Header)
	h.Set("Lectern-Status", strconv.Itoa(resp.StatusCode))
	h.Set("Lectern-Headers", list)
	if cut {
		h.Set("Lectern-Headers-Cut", "1")
	}
	h.Set("Lectern-Time", strconv.FormatInt(e.proxy.opt.Now().Sub(e.started).Milliseconds(), 10))
	h.Set("Lectern-Limit", strconv.FormatInt(e.proxy.opt.Limits.Answer, 10))
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Content-Disposition", "attachment")
	w.WriteHeader(http.StatusOK)
	return copyBody(w, body, e.proxy.opt.Limits.Answer)
}

var errGone = errors.New("the visitor did not read the response")

// copyBody sends each piece immediately, so that event streams work, and stops at the limit.
func copyBody(w http.ResponseWriter, body io.Reader, limit int64) (string, error) {
	control := http.NewResponseController(w)
	_ = control.Flush() // the page sees the status even if the body is truncated
	buf := make([]byte, 32<<10)
	for left := limit; left > 0; {
		n, err := body.Read(buf[:min(int64(len(buf)), left)])
		left -= int64(n)
		if n > 0 {
			if _, err := w.Write(buf[:n]); err != nil {
				return Cut, errGone // the cause contains the visitor's address
			}
			_ = control.Flush() // a writer that cannot flush sends later
		}
		if errors.Is(err, io.EOF) {
			return Answered, nil
		}
		if err != nil {
			return Cut, fmt.Errorf("read response: %w", err)
		}
	}
	return Cut, nil // the page can tell from the length
}

// audit records a call to an address that only the operator's list permits (F6), whatever its outcome. If recording
// fails, the call is still logged, and the next call is recorded instead.
func (e *exchange) audit(ctx context.Context) {
	if !e.internal.Load() || e.proxy.opt.Audit == nil {
		return
	}
	key := siteKey(e.site) + " " + e.origin
	noted := e.proxy.audited.Take(ctx, "playground "+key, http.Header{}) != nil // already recorded within this hour
	if _, owed := e.proxy.owed.LoadAndDelete(key); noted && !owed {
		return
	}
	if err := e.proxy.opt.Audit(context.WithoutCancel(ctx), e.site, e.origin); err != nil {
		e.proxy.owed.Store(key, true)
		e.proxy.opt.Logger.Error("failed to record playground call in audit log", "site", siteKey(e.site), "origin", e.origin, "error", err)
	}
}
