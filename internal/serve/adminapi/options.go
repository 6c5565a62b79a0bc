package adminapi

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/assistant"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/feature"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/jobs/automate"
	"github.com/lectern-docs/lectern/internal/serve/assistanthttp"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/serve/leakreport"
	"github.com/lectern-docs/lectern/internal/source/forge"
	"github.com/lectern-docs/lectern/internal/source/forge/connect"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// Linker creates download links; blob.Store implements it.
type Linker interface {
	Link(ctx context.Context, key, filename string, life time.Duration) (blob.Link, error)
}

// Options configures the API.
type Options struct {
	Store *store.Store
	Blob  Linker
	Keys  auth.Keys  // looks up keys; nil = Store
	Uses  *auth.Uses // records when keys are used; nil = not recorded; closed by the caller
	Log   *slog.Logger
	Now   func() time.Time
	IDs   id.Source
	Rand  io.Reader // source of randomness for secrets of new keys

	LeakKeys leakreport.Keys // public keys of trusted reporters of leaked keys; empty = no reports accepted

	Masters   [][]byte      // the server's master key, then earlier ones that are still valid
	Proxies   auth.Proxies  // proxies trusted to report callers' addresses
	RateLimit int           // requests per minute for each key; 0 = unlimited
	Counter   auth.Counter  // counts requests across all processes; nil = this is the only process
	LinkLife  time.Duration // lifetime of bundle links

	Deprecated map[string]Deprecation // by operation id; nil = Deprecations()

	ExportLimits export.Limits
	ExportMaking string // identifies the parts of this server that affect exports, see export.Job.Identify

	AgentModels []string // models available to agent jobs, default first; none = this server runs no agents
	// Automations starts the jobs of automations; nil = a default Starter without secrets to redact
	Automations *automate.Starter
	Merger      Merger   // merges and closes proposals of the embedded code host; nil = there is no such host
	Reviewer    Reviewer // commits to proposals' branches; nil like Merger

	SourceFiles SourceFiles // reads projects' source files; nil = not available
	// Secrets returns the values that an organization's submitted edits must not contain; nil = none
	Secrets func(ctx context.Context, organizationID string) ([]string, error)

	Libraries      Libraries // content for discovery
	DiscoveryLimit int       // discovery requests per hour for each organization; 0 = 10,000

	Conversations  *assistant.Conversations // answers questions about sites; nil = no assistant
	AnswerLimiter  *assistanthttp.Limiter   // limits concurrent answers, shared with sites; nil = the default
	AnalyticsLimit int                      // analytics requests per hour for each organization's keys; 0 = 100

	TrustsHost func(host string) bool // reports whether webhooks may reach a host without TLS; nil = no host

	Hosts forge.Hosts // clients for code hosts
	// Place opens a project's repository at its code host, with the credential of the project's source. For a project
	// without a code host it returns a fault.
	Place func(ctx context.Context, p project.Project) (connect.Place, error)

	Mail bool // also send links by mail, which requires PublicURL

	Prover       Prover       // checks whether domains are proven; nil = only the operator can approve them
	Certificates Certificates // certificates for this server's own HTTPS; nil = a proxy terminates HTTPS

	PublicURL     string // address of this server; "" = the address that each caller uses
	PreviewDomain string // projects may not use it or a domain below it; "" = none
	SiteURL       func(domain string) string
	PreviewURL    func(deploymentID string) string
	// BasePath returns the path that a published version's pages were built for; nil = every site is at the root.
	BasePath func(ctx context.Context, manifestKey string) (string, error)

	// LocalSource returns an error that says why an organization may not use a path on the server's disk as a source,
	// or nil if it may. If LocalSource itself is nil, no paths are allowed.
	LocalSource func(ctx context.Context, organizationID, at string) error
	// checks a Git URL; a fault with field source.repository describes the problem
	ValidateRepository func(url string) error
	ValidateBranch     func(name string) error

	Deployment  feature.Deployment
	Version     string
	Description func() ([]byte, error)          // returns api/openapi.yaml as JSON; called for each request for it
	Ready       func(ctx context.Context) error // nil error = fully operational
	ServesSites func(ctx context.Context) error // nil error = at least sites are served; nil function = use Ready

	// closed when the server begins to stop, which ends streams; nil = never
	Stopping <-chan struct{}
	// wraps a route with metrics; may be nil
	Instrument func(route string, next http.Handler) http.Handler
	// how long a response may take, or a stream to start; 0 = 30 s
	Longest time.Duration
	// how often streams poll for changes and send keep-alives; 0 = 200 ms, 15 s
	StreamPoll, StreamBeat time.Duration
}

func (o *Options) setDefaults() {
	if o.Keys == nil {
		o.Keys = o.Store
	}
	if o.Deprecated == nil {
		o.Deprecated = Deprecations()
	}
	if o.Longest == 0 {
		o.Longest = 30 * time.Second
	}
	if o.DiscoveryLimit == 0 {
		o.DiscoveryLimit = discoveryAnHour
	}
	if o.AnalyticsLimit == 0 {
		o.AnalyticsLimit = analyticsAnHour
	}
	if o.Automations == nil {
		o.Automations = &automate.Starter{Store: o.Store, Models: o.AgentModels, Now: o.Now}
	}
	if o.Place == nil {
		o.Place = func(context.Context, project.Project) (connect.Place, error) { return nil, forge.NoCodeHost() }
	}
	if o.TrustsHost == nil {
		o.TrustsHost = func(string) bool { return false }
	}
	if o.AnswerLimiter == nil {
		o.AnswerLimiter = assistanthttp.NewLimiter(assistanthttp.LimiterOptions{Now: o.Now, Stopping: o.Stopping})
	}
	if o.StreamPoll == 0 {
		o.StreamPoll = 200 * time.Millisecond
	}
	if o.StreamBeat == 0 {
		o.StreamBeat = 15 * time.Second
	}
	if o.Instrument == nil {
		o.Instrument = func(_ string, next http.Handler) http.Handler { return next }
	}
}
