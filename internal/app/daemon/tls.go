package daemon

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/serve/certificate"
	"github.com/lectern-docs/lectern/internal/serve/http3"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
	"github.com/lectern-docs/lectern/internal/source/domainproof"
)

// ownTLS contains the parts for HTTPS terminated by the server itself: certificates, and a second listener that
// redirects plain HTTP. The zero value leaves HTTPS to a proxy.
type ownTLS struct {
	redirect     net.Listener // nil = none
	server       *http.Server // serves redirect
	config       *tls.Config  // nil = plain HTTP
	certificates *certificate.Manager
	states       adminapi.Certificates // nil unless this server terminates HTTPS
	http3        *http3.Server         // nil = HTTP/3 is off, or its port cannot be used
}

// listenRedirect opens the listener for plain HTTP, if enabled in the settings.
func (s *server) listenRedirect(ctx context.Context) (err error) {
	if !s.Config.HasTLS() || s.Config.TLSRedirectListen == "off" {
		return nil
	}
	s.tls.redirect, err = listen(ctx, "tls-redirect-listen", s.Config.TLSRedirectListen)
	return err
}

// openTLS prepares certificates. serves reports whether a site is published at a host.
func (s *server) openTLS(ctx context.Context, serves func(ctx context.Context, host string) (bool, error)) error {
	switch s.Config.TLSMode {
	case "files":
		var pairs []certificate.Pair
		for i, name := range s.Config.TLSCertificateFiles {
			pairs = append(pairs, certificate.Pair{Certificate: name, Key: s.Config.TLSKeyFiles[i]})
		}
		files, err := certificate.NewFiles(pairs, s.Now, s.Logger)
		if err != nil {
			return badTLSFile("tls.certificate-files", err)
		}
		s.tls.config, s.tls.states = files.TLS(), files
	case "acme":
		roots, err := readRoots(s.Config.TLSACMECAFile)
		if err != nil {
			return badTLSFile("tls.acme-ca-file", err)
		}
		own := s.Config.PublicHost()
		s.tls.certificates = certificate.New(certificate.Options{
			Store: s.Store, Masters: append([][]byte{s.Secrets.Current}, s.Secrets.Previous...),
			Directory: s.Config.TLSACMEURL, Email: s.Config.TLSEmail, Roots: roots,
			TLSPort: port(s.listener), HTTPPort: port(s.tls.redirect),
			Serves: func(ctx context.Context, host string) (bool, error) {
				if host == own {
					return true, nil
				}
				return serves(ctx, host)
			},
			Now: s.Now, Rand: s.Rand, Logger: s.Logger,
		})
		s.onClose(func() error { s.tls.certificates.Close(); return nil })
		s.tls.config, s.tls.states = s.tls.certificates.TLS(), s.tls.certificates
	}
	return nil
}

func badTLSFile(setting string, err error) error {
	return fault.Newf(fault.Invalid, "bad_setting", "%s: %v.", setting, err).WithField(setting).WithCause(err)
}

// readRoots returns the certificates in a file. Without a file it returns nil, which means the system's certificates.
func readRoots(file string) (*x509.CertPool, error) {
	if file == "" {
		return nil, nil
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(raw) {
		return nil, errors.New(file + " contains no PEM certificate")
	}
	return pool, nil
}

// port returns a listener's TCP port, or 0 if there is no listener.
func port(l net.Listener) int {
	if l == nil {
		return 0
	}
	if a, ok := l.Addr().(*net.TCPAddr); ok {
		return a.Port
	}
	return 0
}

// startTLS starts everything that HTTPS needs: redirects of plain HTTP, the certificate of the server's own host, and
// HTTP/3. stopTLS stops it.
func (s *server) startTLS(ctx context.Context) {
	if s.tls.config == nil {
		return
	}
	if s.tls.redirect != nil {
		s.startRedirect()
	}
	if s.tls.certificates != nil {
		s.tls.certificates.Prepare(ctx, s.Config.PublicHost())
	}
	s.http.TLSConfig = s.tls.config
	s.startHTTP3(ctx)
}

// stopTLS waits for requests over plain HTTP and HTTP/3.
func (s *server) stopTLS(ctx context.Context) (err error) {
	if s.tls.server != nil {
		err = s.tls.server.Shutdown(ctx)
	}
	if s.tls.http3 != nil {
		err = errors.Join(err, s.tls.http3.Shutdown(ctx))
	}
	return err
}

// serve handles requests until the server is stopped. Over TLS, malformed requests get the library's own response,
// because it is encrypted before it could be replaced.
func (s *server) serve() error {
	if s.tls.config == nil {
		return s.problems().Serve(s.http, s.listener)
	}
	return s.http.ServeTLS(s.listener, "", "")
}

// startHTTP3 also serves over UDP, on the listener's port. If the port cannot be used, the server and browsers work
// without HTTP/3.
func (s *server) startHTTP3(ctx context.Context) {
	if s.Config.TLSHTTP3 == "off" {
		return
	}
	var lc net.ListenConfig
	socket, err := lc.ListenPacket(ctx, "udp", s.listener.Addr().String())
	if err != nil {
		s.Logger.Warn("could not open the UDP port for HTTP/3, serving without it", "error", err)
		return
	}
	port := port(s.listener)
	if base, err := url.Parse(s.baseURL()); err == nil {
		port = 443
		if n, err := strconv.Atoi(base.Port()); err == nil {
			port = n
		}
	}
	h3 := http3.New(http3.Options{Socket: socket, TLS: s.tls.config, Handler: s.http.Handler, Port: port,
		ReadTimeout: s.http.ReadTimeout, IdleTimeout: s.http.IdleTimeout, MaxHeaderBytes: s.http.MaxHeaderBytes,
		Now: s.Now, Logger: quiet(s.Logger)})
	s.http.Handler = h3.Announce(s.http.Handler)
	s.tls.http3 = h3
	s.Logger.Info("serving HTTP/3", "listen", socket.LocalAddr().String())
	go func() {
		if err := h3.Serve(); !errors.Is(err, http.ErrServerClosed) {
			s.Logger.Error("stopped serving HTTP/3", "error", err)
		}
	}()
}

// startRedirect serves plain HTTP.
func (s *server) startRedirect() {
	handler := redirectToHTTPS(s.httpsPort())
	if s.tls.certificates != nil {
		handler = s.tls.certificates.Challenges(handler)
	}
	s.tls.server = &http.Server{Handler: s.problems().Identify(handler), ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout: 30 * time.Second, WriteTimeout: 30 * time.Second, IdleTimeout: time.Minute,
		MaxHeaderBytes: 64 << 10}
	s.Logger.Info("redirecting plain HTTP", "listen", s.tls.redirect.Addr().String())
	go func() {
		if err := s.problems().Serve(s.tls.server, s.tls.redirect); !errors.Is(err, http.ErrServerClosed) {
			s.Logger.Error("stopped redirecting plain HTTP", "error", err)
		}
	}()
}

// httpsPort returns the port of public addresses with a colon, or "" for the default port.
func (s *server) httpsPort() string {
	base := strings.TrimPrefix(s.baseURL(), "https://")
	if _, p, err := net.SplitHostPort(base); err == nil && p != "443" {
		return ":" + p
	}
	return ""
}

// redirectToHTTPS redirects to the same address over HTTPS. Methods with a body are rejected: their content was already
// sent unencrypted, and a client that follows a redirect would never notice.
func redirectToHTTPS(port string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusForbidden)
			_, _ = w.Write([]byte(`{"error":"This server accepts this request over HTTPS only."}` + "\n"))
			return
		}
		if strings.Contains(host, ":") && !strings.HasPrefix(host, "[") {
			host = "[" + host + "]"
		}
		w.Header().Set("Connection", "close")
		http.Redirect(w, r, "https://"+host+port+r.URL.RequestURI(), http.StatusMovedPermanently)
	})
}

// certifies returns a function that reports whether this server may order certificates for a host. It may do so for the
// hosts of sites. If it serves only some paths of a host, the host's name must also resolve to this server: otherwise
// another server handles the host and its certificate.
func (s *server) certifies(sites *sitehost.Host) func(ctx context.Context, host string) (bool, error) {
	names := prover(s.Config, s.guard)
	return func(ctx context.Context, host string) (bool, error) {
		served, shared, err := sites.Serves(ctx, host)
		if err != nil || !shared {
			return served, err
		}
		return names.Locate(ctx, host, s.Config.PublicHost()).Target == domainproof.Here, nil
	}
}
