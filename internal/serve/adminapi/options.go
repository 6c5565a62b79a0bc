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

// Linker makes download links; a blob.Store is one.
type Linker interface {
	Link(ctx context.Context, key, filename string, life time.Duration) (blob.Link, error)
}

// Options are everything the API works with.
type Options struct {
	Store *store.Store
	Blob  Linker
	Keys  auth.Keys  // where keys are looked up; nil = Store
	Uses  *auth.Uses // notes when keys are used; nil = nobody does; the caller closes it
	Log   *slog.Logger
	Now   func() time.Time
	IDs   id.Source
	Rand  io.Reader // secrets of new keys are made from it

	LeakKeys leakreport.Keys // whose reports of leaked keys are believed; none = nobody's

	Masters   [][]byte      // the server's master key, then earlier ones that still count
	Proxies   auth.Proxies  // believed about callers' addresses
	RateLimit int           // requests a minute for each key; 0 = any number
	Counter   auth.Counter  // counts them over all processes; nil = this is the only one
	LinkLife  time.Duration // of bundle links

	Deprecated map[string]Deprecation // by operation id; nil = Deprecations()

	ExportLimits export.Limits
	ExportMaking string // what of this server exports depend on, see export.Job.Identify

	AgentModels []string // what agent jobs may run with, the default first; none = this server runs no agent
	// Automations starts jobs of automations; nil = one that knows no secrets
	Automations *automate.Starter
	Merger      Merger   // decides about proposals of the embedded code host; nil = there is none
	Reviewer    Reviewer // commits on their branches; nil as Merger

	SourceFiles SourceFiles // reads the files that projects are made of; nil = none can be read
	// Secrets lists what no submitted edit of an organization may contain; nil = nothing
	Secrets func(ctx context.Context, organizationID string) ([]string, error)

	Libraries      Libraries // what discovery reads
	DiscoveryLimit int       // discovery requests an hour for each organization; 0 = 10,000

	Conversations  *assistant.Conversations // answers questions about sites; nil = this server has no assistant
	AnswerLimiter  *assistanthttp.Limiter   // of its answers, also on sites; nil = default number at once
	AnalyticsLimit int                      // requests about analytics an hour for each organization's keys; 0 = 100

	TrustsHost func(host string) bool // hosts that webhooks may reach without TLS; nil = none

	Hosts forge.Hosts // reaches code hosts
	// Place opens the repository of a project at its code host, with the credential of its source. A project without a
	// code host is a fault.
	Place func(ctx context.Context, p project.Project) (connect.Place, error)

	Mail bool // links are also sent by mail, which requires PublicURL

	Prover       Prover       // checks whether domains are proven; nil = only the operator approves them
	Certificates Certificates // of this server's own HTTPS; nil = HTTPS is left to a proxy

	PublicURL     string // address of this server; "" = the one each caller uses
	PreviewDomain string // no project may have it or a domain below it; "" = none
	SiteURL       func(domain string) string
	PreviewURL    func(deploymentID string) string
	// BasePath returns the path that the pages of a published version were built for; nil = no site has one.
	BasePath func(ctx context.Context, manifestKey string) (string, error)

	// LocalSource reports why an organization may not have a source at a path of the server's own disk; nil = none may.
	LocalSource func(ctx context.Context, organizationID, at string) error
	// checks a Git URL; a fault with field source.repository says what is wrong
	ValidateRepository func(url string) error
	ValidateBranch     func(name string) error

	Deployment  feature.Deployment
	Version     string
	Description func() ([]byte, error)          // api/openapi.yaml as JSON; called with each request for it
	Ready       func(ctx context.Context) error // nil error = everything works
	ServesSites func(ctx context.Context) error // nil error = at least sites are served; nil = Ready is used

	// closed when the server begins to stop: streams end; nil = never
	Stopping <-chan struct{}
	// counts and times a route; may be nil
	Instrument func(route string, next http.Handler) http.Handler
	// how long an answer may take to make, or a stream to begin; 0 = 30 s
	Longest time.Duration
	// how often streams look for news and give a sign of life; 0 = 200 ms, 15 s
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
