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

// Options of a server.
type Options struct {
	Socket  net.PacketConn // UDP; the server closes it
	TLS     *tls.Config    // of the HTTPS server; it is not changed
	Handler http.Handler
	Port    int // that clients use; another one than the socket's behind a router that forwards ports

	ReadTimeout    time.Duration // for a request with its body
	IdleTimeout    time.Duration // after which a connection without requests is closed
	MaxHeaderBytes int
	Now            func() time.Time
	Logger         *slog.Logger
}

const (
	// maxStreams is how many requests of one connection are open at once: as many as net/http allows for HTTP/2.
	maxStreams = 250
	// linger is how long clients have for the end of the last response when the server stops. Well-behaved ones close
	// their connection when they have it.
	linger = 2 * time.Second
)

// Server answers over HTTP/3.
type Server struct {
	opt    Options
	server *http3.Server
	active atomic.Int64 // requests that are being answered
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

// handle passes a request on. It may take only so long to arrive, which http.Server does by itself.
func (s *Server) handle(w http.ResponseWriter, r *http.Request) {
	s.active.Add(1)
	defer s.active.Add(-1)
	if err := http.NewResponseController(w).SetReadDeadline(s.opt.Now().Add(s.opt.ReadTimeout)); err != nil {
		s.opt.Logger.Debug("could not limit the time of a request over HTTP/3", "error", err)
	}
	s.opt.Handler.ServeHTTP(w, r)
}

// Announce tells clients of the HTTPS server that they can use this one, for a day.
func (s *Server) Announce(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Alt-Svc", s.altSvc)
		next.ServeHTTP(w, r)
	})
}

// Serve answers requests until the server is shut down; it then returns http.ErrServerClosed.
func (s *Server) Serve() error { return s.server.Serve(s.opt.Socket) }

// Shutdown refuses new requests and waits for those that are being answered, but no longer than until ctx ends. Then it
// closes all connections and the socket.
func (s *Server) Shutdown(ctx context.Context) error {
	waiting, done := context.WithCancel(ctx)
	go func() {
		defer done()
		s.awaitResponses(waiting)
	}()
	err := s.server.Shutdown(waiting)
	if errors.Is(err, context.Canceled) { // clients kept connections open that have nothing more to say
		err = nil
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = s.server.Close()
	}
	done()
	return errors.Join(err, s.opt.Socket.Close())
}

// awaitResponses returns some time after the last response was handed to the library, or when ctx ends.
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
