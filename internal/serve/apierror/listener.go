package apierror

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

// Serve is server.Serve, and gives requests that the HTTP library refuses by itself (a malformed request line or
// header, a missing Host, headers that are too large) the one error shape and a request id. The library answers them
// before any handler is called, with a text of its own in a single write: each connection replaces exactly that write.
// From the moment a handler is called until its whole answer was written, everything is passed on as it is. The server
// must not be serving yet.
func (p Writer) Serve(server *http.Server, l net.Listener) error {
	handler, state, base := server.Handler, server.ConnState, server.ConnContext
	server.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		if base != nil {
			ctx = base(ctx, c)
		}
		return context.WithValue(ctx, connKey{}, c)
	}
	server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, ok := r.Context().Value(connKey{}).(*conn); ok {
			c.answering.Store(true)
		}
		handler.ServeHTTP(w, r)
	})
	server.ConnState = func(nc net.Conn, s http.ConnState) {
		// the answer was written; the library reads the next request after this
		if c, ok := nc.(*conn); ok && s == http.StateIdle {
			c.answering.Store(false)
		}
		if state != nil {
			state(nc, s)
		}
	}
	return server.Serve(&listener{l, p})
}

// connKey is where a request's context has its connection.
type connKey struct{}

type listener struct {
	net.Listener
	problems Writer
}

func (l *listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c, problems: l.problems}, nil
}

type conn struct {
	net.Conn
	problems  Writer
	answering atomic.Bool // a handler was called, and its answer is not written completely
}

// libraryHead follows the status line of the library's own refusals. Answers of handlers have at least a Date beside
// these.
const libraryHead = "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"

// libraryExpect starts the library's answer to an Expect header that it does not know; no handler of ours answers 417.
const libraryExpect = "HTTP/1.1 417 "

func (c *conn) Write(b []byte) (int, error) {
	if c.answering.Load() {
		return c.Conn.Write(b)
	}
	status, reason, ok := refusal(b)
	if !ok {
		return c.Conn.Write(b)
	}
	if _, err := c.Conn.Write(c.problems.refuse(c.Conn.RemoteAddr(), status, reason)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// refusal recognises an answer that the library made; reason may be "".
func refusal(b []byte) (status int, reason string, ok bool) {
	if bytes.HasPrefix(b, []byte(libraryExpect)) {
		return http.StatusExpectationFailed, "", true
	}
	line, _, found := bytes.Cut(b[:min(len(b), 4<<10)], []byte(libraryHead))
	rest, isStatus := bytes.CutPrefix(line, []byte("HTTP/1.1 "))
	if !found || !isStatus || bytes.ContainsAny(rest, "\r\n") || len(rest) < 3 {
		return 0, "", false
	}
	status, err := strconv.Atoi(string(rest[:3]))
	_, reason, _ = strings.Cut(string(rest), ": ")
	return status, reason, err == nil && status >= 400
}

// network returns the part of a caller's address that may be in a log (D7).
func network(from net.Addr) string {
	at, err := netip.ParseAddrPort(from.String())
	if err != nil { // not a TCP connection
		return ""
	}
	return audience.Network(at.Addr())
}

// refuse writes the answer, and the line in the log that its id leads to.
func (p Writer) refuse(from net.Addr, status int, reason string) []byte {
	body := Body{Error: "The request is not valid HTTP.", Code: "malformed_request", RequestID: p.IDs.New(id.Request)}
	switch status {
	case http.StatusRequestHeaderFieldsTooLarge:
		body.Error, body.Code, body.Hint = "The request's headers are too large.", "headers_too_large",
			"Send fewer or shorter headers."
	case http.StatusNotImplemented:
		body.Error, body.Code = "The transfer encoding of the request is not supported.", "unsupported_encoding"
	case http.StatusHTTPVersionNotSupported:
		body.Error, body.Code = "This version of HTTP is not supported.", "unsupported_version"
	case http.StatusExpectationFailed:
		body.Error, body.Code, body.Hint = "The request expects something that is not supported.",
			"unsupported_expectation", "Omit the Expect header."
	}
	if reason != "" {
		body.Hint = clip.Bytes("Problem: "+reason+".", maxSentence)
	}
	p.Log.Info("request refused", "requestId", body.RequestID, "status", status, "code", body.Code, "network",
		network(from), "reason", reason)
	text, err := json.Marshal(body)
	if err != nil { // a struct of texts
		panic(err)
	}
	return fmt.Appendf(nil,
		"HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nX-Content-Type-Options: "+
			"nosniff\r\nCache-Control: no-store\r\n%s: %s\r\nConnection: close\r\n\r\n%s",
		status, http.StatusText(status), len(text)+1, Header, body.RequestID, append(text, '\n'))
}

// ReadFrom keeps the way in which the system sends files without copying them.
func (c *conn) ReadFrom(r io.Reader) (int64, error) {
	if to, ok := c.Conn.(io.ReaderFrom); ok {
		return to.ReadFrom(r)
	}
	return io.Copy(struct{ io.Writer }{c.Conn}, r)
}

// CloseWrite is how the library ends an answer that its caller may still be reading.
func (c *conn) CloseWrite() error {
	if to, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return to.CloseWrite()
	}
	return nil
}
