package outbound

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// proxyUser is the user name of every session; the password alone identifies the session.
const proxyUser = "lectern"

// Proxy is a forward proxy on the loopback interface for programs that open their own connections, such as git and
// ssh. Each use opens a session with its own password, so that other local users cannot use the proxy.
type Proxy struct {
	guard    *Guard
	addr     string
	server   *http.Server
	forward  *httputil.ReverseProxy
	stop     func() bool
	mu       sync.Mutex
	sessions map[string]*Session // by password
}

// Proxy starts a proxy on a free port of 127.0.0.1. It runs until Close or until ctx ends.
func (g *Guard) Proxy(ctx context.Context) (*Proxy, error) {
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for proxy: %w", err)
	}
	quiet := log.New(io.Discard, "", 0) // failures are stored in the session, not logged
	p := &Proxy{guard: g, addr: listener.Addr().String(), sessions: map[string]*Session{}}
	p.forward = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.Out.Host = r.In.Host },
		Transport: &http.Transport{DialContext: p.dial, DisableCompression: true, DisableKeepAlives: true,
			MaxResponseHeaderBytes: 64 << 10},
		FlushInterval: -1,
		ErrorHandler:  func(w http.ResponseWriter, _ *http.Request, err error) { answer(w, err) },
		ErrorLog:      quiet,
	}
	p.server = &http.Server{Handler: p, ReadHeaderTimeout: dialTimeout, IdleTimeout: time.Minute,
		MaxHeaderBytes: 64 << 10, ErrorLog: quiet}
	p.stop = context.AfterFunc(ctx, func() { _ = p.server.Close() })
	go func() { _ = p.server.Serve(listener) }() // ends with Close; its error is irrelevant
	return p, nil
}

// Guard returns the guard that checks the proxy's connections.
func (p *Proxy) Guard() *Guard { return p.guard }

// Serve serves the proxy on another listener as well, for example one inside a sandbox, until the listener or the
// proxy is closed. It uses the same sessions.
func (p *Proxy) Serve(l net.Listener) error { return p.server.Serve(l) }

// Close stops the proxy. Open tunnels remain until their sessions are closed.
func (p *Proxy) Close() error {
	p.stop()
	return p.server.Close()
}

// Open starts a session. The caller closes it when the program has exited.
func (p *Proxy) Open() *Session {
	s := &Session{proxy: p, password: rand.Text(), tunnels: map[net.Conn]bool{}}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sessions[s.password] = s
	return s
}

func proxyURL(addr, password string) *url.URL {
	return &url.URL{Scheme: "http", User: url.UserPassword(proxyUser, password), Host: addr}
}

type sessionKey struct{}

// ServeHTTP tunnels CONNECT and forwards requests for http:// addresses.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s := p.session(r.Header.Get("Proxy-Authorization"))
	if s == nil {
		w.Header().Set("Proxy-Authenticate", `Basic realm="lectern"`)
		http.Error(w, "proxy password required", http.StatusProxyAuthRequired)
		return
	}
	r = r.WithContext(context.WithValue(r.Context(), sessionKey{}, s))
	switch {
	case r.Method == http.MethodConnect:
		p.tunnel(w, r, s)
	case r.URL.Scheme == "http" && r.URL.Host != "":
		p.forward.ServeHTTP(w, r)
	default:
		http.Error(w, "not a proxy request", http.StatusBadRequest)
	}
}

// session returns the session with the password. The map lookup reveals no useful timing: passwords have 128 random
// bits, and keys are only compared after a full hash match.
func (p *Proxy) session(header string) *Session {
	encoded, ok := strings.CutPrefix(header, "Basic ")
	if !ok {
		return nil
	}
	pair, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return nil
	}
	_, password, _ := strings.Cut(string(pair), ":")
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sessions[password]
}

// dial connects through the guard and records a failure in the session of ctx.
func (p *Proxy) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	conn, err := p.guard.DialContext(ctx, network, addr)
	if s, ok := ctx.Value(sessionKey{}).(*Session); ok && err != nil {
		s.mu.Lock()
		s.err = err
		s.mu.Unlock()
	}
	return conn, err
}

func (p *Proxy) tunnel(w http.ResponseWriter, r *http.Request, s *Session) {
	upstream, err := p.dial(r.Context(), "tcp", r.Host)
	if err != nil {
		answer(w, err)
		return
	}
	defer upstream.Close()
	if !s.hold(upstream) {
		return
	}
	defer s.drop(upstream)
	down, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		answer(w, err)
		return
	}
	defer down.Close()
	if _, err := io.WriteString(down, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	go func() {
		_, _ = io.Copy(upstream, buffered)
		closeWrite(upstream)
	}()
	_, _ = io.Copy(down, upstream)
	closeWrite(down)
}

// closeWrite closes the write side of a connection, if it supports that.
func closeWrite(c net.Conn) {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
	}
}

func answer(w http.ResponseWriter, err error) {
	var f *fault.Error
	if errors.As(err, &f) && f.Kind == fault.Forbidden {
		http.Error(w, f.Code, http.StatusForbidden)
		return
	}
	http.Error(w, "cannot connect", http.StatusBadGateway)
}
