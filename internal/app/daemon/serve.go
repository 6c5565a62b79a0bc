package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/assistant"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/hostname"
	"github.com/lectern-docs/lectern/internal/serve/assistanthttp"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/serve/blockreport"
	"github.com/lectern-docs/lectern/internal/serve/eventcount"
	"github.com/lectern-docs/lectern/internal/serve/mcp"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
	"github.com/lectern-docs/lectern/internal/serve/sitesearch"
	"github.com/lectern-docs/lectern/internal/store"
)

// server runs everything in one process: HTTP handlers for callers and readers, and workers.
type server struct {
	*core
	listener      net.Listener
	http          *http.Server
	tls           ownTLS
	stopping      atomic.Bool
	workers       *workforce
	conversations *assistant.Conversations // nil = no assistant
	answerLimiter *assistanthttp.Limiter   // limits its answers; nil without an assistant
	visits        *eventcount.Counter      // nil = no analytics
	later         []postponedStep          // postponed startup steps; used first by Serve, then only by the goroutine that watches the storage

	announced bool // used like later
}

// Serve runs the whole platform until ctx ends, then shuts it down gracefully: load balancers get time to notice, new
// requests are rejected, requests in progress finish, and workers finish or release their tasks.
func Serve(ctx context.Context, opt Options) (err error) {
	s := &server{}
	if s.listener, err = listen(ctx, "listen", opt.Config.Listen); err != nil {
		return err
	}
	defer func() { _ = s.listener.Close() }()
	base := opt.Config.BaseURL(s.listener.Addr())
	if s.core, err = openCore(ctx, opt, func() string { return base }); err != nil {
		return err
	}
	if err := s.listenRedirect(ctx); err != nil {
		return errors.Join(err, s.close())
	}
	if s.tls.redirect != nil {
		defer func() { _ = s.tls.redirect.Close() }()
	}
	defer func() {
		err = errors.Join(err, s.close())
		// the shutdown succeeded; state that could not be written is left as it was
		if ctx.Err() != nil && fault.IsFull(err) {
			s.Logger.Warn("disk full, could not write all state at shutdown", "error", err)
			err = nil
		}
	}()
	s.serves = true
	if s.workers, err = s.newWorkforce(); err != nil {
		return err
	}
	var first firstStart
	for _, part := range []postponedStep{
		{"organization and first site", func(ctx context.Context) error {
			made, err := s.prepareFirst(ctx, opt)
			if err == nil {
				first = made
			}
			if err == nil && s.announced {
				s.announce(made)
			}
			return err
		}},
		{"tour", s.seedTour},
	} {
		if err := s.orLater(ctx, part.name, part.do); err != nil {
			return err
		}
	}
	return s.run(ctx, first)
}

func (s *server) run(ctx context.Context, first firstStart) error {
	// Streams end when the server begins to stop; it waits for all other requests.
	streams, endStreams := context.WithCancel(context.WithoutCancel(ctx))
	defer endStreams()
	handler, closeHandlers, err := s.handlers(streams)
	if err != nil {
		return err
	}
	s.onClose(func() error { closeHandlers(); return nil })
	ops, err := s.startOperations(ctx, s.ready, s.servesSites)
	if err != nil {
		return err
	}
	if err := s.orLater(ctx, "workers", s.workers.start); err != nil {
		return errors.Join(err, ops.stop(context.WithoutCancel(ctx)))
	}
	s.http = &http.Server{
		Handler: closeConnections(&s.stopping, s.problems().Identify(handler)), ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		BaseContext: func(net.Listener) context.Context { return context.WithoutCancel(ctx) },
		// these errors concern the caller's connection
		ErrorLog: slog.NewLogLogger(s.Logger.Handler(), slog.LevelDebug),
	}
	s.http.RegisterOnShutdown(endStreams)
	s.announce(first) // callers can already connect; their requests are handled next
	s.announced = true
	watch, endWatch := context.WithCancel(ctx)
	defer endWatch()
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		s.refreshOrLater(watch) // not before the server serves: it takes longer the more sites there are
		s.watchStorage(watch)
	}()
	s.startTLS(watch)
	served := make(chan error, 1)
	go func() { served <- s.serve() }()
	select {
	case <-ctx.Done():
	case err := <-served:
		endWatch()
		<-watched
		end := context.WithoutCancel(ctx)
		err = errors.Join(err, s.stopTLS(end))
		s.workers.halt(end)
		return errors.Join(err, ops.stop(end))
	}
	<-watched // it must not start workers while they are being stopped
	return s.shutdown(ctx, served, ops)
}

func (s *server) shutdown(ctx context.Context, served <-chan error, ops *operations) error {
	s.Logger.Info("stopping", "delay", s.Config.ShutdownDelay.String(), "grace", s.Config.ShutdownGrace.String())
	s.stopping.Store(true)
	end := context.WithoutCancel(ctx)
	// Workers stop in parallel with requests, so that both fit into one grace period. Tasks queued during that time
	// wait in the database for the next start or another process.
	halted := make(chan struct{})
	go func() { defer close(halted); s.workers.halt(end) }()
	select {
	case <-time.After(s.Config.ShutdownDelay):
	case err := <-served: // a listener failed
		err = errors.Join(err, s.stopTLS(end))
		<-halted
		return errors.Join(err, ops.stop(end))
	}
	grace, cancel := context.WithTimeout(end, s.Config.ShutdownGrace)
	defer cancel()
	beside := make(chan error, 1)
	go func() { beside <- s.stopTLS(grace) }()
	err := errors.Join(s.http.Shutdown(grace), <-beside)
	if errors.Is(err, context.DeadlineExceeded) {
		err = s.http.Close() // remaining connections will not end by themselves
	}
	if serveErr := <-served; !errors.Is(serveErr, http.ErrServerClosed) {
		err = errors.Join(err, serveErr)
	}
	<-halted
	err = errors.Join(err, ops.stop(end))
	s.Logger.Info("stopped")
	return err
}

// ready reports whether the process is fully operational: not while it stops, not without its database, and not while
// storage is full or unavailable (D6).
func (s *server) ready(ctx context.Context) error {
	if err := s.servesSites(ctx); err != nil {
		return err
	}
	return s.storage.check(ctx)
}

// servesSites reports whether readers may be sent here. Sites are served even if the disk is full: a load balancer
// that removes the only server for that reason would take the sites down.
func (s *server) servesSites(ctx context.Context) error {
	if s.stopping.Load() {
		return errors.New("stopping")
	}
	return s.answers(ctx)
}

// readyLife is the time within which the database must respond for a process to be ready.
const readyLife = 3 * time.Second

// answers checks that the database responds within a time limit.
func (c *core) answers(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyLife)
	defer cancel()
	if err := c.Store.Ping(ctx); err != nil {
		return fmt.Errorf("database: %w", err)
	}
	return nil
}

// counter returns the counter shared by processes, or nil if there can be only one process.
func (s *server) counter() auth.Counter {
	if !store.IsPostgres(s.Config.Database) {
		return nil
	}
	return s.Store
}

func (s *server) sites(ctx context.Context, proxies auth.Proxies, readers sitehost.Access) *sitehost.Host {
	opt := sitehost.Options{Sites: s.Store, Blob: s.blob, PreviewDomain: s.Config.PreviewDomain, Access: readers,
		CacheBytes: int64(s.Config.SiteCache), Now: s.Now, Logger: s.Logger,
		Secure: proxies.Secure, Endpoints: map[string]siteapi.Endpoint{}, External: s.siteOffers().External.On,
		Ask: s.askViews(ctx), Forwarded: s.forwardedHost(proxies)}
	if endpoint := s.relay(proxies); endpoint != nil {
		opt.Endpoints[capability.ProxyPath] = endpoint
	}
	if endpoint := s.chat(proxies); endpoint != nil {
		opt.Endpoints[capability.AskPath] = endpoint
	}
	s.watchVisits(&opt, proxies)
	opt.Endpoints[capability.BlockPath] = blockreport.New(blockreport.Options{Store: s.Store, Proxies: proxies,
		Now: s.Now, Logger: s.Logger})
	if s.features().Features.Search.Enabled {
		opt.Endpoints[capability.SearchPath] = sitesearch.New()
		opt.Agents = mcp.New(mcp.Options{Version: s.Version, Proxies: proxies, Counter: s.counter(),
			Recorder: s.recorder(), Now: s.Now, Logger: s.Logger})
	}
	return sitehost.New(opt)
}

// forwardedHost returns the requested host as reported by a trusted proxy, for proxies that cannot pass on Host. It is
// ignored for the server's own host name: otherwise, through a proxy that passes on clients' headers, a client could
// see a site instead of the dashboard. So it requires public-url.
func (s *server) forwardedHost(proxies auth.Proxies) func(*http.Request) string {
	own := s.Config.PublicHost()
	if own == "" {
		return nil
	}
	return func(r *http.Request) string {
		if hostname.Clean(r.Host) == own {
			return ""
		}
		return proxies.ForwardedHost(r)
	}
}
