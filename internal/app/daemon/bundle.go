package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/lectern-docs/lectern/internal/app/telemetry"
	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/feature"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/jobs/bundlestore"
	"github.com/lectern-docs/lectern/internal/serve/apierror"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/serve/bundlehost"
	"github.com/lectern-docs/lectern/internal/serve/siteaccess"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/serve/sitesearch"
)

// BundleOptions configures a bundle server.
type BundleOptions struct {
	Source       func() (bundlestore.Source, error)
	Expect       bundlestore.Expect
	Data         string // folder for bundles
	Shared       bool   // other processes use that folder too
	Keep         int
	Poll         time.Duration
	Full         bool // verify contents at the start
	Listen       string
	HealthListen string // only for health checks and metrics; "" = none
	BasePath     string
	Delay        time.Duration // between becoming unready and closing the listeners
	Grace        time.Duration // for requests in progress
	Deployment   feature.Type
	Local        feature.Inside // features inside the site that an air-gapped operator enabled
	// PlaygroundProxy forwards playground requests to origins in the bundle's API descriptions and in
	// PlaygroundOrigins.
	PlaygroundProxy   bool
	External          bool // apply the bundle's list of sources that pages may use on other hosts
	PlaygroundOrigins []string
	// host names under which the proxy may be used, besides IP addresses and localhost, since this server responds to
	// any name
	PlaygroundHosts []string
	Readers         access.Settings // who may read the site; zero = public
	ReaderLimits    account.SessionLimits
	Proxies         auth.Proxies // reverse proxies whose information about visitors' addresses is trusted
	Again           <-chan struct{}
	Version         string // of this program
	Now             func() time.Time
	Rand            io.Reader // for request ids
	Logger          *slog.Logger
}

// bundleServer serves one site from bundles.
type bundleServer struct {
	BundleOptions
	host     *bundlehost.Host
	keeper   *bundlestore.Keeper
	metrics  *telemetry.Metrics
	stopping atomic.Bool
	servers  []*http.Server
	served   chan error
}

// ServeBundle serves until ctx ends, then lets requests in progress finish. It fails if there is no bundle and none
// can be downloaded.
func ServeBundle(ctx context.Context, opt BundleOptions) (err error) {
	s := &bundleServer{BundleOptions: opt, metrics: telemetry.NewMetrics(opt.Version, opt.Now),
		served: make(chan error, 3)}
	programs := map[string]siteapi.Endpoint{capability.SearchPath: sitesearch.New()}
	if endpoint := s.relay(); endpoint != nil {
		programs[capability.ProxyPath] = endpoint
	}
	if s.host, err = bundlehost.New(bundlehost.Options{BasePath: opt.BasePath, Secure: overTLS, Waiting: s.waitingFor,
		Endpoints: programs, External: opt.External, Access: s.readers(), Mode: opt.Readers.Mode,
		Logger: opt.Logger}); err != nil {
		return err
	}
	volume, err := bundlestore.Open(opt.Data, opt.Now)
	if err != nil {
		return err
	}
	volume.Shared = opt.Shared
	s.keeper = bundlestore.NewKeeper(bundlestore.Keeping{Volume: volume, Source: opt.Source, Expect: opt.Expect,
		Keep: opt.Keep, Poll: opt.Poll, Full: opt.Full,
		Show: s.show, Again: opt.Again, Logger: opt.Logger})
	s.count()
	if err := s.listen(ctx); err != nil {
		return errors.Join(err, s.close())
	}
	work, stop := context.WithCancel(ctx)
	defer stop()
	kept := make(chan error, 1)
	go func() { kept <- s.keeper.Run(work) }()
	select {
	case <-ctx.Done():
		return errors.Join(s.shutdown(ctx), <-kept)
	case err = <-kept:
	case err = <-s.served:
		stop()
		<-kept
	}
	return errors.Join(err, s.close())
}

// readers returns the service that signs readers in, or nil if the site is public. Sessions, and the key for encrypting
// cookies, exist only in this process.
func (s *bundleServer) readers() bundlehost.Access {
	if !s.Readers.Protected() {
		return nil
	}
	settings, key := s.Readers, make([]byte, 32)
	settings.ProjectID = bundlehost.ProjectID
	_, _ = io.ReadFull(s.Rand, key) // this source of randomness never fails
	memory := siteaccess.NewMemory(settings, s.ReaderLimits, s.Now)
	return siteaccess.New(siteaccess.Options{Store: memory, Counts: memory, Now: s.Now, Rand: s.Rand, Log: s.Logger,
		Masters: [][]byte{key}, Limits: s.ReaderLimits, Proxies: s.Proxies})
}

// overTLS reports whether a request came over TLS. It trusts the header from any client, because the result only
// enables a header that browsers ignore on plain HTTP.
func overTLS(r *http.Request) bool {
	return r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https"
}

func (s *bundleServer) ready() bool { return s.waiting() == "" }

// waiting returns why the server is not ready, in words for operators, or "" if it is ready.
func (s *bundleServer) waiting() string {
	if s.stopping.Load() {
		return "the server is stopping"
	}
	return s.keeper.Waiting()
}

// waitingFor returns why the server is not ready, in words for readers, or "" if it is ready.
func (s *bundleServer) waitingFor() string {
	if s.stopping.Load() {
		return "the server is stopping"
	}
	return s.keeper.WaitingFor()
}

func (s *bundleServer) listen(ctx context.Context) error {
	site := s.metrics.Instrument("site", s.host)
	if err := s.start(ctx, "listen", s.Listen, closeConnections(&s.stopping, s.host.Health(site))); err != nil ||
		s.HealthListen == "" {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", s.metrics.Handler(s.Logger))
	mux.HandleFunc("GET /version", s.about)
	return s.start(ctx, "health-listen", s.HealthListen, s.host.OperatorHealth(mux, s.waiting))
}

func (s *bundleServer) start(ctx context.Context, setting, address string, h http.Handler) error {
	l, err := listen(ctx, setting, address)
	if err != nil {
		return err
	}
	problems := apierror.Writer{Log: s.Logger, IDs: id.Source{Rand: s.Rand}}
	server := &http.Server{
		Handler: problems.Identify(h), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute,
		WriteTimeout: 10 * time.Minute, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		// these errors concern the reader's connection
		ErrorLog: slog.NewLogLogger(s.Logger.Handler(), slog.LevelDebug),
	}
	s.servers = append(s.servers, server)
	s.Logger.Info("listening", "setting", setting, "url", "http://"+l.Addr().String()+s.BasePath)
	go func() {
		if err := problems.Serve(server, l); !errors.Is(err, http.ErrServerClosed) {
			s.served <- fmt.Errorf("serve %s: %w", setting, err)
		}
	}()
	return nil
}

// shutdown first reports that the server is not ready, then waits for load balancers to notice, then for open
// requests.
func (s *bundleServer) shutdown(ctx context.Context) error {
	s.Logger.Info("stopping", "delay", s.Delay.String(), "grace", s.Grace.String())
	s.stopping.Store(true)
	end := context.WithoutCancel(ctx)
	select {
	case <-time.After(s.Delay):
	case err := <-s.served: // a listener failed
		return errors.Join(err, s.close())
	}
	grace, cancel := context.WithTimeout(end, s.Grace)
	defer cancel()
	var err error
	for _, server := range s.servers { // the readers' server first; health checks work until the end
		if stopErr := server.Shutdown(grace); stopErr != nil {
			err = errors.Join(err, server.Close()) // remaining connections will not end by themselves
		}
	}
	s.host.Close()
	s.Logger.Info("stopped")
	return err
}

func (s *bundleServer) close() (err error) {
	for _, server := range s.servers {
		err = errors.Join(err, server.Close())
	}
	return err
}
