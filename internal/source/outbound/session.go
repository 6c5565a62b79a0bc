package outbound

import (
	"net"
	"sync"
)

// Session permits one program to use the proxy.
type Session struct {
	proxy    *Proxy
	password string
	mu       sync.Mutex
	err      error             // error of the latest failed dial
	tunnels  map[net.Conn]bool // connections to destinations, closed with the session
	closed   bool
}

// Addr returns the proxy's host and port.
func (s *Session) Addr() string { return s.proxy.addr }

// Password is the session's password for the proxy; pass it in the environment, never as an argument.
func (s *Session) Password() string { return s.password }

// URL returns the proxy's address including the session's password, in the form that curl and git accept.
func (s *Session) URL() string { return proxyURL(s.proxy.addr, s.password).String() }

// Err returns the error of the session's latest failed connection: a fault if the guard refused it, nil if none
// failed.
func (s *Session) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Close ends the session and closes its tunnels.
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

// hold registers a tunnel's connection; it returns false if the session is already closed.
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
