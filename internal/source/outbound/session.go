package outbound

import (
	"net"
	"sync"
)

// Session is one program's right to use the proxy.
type Session struct {
	proxy    *Proxy
	password string
	mu       sync.Mutex
	err      error             // why the latest failed dial failed
	tunnels  map[net.Conn]bool // far ends, closed with the session
	closed   bool
}

// Addr returns the proxy's host and port.
func (s *Session) Addr() string { return s.proxy.addr }

// Password opens the proxy for this session; hand it over by environment, never by argument.
func (s *Session) Password() string { return s.password }

// URL returns the proxy's address with the session's password inside, as curl and git take it.
func (s *Session) URL() string { return proxyURL(s.proxy.addr, s.password).String() }

// Err is why the session's latest failed connection failed: a fault when the guard refused it, nil if none failed.
func (s *Session) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Close ends the session's right to open connections, and its tunnels.
func (s *Session) Close() {
	s.proxy.mu.Lock()
	delete(s.proxy.sessions, s.password)
	s.proxy.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for c := range s.tunnels {
		_ = c.Close()
	}
}

// hold notes a tunnel's far end; it reports false when the session is closed already.
func (s *Session) hold(c net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.tunnels[c] = true
	}
	return !s.closed
}

func (s *Session) drop(c net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.tunnels, c)
}
