package siteaccess

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"runtime"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/attempts"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/serve/oidc"
	"github.com/lectern-docs/lectern/internal/serve/passhash"
	"github.com/lectern-docs/lectern/internal/serve/saml"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/store"
)

// Store stores sessions and settings; the database and Memory implement it.
type Store interface {
	FindReaderAccess(ctx context.Context, projectID string) (access.Settings, error)
	FindReaderSession(ctx context.Context, hash, projectID, host string) (access.Session, error)
	TouchReaderSession(ctx context.Context, hash string, at time.Time) error
	// OpenReaderSession stores a new session, and ends the one with the hash old, unless old is "".
	OpenReaderSession(ctx context.Context, in access.Session, old string) error
	EndReaderSession(ctx context.Context, hash, projectID, host string) error
}

// Sites finds a site by domain.
type Sites interface {
	FindLive(ctx context.Context, domain string) (store.Live, error)
	FindLivePreview(ctx context.Context, deploymentID string) (store.Live, error)
}

// Options configures a Service.
type Options struct {
	Store         Store
	Counts        attempts.Counts
	Sites         Sites // finds sites for members sent by the dashboard; nil without Dashboard
	Now           func() time.Time
	Rand          io.Reader
	Log           *slog.Logger
	Masters       [][]byte // the server's master key, then earlier ones
	Limits        account.SessionLimits
	Proxies       auth.Proxies
	Keys          *auth.Guard              // identifies programs; nil = programs are rejected
	AllowHTTP     bool                     // whether readers may sign in over plain HTTP from other machines
	Dashboard     func() string            // URL where members sign in; nil = members cannot sign in
	SiteURL       func(host string) string // URL of a site; nil = as in the request
	PreviewDomain string                   // parent domain of previews; "" = no previews
	// connects to identity providers, whose URLs are chosen by organizations; nil = the default
	Outbound  *http.Client
	Passwords passhash.Cost // cost of a new hash; zero in production

	Wait func(ctx context.Context, d time.Duration) error // waits, to slow down guessing; nil = uses a timer
}

// Service identifies readers of protected sites and signs them in. It is safe for concurrent use.
type Service struct {
	Options
	hashing chan struct{} // a semaphore for concurrent password hashing
	cross   *http.CrossOriginProtection
	page    page

	places   *attempts.Limit // wrong passwords for all sites, by network
	pairs    *attempts.Limit // wrong passwords by site and network
	projects *attempts.Limit // wrong passwords by site, in total
	tokens   *attempts.Limit // wrong tokens and provider codes, by network

	oidc *providers[oidc.Provider]
	saml *providers[saml.Provider]
}

const (
	tryWindow    = 15 * time.Minute
	triesByPlace = 30
	triesByPair  = 10
	// The total number of guesses for a site slows down unknown networks and reduces their attempts. It never locks the
	// site, because strangers must not be able to keep its readers out.
	slowFrom      = 20
	attackedFrom  = 50
	triesAttacked = 3
	longestWait   = 8 * time.Second
)

// New creates a Service.
func New(o Options) *Service {
	if o.Wait == nil {
		o.Wait = attempts.Wait
	}
	limit := func(kind string, most int) *attempts.Limit {
		return &attempts.Limit{Kind: kind, Most: most, Window: tryWindow, Counts: o.Counts, Log: o.Log}
	}
	s := &Service{Options: o, hashing: make(chan struct{}, runtime.GOMAXPROCS(0)),
		cross: http.NewCrossOriginProtection(), page: newPage(), places: limit("reader place", triesByPlace),
		pairs: limit("reader pair", triesByPair), projects: limit("reader project", 0),
		tokens: limit("reader token tries", triesOfTokens)}
	s.oidc = &providers[oidc.Provider]{mode: access.OIDC, make: s.newOIDC, known: map[string]*oidc.Provider{}}
	s.saml = &providers[saml.Provider]{mode: access.SAML, make: s.newSAML, known: map[string]*saml.Provider{}}
	return s
}

// Paths of a protected site that belong to this package. An author's pages at these paths are not served.
const (
	loginPath  = capability.SignInPath
	logoutPath = "/logout"
	robotsPath = "/robots.txt"
)

// Admit returns a request's reader; ok is false if it has responded itself.
func (s *Service) Admit(w http.ResponseWriter, r *http.Request, site siteapi.Protected) (who access.Reader, ok bool) {
	switch path := r.URL.Path; {
	case path == robotsPath:
		robots(w, r)
		return who, false
	case path == loginPath || strings.HasPrefix(path, loginPath+"/") || path == logoutPath:
		if err := s.serveSignIn(w, r, site); err != nil {
			s.fail(w, r, site, err)
		}
		return who, false
	case path == capability.UserPath:
		s.serveValues(w, r, site)
		return who, false
	}
	who, err := s.identify(r, site)
	if err == nil {
		return who, true
	}
	if fault.Is(err, fault.Unauthenticated) && !s.hasKey(r) && site.Public != nil && site.Public(r) {
		return access.Reader{Anonymous: true}, true
	}
	s.refuse(w, r, site, err)
	return who, false
}

// serveSignIn handles the sign-in and sign-out paths.
func (s *Service) serveSignIn(w http.ResponseWriter, r *http.Request, site siteapi.Protected) error {
	read := r.Method == http.MethodGet || r.Method == http.MethodHead
	if !read && r.Method != http.MethodPost {
		return nothingHere()
	}
	path := r.URL.Path
	if !read {
		most := int64(maxForm)
		if strings.HasPrefix(path, samlPath+"/") {
			most = maxSAMLForm
		}
		r.Body = http.MaxBytesReader(w, r.Body, most)
	}
	switch {
	case path == loginPath && read:
		return s.showSignIn(w, r, site, "")
	case path == loginPath:
		return s.signInWithPassword(w, r, site)
	case path == logoutPath && read:
		return s.page.write(w, r, http.StatusOK, view{Look: site.Look(r.Context()), Base: site.Base, Kind: "out"})
	case path == logoutPath:
		return s.signOut(w, r, site)
	case path == memberPath && read:
		return s.beginMember(w, r, site)
	case path == memberReturn && read:
		return s.finishMember(w, r, site)
	case strings.HasPrefix(path, oidcPath+"/") && read:
		return s.beginOIDC(w, r, site)
	case path == oidcReturn && read:
		return s.finishOIDC(w, r, site)
	case strings.HasPrefix(path, samlPath+"/"):
		return s.serveSAML(w, r, site, read)
	case path == tokenPath && read:
		return s.showToken(w, r, site)
	case path == tokenPath:
		return s.signInWithToken(w, r, site)
	}
	return nothingHere()
}

func nothingHere() error { return fault.New(fault.NotFound, "not_found", "There is nothing here.") }

const maxForm = 64 << 10 // bytes
