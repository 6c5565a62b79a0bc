package config

import "time"

// Server is every setting of `lectern serve` and `lectern worker`.
//
// Tags: name, default, help, placeholder and group are read by the command-line parser; key names the setting;
// oneof lists the values it may have; secret marks what must not be printed, with "env" for those without a flag;
// file:"-" marks what the settings file cannot hold.
type Server struct {
	Config string `name:"config" key:"config" file:"-" group:"Basics" placeholder:"FILE" help:"Settings file (YAML)."`
	Data   string `name:"data" key:"data" group:"Basics" default:"./lectern-data" help:"Folder for everything the server keeps on disk."`
	Listen string `name:"listen" key:"listen" group:"Basics" default:"127.0.0.1:8080" help:"Address of the admin API, the dashboard and the published sites."`

	SiteCache     int    `name:"site-cache" key:"site.cache" group:"Basics" default:"33554432" placeholder:"BYTES" help:"Memory for files of published sites, in bytes; their lists of files and search indexes may take as much again each. At least 1048576."`
	PublicURL     string `name:"public-url" key:"public-url" group:"Basics" placeholder:"URL" help:"Address under which callers reach this server, such as https://lectern.example.com. Without it, http and the listen address."`
	PreviewDomain string `name:"preview-domain" key:"preview-domain" group:"Basics" default:"preview.localhost" help:"Domain under which previews get a host name each."`
	FirstSite     string `name:"first-site" key:"first-site" oneof:"auto,off" group:"Basics" default:"auto" help:"auto: the first start publishes Lectern's own docs. off: it starts empty."`
	FirstSecrets  string `name:"first-secrets" key:"first-secrets" oneof:"auto,print,off" group:"Basics" default:"auto" help:"print: the first start prints an API key, and every start a link for the owner's account until there is one. off: neither is made; use lectern keys create and lectern org invite. auto: print on a terminal, off where output is collected, as in a journal."`

	DomainsOpen     []string      `name:"domains-open" key:"domains.open" group:"Domains" default:"localhost" placeholder:"SUFFIX" help:"Suffixes below which any organization may take a free name without a proof, such as sites.example.com."`
	DomainsReserve  time.Duration `name:"domains-reserve" key:"domains.reserve" group:"Domains" default:"720h" help:"How long a name stays reserved for its organization after its project was deleted or gave it up, 1h to 8760h."`
	DomainsResolver string        `name:"domains-resolver" key:"domains.resolver" group:"Domains" placeholder:"HOST:PORT" help:"Name server that is asked for proofs of domains. Without it, the machine's; an air-gapped server asks none without it."`

	Database       string `name:"database" key:"database" secret:"url" group:"Storage" placeholder:"URL" help:"PostgreSQL URL (postgres://...). Without it, SQLite in the data folder. With a password in it, prefer the variable to the flag."`
	Blob           string `name:"blob" key:"blob" group:"Storage" placeholder:"URL" help:"Where sites and bundles are kept: s3://BUCKET/PREFIX?region=R&endpoint=URL&path-style=true. Without it, the data folder."`
	S3AccessKey    string `kong:"-" key:"s3.access-key" secret:"env" group:"Storage" help:"S3 access key."`
	S3SecretKey    string `kong:"-" key:"s3.secret-key" secret:"env" group:"Storage" help:"S3 secret key."`
	S3SessionToken string `kong:"-" key:"s3.session-token" secret:"env" group:"Storage" help:"S3 session token, when the keys are temporary."`

	S3AccessKeyFile    string `name:"s3-access-key-file" key:"s3.access-key-file" group:"Storage" placeholder:"FILE" help:"File that holds the S3 access key."`
	S3SecretKeyFile    string `name:"s3-secret-key-file" key:"s3.secret-key-file" group:"Storage" placeholder:"FILE" help:"File that holds the S3 secret key."`
	S3SessionTokenFile string `name:"s3-session-token-file" key:"s3.session-token-file" group:"Storage" placeholder:"FILE" help:"File that holds the S3 session token."`

	CacheFolder   string `name:"cache-folder" key:"cache.folder" group:"Storage" placeholder:"DIR" help:"Folder, of this user alone, in which builds keep what later builds use again. Without it, cache in the data folder. What is in it can be removed at any time."`
	CacheMaxBytes int    `name:"cache-max-bytes" key:"cache.max-bytes" group:"Storage" default:"2147483648" help:"Most bytes of that folder, at least 16777216. 0: nothing is kept."`

	SecretKey             string   `kong:"-" key:"secret-key" secret:"env" group:"Security" help:"Secret of at least 32 characters from which link signatures and key hashes are made. Without it, one is made in the data folder. Servers that share a database must share it."`
	SecretKeyFile         string   `name:"secret-key-file" key:"secret-key-file" group:"Security" placeholder:"FILE" help:"File that holds the secret key."`
	SecretKeyPrevious     []string `kong:"-" key:"secret-key-previous" secret:"env" group:"Security" help:"Earlier secret keys, comma-separated, that are still accepted after the secret key was changed."`
	SecretKeyPreviousFile string   `name:"secret-key-previous-file" key:"secret-key-previous-file" group:"Security" placeholder:"FILE" help:"File that holds the earlier secret keys, separated by commas or lines."`
	LeakedKeysFile        string   `name:"leaked-keys-public-keys-file" key:"leaked-keys.public-keys-file" group:"Security" placeholder:"FILE" help:"Public keys, as GitHub publishes them for secret scanning, whose signed reports of leaked API keys revoke those keys. Without it, there is no such operation."`
	CredentialsDir        string   `name:"credentials-dir" key:"credentials.dir" group:"Security" placeholder:"DIR" help:"Folder with one file per repository credential, named like it. Variables LECTERN_CREDENTIAL_NAME come first."`
	CredentialsShared     []string `name:"credentials-shared" key:"credentials.shared" group:"Security" placeholder:"NAME=ORG" help:"Organizations that may use the server's own credentials, such as docs-bot=org_abc, one entry for each pair. A server with one organization needs none."`
	SourcesLocal          string   `name:"sources-local" key:"sources.local" oneof:"auto,on,roots,off" group:"Security" default:"auto" help:"Whether projects may have their source on this server's disk. auto: in any folder, while the server has one organization, listens on loopback alone, has no public-url beyond loopback and trusts no proxy. on: in any folder, while it has one organization. roots: only in those of sources.roots, which auto and on allow too."`
	SourcesRoots          []string `name:"sources-roots" key:"sources.roots" group:"Security" placeholder:"ORG=FOLDER" help:"Folders of this server's disk that an organization's projects may have their sources in, such as org_abc=/srv/docs. Those of two organizations may not overlap."`
	AllowAddress          []string `name:"allow-address" key:"allow-address" group:"Security" placeholder:"HOST" help:"Host names, IP addresses and CIDR blocks that addresses given by authors and API callers may reach although they are not public."`
	TrustedProxies        []string `name:"trusted-proxies" key:"trusted-proxies" group:"Security" placeholder:"CIDR" help:"Proxies whose X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host are believed."`
	Scripts               string   `name:"scripts" key:"scripts" oneof:"process,off" group:"Security" default:"process" help:"JavaScript of authors. process: it runs in processes without files, network or environment, with limits. off: it is not run, and pages show nothing in its place."`
	RateLimit             int      `name:"rate-limit" key:"rate-limit" group:"Security" default:"6000" help:"Requests a minute for each key. 0: no limit."`

	SessionIdle          time.Duration `name:"session-idle" key:"session.idle" group:"Dashboard" default:"12h" help:"After how long without a request people are signed out, 5m to 336h. Lowering it ends older sessions."`
	SessionMax           time.Duration `name:"session-max" key:"session.max" group:"Dashboard" default:"168h" help:"How long people stay signed in at most, 5m to 336h. Lowering it ends older sessions."`
	DashboardHTTP        string        `name:"dashboard-http" key:"dashboard.http" oneof:"refuse,allow" group:"Dashboard" default:"refuse" help:"Signing in over plain http from other machines. allow: only in a network where nobody listens."`
	OIDCIssuer           string        `name:"oidc-issuer" key:"oidc.issuer" group:"Dashboard" placeholder:"URL" help:"OpenID Connect provider with which people sign in, such as https://id.example.com. The address to register there is PUBLIC-URL/dashboard/oidc/callback."`
	OIDCClientID         string        `name:"oidc-client-id" key:"oidc.client-id" group:"Dashboard" placeholder:"ID" help:"What the provider calls this server."`
	OIDCClientSecret     string        `kong:"-" key:"oidc.client-secret" secret:"env" group:"Dashboard" help:"Secret that the provider gave it."`
	OIDCClientSecretFile string        `name:"oidc-client-secret-file" key:"oidc.client-secret-file" group:"Dashboard" placeholder:"FILE" help:"File that holds that secret."`
	OIDCName             string        `name:"oidc-name" key:"oidc.name" group:"Dashboard" default:"single sign-on" help:"What the button calls the provider."`
	OIDCScopes           []string      `name:"oidc-scopes" key:"oidc.scopes" group:"Dashboard" placeholder:"SCOPE" help:"Scopes to ask for beyond openid, email and profile, such as groups."`
	OIDCGroupsClaim      string        `name:"oidc-groups-claim" key:"oidc.groups-claim" group:"Dashboard" default:"groups" help:"Claim that lists a person's groups."`
	OIDCRoles            []string      `name:"oidc-roles" key:"oidc.roles" group:"Dashboard" placeholder:"GROUP=ROLE" help:"Roles that groups of the provider get: owner, admin, editor or viewer. The strongest counts, and is given anew at each sign-in."`
	OIDCDefaultRole      string        `name:"oidc-default-role" key:"oidc.default-role" oneof:"none,viewer,editor,admin" group:"Dashboard" default:"none" help:"Role of people whose groups give none. none: they need an invitation."`
	OIDCOrganization     string        `name:"oidc-organization" key:"oidc.organization" group:"Dashboard" placeholder:"ID" help:"Organization whose members they become. Without it, the server's first."`

	DeploymentType    string `name:"deployment-type" key:"deployment.type" oneof:"cloud,client-hosted,air-gapped" group:"Features" default:"client-hosted" help:"Kind of deployment; decides which features there can be."`
	FeaturesSearch    string `name:"features-search" key:"features.search" oneof:"on,off,local" group:"Features" default:"on" help:"Search. local: wholly inside the site, also when air-gapped."`
	FeaturesAnalytics string `name:"features-analytics" key:"features.analytics" oneof:"on,off" group:"Features" default:"on" help:"Web analytics."`
	FeaturesAssistant string `name:"features-assistant" key:"features.assistant" oneof:"auto,local,off" group:"Features" default:"auto" help:"AI assistant. auto: on once assistant.endpoint is set, and on cloud without it too, as local. local: without a model, it quotes passages, wholly inside the server, also when air-gapped."`

	AssistantEndpoint   string        `name:"assistant-endpoint" key:"assistant.endpoint" group:"Assistant" placeholder:"URL" help:"Where the assistant's model answers, such as https://api.anthropic.com, https://api.openai.com/v1 or a server of your own network."`
	AssistantModel      string        `name:"assistant-model" key:"assistant.model" group:"Assistant" placeholder:"MODEL" help:"Model that answers there: anthropic:NAME, or openai:NAME for any server that speaks that API."`
	AssistantKey        string        `kong:"-" key:"assistant.key" secret:"env" group:"Assistant" help:"Key for it; a server of your own may need none."`
	AssistantKeyFile    string        `name:"assistant-key-file" key:"assistant.key-file" group:"Assistant" placeholder:"FILE" help:"File that holds that key."`
	AssistantOrigins    []string      `name:"assistant-origins" key:"assistant.origins" group:"Assistant" placeholder:"ORIGIN" help:"Origins of other sites that may show the assistant as a widget, such as https://app.example.com."`
	AssistantPerVisitor int           `name:"assistant-per-visitor" key:"assistant.per-visitor" group:"Assistant" default:"60" help:"Questions an hour of one visitor. 0: no limit."`
	AssistantPerSite    int           `name:"assistant-per-site" key:"assistant.per-site" group:"Assistant" default:"10000" help:"Questions an hour to one site. 0: no limit."`
	AssistantKeepFor    time.Duration `name:"assistant-keep-for" key:"assistant.keep-for" group:"Assistant" default:"720h" help:"How long questions and answers are kept. 0: they are not kept at all."`

	PlaygroundOrigins []string `name:"playground-origins" key:"playground.origins" group:"Playground" placeholder:"ORIGIN" help:"Origins that the API playground may call beside those of the site's published API descriptions, also at addresses that are not public, such as https://api.internal.example. When air-gapped, the only ones; without any there is no playground."`
	PlaygroundProxy   string   `name:"playground-proxy" key:"playground.proxy" oneof:"on,off" group:"Playground" default:"on" help:"Whether the server passes requests of the playground on, for APIs that browsers may not call from another origin."`

	AnalyticsKeepFor       time.Duration `name:"analytics-keep-for" key:"analytics.keep-for" group:"Analytics" default:"17520h" help:"How long counts of visits and searches, and what readers said, are kept. 0: for ever."`
	AnalyticsBundles       string        `name:"analytics-bundles" key:"analytics.bundles" oneof:"on,off" group:"Analytics" default:"off" help:"Whether pages of exported bundles tell the published site of visits, from wherever they are hosted. off: they contact nobody."`
	AnalyticsForward       string        `name:"analytics-forward" key:"analytics.forward" oneof:"on,off" group:"Analytics" default:"off" help:"Whether the server tells the analytics tools that docs.json names of visits. Never when air-gapped."`
	AnalyticsGA4Secret     string        `kong:"-" key:"analytics.ga4-secret" secret:"env" group:"Analytics" help:"Measurement Protocol secret of Google Analytics 4, without which nothing is forwarded there."`
	AnalyticsGA4SecretFile string        `name:"analytics-ga4-secret-file" key:"analytics.ga4-secret-file" group:"Analytics" placeholder:"FILE" help:"File that holds that secret."`

	GitPollInterval time.Duration `name:"git-poll-interval" key:"git.poll-interval" group:"Work" default:"5m" help:"How often repositories are asked for new commits. 0: never."`
	ExportLinkLife  time.Duration `name:"export-link-life" key:"export.link-life" group:"Work" default:"1h" help:"How long a bundle's download link works; 168h at most."`
	Workers         int           `name:"workers" key:"workers" group:"Work" default:"0" help:"Jobs done at once. 0: one for each processor, at least 2. -1: none here, lectern worker does them."`
	JobLease        time.Duration `name:"job-lease" key:"job.lease" group:"Work" default:"15s" help:"How long a job whose worker went silent waits for another; 45s at most."`
	JobHeartbeat    time.Duration `name:"job-heartbeat" key:"job.heartbeat" group:"Work" default:"500ms" help:"How often a worker renews its lease and looks whether its job was cancelled; a third of the lease at most."`
	JobMaxRunning   int           `name:"job-max-running-per-organization" key:"job.max-running-per-organization" group:"Work" default:"8" help:"Updates and exports of one organization that run at once, over all workers; others wait for their turn. Agent jobs are counted apart, up to the same number. 0: no limit."`
	JobMaxTime      time.Duration `name:"job-max-time" key:"job.max-time" group:"Work" default:"2h" help:"How long one update may run, all attempts together, before it is stopped and fails. Exports have export.max-time, agent jobs agent.max-time. 0: no limit."`
	JobOutageLimit  time.Duration `name:"job-outage-limit" key:"job.outage-limit" group:"Work" default:"12h" help:"How long a job waits, with pauses of up to 5 minutes between two tries, while object storage, database or disk do not answer or are full. Then it fails."`
	Repositories    string        `name:"repositories" key:"repositories" group:"Work" placeholder:"FOLDER" help:"Folder of the embedded code host's repositories, for servers and workers that share a PostgreSQL database: a volume that all of them have. Without it, such a server keeps them in its data folder only if it does all work itself."`
	ShutdownGrace   time.Duration `name:"shutdown-grace" key:"shutdown-grace" group:"Work" default:"20s" help:"How long a stopping server waits for requests and jobs under way."`
	ShutdownDelay   time.Duration `name:"shutdown-delay" key:"shutdown-delay" group:"Work" default:"0s" help:"How long a stopping server goes on taking requests while /readyz says that it is not ready, so that load balancers have left it before it closes; 5m at most."`

	PublishMaxRemoved int `name:"publish-max-removed" key:"publish.max-removed" group:"Work" default:"50" help:"Share of the live pages, in percent, that an update may remove although no change in the source removes them; above it the update fails until somebody confirms it. 100: any."`

	ExportSigningKey     string        `name:"export-signing-key" key:"export.signing-key" group:"Exports" placeholder:"FILE" help:"File with an Ed25519 private key in PEM; the manifest of every bundle is then signed with it. All workers need the same."`
	ExportMaxPages       int           `name:"export-max-pages" key:"export.max-pages" group:"Exports" default:"100000" help:"Most pages of one export; one with more fails. 0: no limit."`
	ExportMaxBytes       int           `name:"export-max-bytes" key:"export.max-bytes" group:"Exports" default:"10737418240" help:"Most bytes of one export's files, before compression; one with more fails. 0: no limit."`
	ExportMaxTime        time.Duration `name:"export-max-time" key:"export.max-time" group:"Exports" default:"30m" help:"How long one export may run before it is stopped. 0: no limit."`
	ExportMaxRunning     int           `name:"export-max-running-per-organization" key:"export.max-running-per-organization" group:"Exports" default:"2" help:"Exports of one organization that run at once; others wait for their turn. 0: no limit."`
	ExportMaxQueued      int           `name:"export-max-queued-per-organization" key:"export.max-queued-per-organization" group:"Exports" default:"100" help:"Exports of one organization that may wait; starts above it are refused with 429. 0: no limit."`
	ExportKeepFor        time.Duration `name:"export-keep-for" key:"export.keep-for" group:"Exports" default:"720h" help:"How long the bundles of a completed export are kept, and longer only while a link to them works. 0: for ever."`
	ExportMaxStoredBytes int           `name:"export-max-stored-bytes" key:"export.max-stored-bytes" group:"Exports" default:"21474836480" help:"Most bytes of one organization's bundles. Above it the oldest are removed, but neither the newest three of a domain nor those with a link that works. 0: no limit."`

	AgentModels           []string      `name:"agent-models" key:"agent.models" group:"Agent" default:"builtin" placeholder:"MODEL" help:"Models that agent jobs may name, the default first: builtin, anthropic:NAME, openai:NAME (any server that speaks that API), command."`
	AgentAnthropicURL     string        `name:"agent-anthropic-url" key:"agent.anthropic-url" group:"Agent" default:"https://api.anthropic.com" placeholder:"URL" help:"Where models of the form anthropic:NAME answer."`
	AgentAnthropicKey     string        `kong:"-" key:"agent.anthropic-key" secret:"env" group:"Agent" help:"Key for them."`
	AgentAnthropicKeyFile string        `name:"agent-anthropic-key-file" key:"agent.anthropic-key-file" group:"Agent" placeholder:"FILE" help:"File that holds that key."`
	AgentOpenAIURL        string        `name:"agent-openai-url" key:"agent.openai-url" group:"Agent" default:"https://api.openai.com/v1" placeholder:"URL" help:"Where models of the form openai:NAME answer; it may be a server of your own network."`
	AgentOpenAIKey        string        `kong:"-" key:"agent.openai-key" secret:"env" group:"Agent" help:"Key for them; a server of your own may need none."`
	AgentOpenAIKeyFile    string        `name:"agent-openai-key-file" key:"agent.openai-key-file" group:"Agent" placeholder:"FILE" help:"File that holds that key."`
	AgentPrices           []string      `name:"agent-prices" key:"agent.prices" group:"Agent" placeholder:"MODEL=IN/OUT" help:"US dollars for a million tokens read and written, such as anthropic:NAME=3/15, to count what jobs cost."`
	AgentCommand          []string      `name:"agent-command" key:"agent.command" group:"Agent" placeholder:"WORD" help:"Program and arguments of the model command: it gets the prompt on its standard input and works in a copy of the docs folder."`
	AgentCommandEnv       []string      `name:"agent-command-env" key:"agent.command-env" group:"Agent" placeholder:"NAME" help:"Variables of this process that the program may see, such as the key of its own model."`
	AgentCommandNetwork   string        `name:"agent-command-network" key:"agent.command-network" oneof:"on,off" group:"Agent" default:"off" help:"Whether the program may use the network: through a proxy of the server, to public hosts and those of allow-address."`
	AgentCommandFolders   []string      `name:"agent-command-folders" key:"agent.command-folders" group:"Agent" placeholder:"FOLDER" help:"Folders that the program may read and run beside the system's own, such as the one it is installed in."`
	AgentCommandSandbox   string        `name:"agent-command-sandbox" key:"agent.command-sandbox" oneof:"on,off" group:"Agent" default:"on" help:"Whether the program runs in a sandbox, which needs Linux. off: it has all rights of the server's user."`
	AgentShell            string        `name:"agent-shell" key:"agent.shell" oneof:"on,off" group:"Agent" default:"off" help:"Whether models have a tool that runs commands, in a sandbox without network."`
	AgentMaxRunning       int           `name:"agent-max-running" key:"agent.max-running" group:"Agent" default:"4" help:"Agent jobs that one process works on at once, beside its other jobs."`
	AgentMaxSteps         int           `name:"agent-max-steps" key:"agent.max-steps" group:"Agent" default:"80" help:"Most answers of the model in one round of a job."`
	AgentMaxTokens        int           `name:"agent-max-tokens" key:"agent.max-tokens" group:"Agent" default:"4000000" help:"Most tokens, read and written, in one round of a job."`
	AgentMaxTime          time.Duration `name:"agent-max-time" key:"agent.max-time" group:"Agent" default:"30m" help:"How long one round of a job may take; 2h at most."`
	AgentMaxFiles         int           `name:"agent-max-files" key:"agent.max-files" group:"Agent" default:"200" help:"Most files that one round may change."`
	AgentMaxBytes         int           `name:"agent-max-bytes" key:"agent.max-bytes" group:"Agent" default:"8388608" help:"Most bytes of the files that one round changes."`
	AgentAllowFiles       []string      `name:"agent-allow-files" key:"agent.allow-files" group:"Agent" placeholder:"PATTERN" help:"Files that agents may change although they are kept from them, such as .github/**."`
	AgentNewHosts         string        `name:"agent-new-hosts" key:"agent.new-hosts" oneof:"tell,refuse" group:"Agent" default:"tell" help:"Links to hosts that the docs did not name before. tell: the pull request lists them. refuse: the job fails."`
	AgentLabels           []string      `name:"agent-labels" key:"agent.labels" group:"Agent" placeholder:"LABEL" help:"Labels of pull requests."`
	AgentReviewers        []string      `name:"agent-reviewers" key:"agent.reviewers" group:"Agent" placeholder:"NAME" help:"Who is asked to review them."`
	AgentKeepFor          time.Duration `name:"agent-keep-for" key:"agent.keep-for" group:"Agent" default:"720h" help:"After how long a finished job is archived, and its record removed after as long again. 0: never."`

	ForgeHosts []string `name:"forge-hosts" key:"forge.hosts" group:"Agent" placeholder:"HOST=KIND" help:"Kinds of code hosts that are not known by their names: HOST=github, gitlab, gitea, bitbucket or bitbucket-data-center, with @URL after it where the API is elsewhere than usual."`

	MetricsListen string `name:"metrics-listen" key:"metrics.listen" group:"Observation" default:"127.0.0.1:9090" help:"Address of the Prometheus metrics; off for none. Port 0: any free port."`
	LogFormat     string `name:"log-format" key:"log.format" oneof:"auto,text,json" group:"Observation" default:"auto" help:"Form of the log. auto: text on a terminal, json elsewhere."`
	LogLevel      string `name:"log-level" key:"log.level" oneof:"debug,info,warn,error" group:"Observation" default:"info" help:"Least important message that is logged."`

	OtelEndpoint string   `name:"otel-endpoint" key:"otel.endpoint" group:"Observation" placeholder:"URL" help:"OTLP address of a collector, such as http://collector:4318, or http://collector:4317 for gRPC. Without it, OTEL_EXPORTER_OTLP_ENDPOINT counts; without either, nothing is sent."`
	OtelProtocol string   `name:"otel-protocol" key:"otel.protocol" oneof:"auto,http/protobuf,grpc" group:"Observation" default:"auto" help:"Protocol of the collector. auto: that of OTEL_EXPORTER_OTLP_PROTOCOL, or else http/protobuf."`
	OtelSignals  []string `name:"otel-signals" key:"otel.signals" group:"Observation" default:"traces" placeholder:"SIGNAL" help:"What is sent to the collector: traces, metrics, logs."`
}
