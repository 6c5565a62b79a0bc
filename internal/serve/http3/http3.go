package http3

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
)

// Options configures a Server.
type Options struct {
	Socket  net.PacketConn // UDP socket; closed by the server
	TLS     *tls.Config    // of the HTTPS server; not modified
	Handler http.Handler
	Port    int // port that clients use; differs from the socket's port behind a router that forwards ports

	ReadTimeout    time.Duration // for a request including its body
	IdleTimeout    time.Duration // after which a connection without requests is closed
	MaxHeaderBytes int
	Now            func() time.Time
	Logger         *slog.Logger
}

const (
	// maxStreams is the number of concurrent requests per connection, the same as net/http's limit for HTTP/2.
	maxStreams = 250
	// linger is how long clients have to receive the end of the last response when the server stops. Well-behaved
	// clients then close their connection.
	linger = 2 * time.Second
)

// Server serves HTTP/3.
type Server struct {
	opt    Options
	server *http3.Server
	active atomic.Int64 // requests in progress
	altSvc string
}

// New returns a server; call Serve and Shutdown.
func New(opt Options) *Server {
	s := &Server{opt: opt, altSvc: fmt.Sprintf(`h3=":%d"; ma=86400`, opt.Port)}
	s.server = &http3.Server{
		TLSConfig: http3.ConfigureTLSConfig(opt.TLS), Handler: http.HandlerFunc(s.handle),
		QUICConfig:  &quic.Config{MaxIncomingStreams: maxStreams, Allow0RTT: false},
		IdleTimeout: opt.IdleTimeout, MaxHeaderBytes: opt.MaxHeaderBytes, Logger: opt.Logger,
	}
	return s
}

// handle passes a request to the handler with a read deadline, which http.Server would otherwise set itself.
func (s *Server) handle(w http.ResponseWriter, r *http.Request) {
	s.active.Add(1)
	defer s.active.Add(-1)
	if err := http.NewResponseController(w).SetReadDeadline(s.opt.Now().Add(s.opt.ReadTimeout)); err != nil {
		s.opt.Logger.Debug("failed to set read deadline for HTTP/3 request", "error", err)
	}
	s.opt.Handler.ServeHTTP(w, r)
}

// Announce adds the header that tells clients of the HTTPS server, for a day, that HTTP/3 is available.
func (s *Server) Announce(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Alt-Svc", s.altSvc)
		next.ServeHTTP(w, r)
	})
}

// Serve handles requests until Shutdown is called; then it returns http.ErrServerClosed.
func (s *Server) Serve() error { return s.server.Serve(s.opt.Socket) }

// Shutdown stops accepting requests and waits until those in progress end or ctx ends. Then it closes all connections
// and the socket.
func (s *Server) Shutdown(ctx context.Context) error {
	waiting, done := context.WithCancel(ctx)
	go func() {
		defer done()
		s.awaitResponses(waiting)
	}()
	err := s.server.Shutdown(waiting)
	if errors.Is(err, context.Canceled) { // clients kept idle connections open
		err = nil
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = s.server.Close()
	}
	done()
	return errors.Join(err, s.opt.Socket.Close())
}

// awaitResponses returns shortly after the last response was passed to the library, or when ctx ends.
func (s *Server) awaitResponses(ctx context.Context) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for s.active.Load() > 0 {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
	select {
	case <-time.After(linger):
	case <-ctx.Done():
	}
}
