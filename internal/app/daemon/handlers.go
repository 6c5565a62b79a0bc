package daemon

import (
	"context"
	"errors"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	openapi "github.com/lectern-docs/lectern/api"
	"github.com/lectern-docs/lectern/internal/dashboard"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/feature"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/serve/leakreport"
	"github.com/lectern-docs/lectern/internal/serve/mcp"
	"github.com/lectern-docs/lectern/internal/serve/scim"
	"github.com/lectern-docs/lectern/internal/source/git"
)

// handlers builds the HTTP handlers, outermost first: published sites by host name; then, on every other host, signed
// links, the dashboard and the admin API. Streams end with ctx. The returned function must be called after the last
// request.
func (s *server) handlers(ctx context.Context) (http.Handler, func(), error) {
	proxies, err := s.Config.Proxies()
	if err != nil {
		return nil, nil, err
	}
	leaks, err := leakKeys(s.Config.LeakedKeysFile)
	if err != nil {
		return nil, nil, err
	}
	s.visits = s.openVisits(ctx)
	if err := s.openAssistant(ctx); err != nil {
		return nil, nil, err
	}
	uses := auth.OpenUses(s.Store.TouchKey, s.Logger)
	readers := s.readers(proxies, uses)
	host := s.sites(ctx, proxies, readers)
	if err := s.openTLS(ctx, s.certifies(host)); err != nil {
		return nil, nil, err
	}
	api := adminapi.New(adminapi.Options{
		LeakKeys: leaks, Mail: s.Config.HasMail(),
		Store: s.Store, Blob: s.blob, Uses: uses, Log: s.Logger, Now: s.Now, IDs: id.Source{Rand: s.Rand},
		Rand:    s.Rand,
		Masters: append([][]byte{s.Secrets.Current}, s.Secrets.Previous...), Proxies: proxies,
		RateLimit: s.Config.RateLimit, Counter: s.counter(), LinkLife: s.Config.ExportLinkLife,
		ExportLimits: s.exportLimits(), ExportMaking: s.making(), AgentModels: s.Config.AgentModels,
		Automations: s.automations(), SourceFiles: sourceFiles{s.core}, Secrets: s.secretValues,
		Merger: s.agents.merger, Reviewer: s.agents.merger, TrustsHost: s.guard.Trusts, Hosts: s.codeHosts(), Place: s.codePlace,
		Prover: prover(s.Config, s.guard), Certificates: s.tls.states, PublicURL: s.Config.PublicURL, PreviewDomain: s.Config.PreviewDomain,
		SiteURL: s.siteURL, PreviewURL: s.previewURL, BasePath: host.BasePath,
		LocalSource: s.allowsLocal, ValidateRepository: s.validateRepository, ValidateBranch: git.ValidateBranch,
		Libraries: host.ViewLibrary, Conversations: s.conversations, AnswerLimiter: s.answerLimiter, Deployment: s.features(),
		Version: s.Version, Description: s.description(), Ready: s.ready, ServesSites: s.servesSites, Stopping: ctx.Done(),
		Instrument: s.instrument,
	})
	provider, err := s.provider()
	if err != nil {
		uses.Close()
		return nil, nil, err
	}
	board := s.dashboard(ctx, api, proxies, readers, provider)
	others := &admin{links: s.instrument("/blob/", s.links), api: api, board: s.instrument("dashboard", board),
		git:   s.instrument(project.GitFolder, s.gitHost(proxies, uses)),
		edits: s.instrument(mcp.EditPath, mcp.NewEditor(mcp.EditOptions{API: api, Version: s.Version, Logger: s.Logger})),
		scim:  s.instrument(scim.Folder+"/", s.scim(proxies, uses, provider))}
	sites := host.Route(others, func(h http.Handler) http.Handler { return s.instrument("site", h) })
	return patient(sites), uses.Close, nil
}

// description returns a function that converts the API description on first use, because that takes as long as the
// rest of a start.
func (s *server) description() func() ([]byte, error) {
	return sync.OnceValues(func() ([]byte, error) { return openapi.JSONOf(s.baseURL()) })
}

// admin handles requests for hosts without a site. It selects the handler only by path prefix: a multiplexer would
// redirect unusual paths, which the API handles itself.
type admin struct {
	links, board, api, git, scim, edits http.Handler
}

func (a *admin) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch p := r.URL.Path; {
	case strings.HasPrefix(p, "/blob/"):
		a.links.ServeHTTP(w, r)
	case strings.HasPrefix(p, project.GitFolder) && a.git != nil:
		a.git.ServeHTTP(w, r)
	case strings.HasPrefix(p, scim.Folder+"/"):
		a.scim.ServeHTTP(w, r)
	case p == mcp.EditPath:
		a.edits.ServeHTTP(w, r)
	case dashboard.Mine(p):
		a.board.ServeHTTP(w, r)
	default:
		a.api.ServeHTTP(w, r)
	}
}

// leakKeys reads the public keys of parties that are trusted to report leaked API keys. Without a file there are none.
func leakKeys(file string) (leakreport.Keys, error) {
	if file == "" {
		return leakreport.Keys{}, nil
	}
	raw, err := os.ReadFile(file)
	var keys leakreport.Keys
	if err == nil {
		keys, err = leakreport.ParseKeys(raw)
	}
	if err != nil {
		const setting = "leaked-keys.public-keys-file"
		return nil, fault.Newf(fault.Invalid, "bad_setting", "%s: %v.", setting, err).WithField(setting).
			WithHint(
				"Set a file of public keys in the format that GitHub publishes at /meta/public_keys/secret_scanning.")
	}
	return keys, nil
}

func (s *server) instrument(route string, next http.Handler) http.Handler {
	return s.metrics.Instrument(route, s.tracing.Instrument(route, next))
}

// Time limits for sending a response. A bundle is large and its link is hard to guess, so downloads get longer; event
// streams set their own limit.
const (
	slowest         = 10 * time.Minute
	slowestDownload = 6 * time.Hour
)

// patient limits how long a slow client can hold a connection (A12). The operating system measures deadlines, so it
// uses the real clock: with a different clock, or one that was set in the meantime, new connections would end.
func patient(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		limit := slowest
		if strings.HasPrefix(r.URL.Path, "/blob/") {
			limit = slowestDownload
		}
		if err := http.NewResponseController(w).SetWriteDeadline(time.Now().Add(limit)); err != nil &&
			!errors.Is(err, http.ErrNotSupported) {
			return // the connection is closed
		}
		next.ServeHTTP(w, r)
	})
}

// validateRepository validates the form of a repository's address. An earlier check decides whether a local address is
// permitted.
func (s *server) validateRepository(url string) error { return git.ValidateURL(url, true) }

func (s *server) previewURL(deploymentID string) string {
	return s.siteURL(deploy.HostLabel(deploymentID) + "." + s.Config.PreviewDomain)
}

// docsURL returns the URL of our own docs, or "" if this server does not publish them.
func (s *server) docsURL() string {
	if s.Config.FirstSite == "off" {
		return ""
	}
	return s.siteURL(firstDomain)
}

func (c *core) features() feature.Deployment {
	return feature.Decide(feature.Setup{
		Type: feature.Type(c.Config.DeploymentType), Search: c.Config.FeaturesSearch,
		Analytics: c.Config.FeaturesAnalytics, Assistant: c.Config.FeaturesAssistant,
		AssistantEndpoint: c.Config.AssistantEndpoint != "", PlaygroundOrigins: len(c.Config.PlaygroundOrigins) > 0,
	})
}
