package config

import "time"

// Server contains every setting of `lectern serve` and `lectern worker`.
//
// Tags: the command-line parser reads name, default, help, placeholder and group; key names the setting; oneof lists
// its possible values; secret marks values that must not be printed, with "env" for those without a flag; file:"-"
// marks settings that the settings file cannot contain.
type Server struct {
	Config string `name:"config" key:"config" file:"-" group:"Basics" placeholder:"FILE" help:"Settings file (YAML)."`
	Data   string `name:"data" key:"data" group:"Basics" default:"./lectern-data" help:"Folder for everything the server stores on disk."`
	Listen string `name:"listen" key:"listen" group:"Basics" default:"127.0.0.1:8080" help:"Address of the admin API, the dashboard and the published sites."`

	SiteCache     int    `name:"site-cache" key:"site.cache" group:"Basics" default:"33554432" placeholder:"BYTES" help:"Memory for caching files of published sites, in bytes. Their file lists and search indexes may each use the same amount again. At least 1048576."`
	PublicURL     string `name:"public-url" key:"public-url" group:"Basics" placeholder:"URL" help:"Public address of this server, such as https://lectern.example.com. Default: http and the listen address."`
	PreviewDomain string `name:"preview-domain" key:"preview-domain" group:"Basics" default:"preview.localhost" help:"Domain for previews; each preview gets a host name below it."`
	FirstSite     string `name:"first-site" key:"first-site" oneof:"auto,off" group:"Basics" default:"auto" help:"auto: the first start publishes Lectern's own docs. off: it starts empty."`
	FirstSecrets  string `name:"first-secrets" key:"first-secrets" oneof:"auto,print,off" group:"Basics" default:"auto" help:"print: the first start prints an API key, and every start prints a link to create the owner's account until one exists. off: prints neither; use lectern keys create and lectern org invite. auto: print on a terminal, off where output is collected, as in a journal."`

	DomainsOpen     []string      `name:"domains-open" key:"domains.open" group:"Domains" default:"localhost" placeholder:"SUFFIX" help:"Suffixes below which any organization may use a free domain without verification, such as sites.example.com."`
	DomainsReserve  time.Duration `name:"domains-reserve" key:"domains.reserve" group:"Domains" default:"720h" help:"How long a domain stays reserved for its organization after its project was deleted or removed it, 1h to 8760h."`
	DomainsResolver string        `name:"domains-resolver" key:"domains.resolver" group:"Domains" placeholder:"HOST:PORT" help:"DNS server for verifying domains. Default: the machine's DNS server; none on an air-gapped server."`

	TLSMode             string   `name:"tls-mode" key:"tls.mode" oneof:"off,acme,files" group:"TLS" default:"off" help:"Whether this server serves HTTPS itself on its listen address. acme: gets and renews certificates for its own host and its sites, and agrees to the terms of the certificate authority. files: uses your certificates. off: a proxy handles HTTPS."`
	TLSHTTP3            string   `name:"tls-http3" key:"tls.http3" oneof:"on,off" group:"TLS" default:"on" help:"Whether this server also speaks HTTP/3, on the UDP port with the number of its listen address. Browsers use it if they can reach the port."`
	TLSRedirectListen   string   `name:"tls-redirect-listen" key:"tls.redirect-listen" group:"TLS" default:":80" placeholder:"HOST:PORT" help:"Address where plain HTTP is redirected to HTTPS and challenges of the certificate authority are answered. off: none."`
	TLSEmail            string   `name:"tls-email" key:"tls.email" group:"TLS" placeholder:"ADDRESS" help:"Email address for notices of the certificate authority."`
	TLSACMEURL          string   `name:"tls-acme-url" key:"tls.acme-url" group:"TLS" default:"https://acme-v02.api.letsencrypt.org/directory" placeholder:"URL" help:"ACME directory of the certificate authority."`
	TLSACMECAFile       string   `name:"tls-acme-ca-file" key:"tls.acme-ca-file" group:"TLS" placeholder:"FILE" help:"File with the root certificate (PEM) of your own certificate authority's API, if the system does not trust it."`
	TLSCertificateFiles []string `name:"tls-certificate-files" key:"tls.certificate-files" group:"TLS" placeholder:"FILE" help:"Certificates with their chains (PEM), for tls.mode files. They are read again after they are replaced."`
	TLSKeyFiles         []string `name:"tls-key-files" key:"tls.key-files" group:"TLS" placeholder:"FILE" help:"Their private keys (PEM), in the same order."`

	Database       string `name:"database" key:"database" secret:"url" group:"Storage" placeholder:"URL" help:"PostgreSQL URL (postgres://...). Default: SQLite in the data folder. If the URL contains a password, use the variable instead of the flag."`
	Blob           string `name:"blob" key:"blob" group:"Storage" placeholder:"URL" help:"Storage for sites and bundles: s3://BUCKET/PREFIX?region=R&endpoint=URL&path-style=true. Default: the data folder."`
	S3AccessKey    string `kong:"-" key:"s3.access-key" secret:"env" group:"Storage" help:"S3 access key."`
	S3SecretKey    string `kong:"-" key:"s3.secret-key" secret:"env" group:"Storage" help:"S3 secret key."`
	S3SessionToken string `kong:"-" key:"s3.session-token" secret:"env" group:"Storage" help:"S3 session token for temporary keys."`

	S3AccessKeyFile    string `name:"s3-access-key-file" key:"s3.access-key-file" group:"Storage" placeholder:"FILE" help:"File with the S3 access key."`
	S3SecretKeyFile    string `name:"s3-secret-key-file" key:"s3.secret-key-file" group:"Storage" placeholder:"FILE" help:"File with the S3 secret key."`
	S3SessionTokenFile string `name:"s3-session-token-file" key:"s3.session-token-file" group:"Storage" placeholder:"FILE" help:"File with the S3 session token."`

	CacheFolder   string `name:"cache-folder" key:"cache.folder" group:"Storage" placeholder:"DIR" help:"Folder of the build cache; only this user may have access. Default: cache in the data folder. Its content can be removed at any time."`
	CacheMaxBytes int    `name:"cache-max-bytes" key:"cache.max-bytes" group:"Storage" default:"2147483648" help:"Maximum size of the build cache in bytes, at least 16777216. 0: no cache."`

	SecretKey             string   `kong:"-" key:"secret-key" secret:"env" group:"Security" help:"Secret of at least 32 characters for link signatures and key hashes. Default: generated in the data folder. Servers that share a database must use the same secret."`
	SecretKeyFile         string   `name:"secret-key-file" key:"secret-key-file" group:"Security" placeholder:"FILE" help:"File with the secret key."`
	SecretKeyPrevious     []string `kong:"-" key:"secret-key-previous" secret:"env" group:"Security" help:"Earlier secret keys, comma-separated, that are still accepted after a change of the secret key."`
	SecretKeyPreviousFile string   `name:"secret-key-previous-file" key:"secret-key-previous-file" group:"Security" placeholder:"FILE" help:"File with the earlier secret keys, separated by commas or line breaks."`
	LeakedKeysFile        string   `name:"leaked-keys-public-keys-file" key:"leaked-keys.public-keys-file" group:"Security" placeholder:"FILE" help:"File with public keys in the format that GitHub publishes for secret scanning. Reports of leaked API keys signed with them revoke those keys. Default: the operation is off."`
	CredentialsDir        string   `name:"credentials-dir" key:"credentials.dir" group:"Security" placeholder:"DIR" help:"Folder with one file per repository credential; the file name is the credential's name. Variables LECTERN_CREDENTIAL_NAME take precedence."`
	CredentialsShared     []string `name:"credentials-shared" key:"credentials.shared" group:"Security" placeholder:"NAME=ORG" help:"Organizations that may use the server's own credentials, such as docs-bot=org_abc, one entry per pair. Not needed on a server with one organization."`
	SourcesLocal          string   `name:"sources-local" key:"sources.local" oneof:"auto,on,roots,off" group:"Security" default:"auto" help:"Whether projects may have their source on this server's disk. auto: in any folder, if the server has one organization, listens only on loopback, has no public-url beyond loopback and trusts no proxy. on: in any folder, if it has one organization. roots: only in the folders of sources.roots, which auto and on also allow."`
	SourcesRoots          []string `name:"sources-roots" key:"sources.roots" group:"Security" placeholder:"ORG=FOLDER" help:"Folders on this server's disk that an organization's projects may use as sources, such as org_abc=/srv/docs. Folders of two organizations must not overlap."`
	AllowAddress          []string `name:"allow-address" key:"allow-address" group:"Security" placeholder:"HOST" help:"Non-public host names, IP addresses and CIDR blocks that the server may connect to for authors and API callers."`
	TrustedProxies        []string `name:"trusted-proxies" key:"trusted-proxies" group:"Security" placeholder:"CIDR" help:"Proxies whose X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host headers are trusted."`
	Scripts               string   `name:"scripts" key:"scripts" oneof:"process,off" group:"Security" default:"process" help:"JavaScript of authors. process: runs in limited processes without files, network or environment. off: does not run, and pages show nothing in its place."`
	RateLimit             int      `name:"rate-limit" key:"rate-limit" group:"Security" default:"6000" help:"Requests per minute for each key. 0: no limit."`

	SessionIdle          time.Duration `name:"session-idle" key:"session.idle" group:"Dashboard" default:"12h" help:"Time without a request after which people are signed out of the dashboard and of private sites, 5m to 336h. Lowering it ends older sessions."`
	SessionMax           time.Duration `name:"session-max" key:"session.max" group:"Dashboard" default:"168h" help:"Maximum time that people stay signed in there, 5m to 336h. Lowering it ends older sessions."`
	DashboardHTTP        string        `name:"dashboard-http" key:"dashboard.http" oneof:"refuse,allow" group:"Dashboard" default:"refuse" help:"Signing in over plain http from other machines. Use allow only in a trusted network."`
	OIDCIssuer           string        `name:"oidc-issuer" key:"oidc.issuer" group:"Dashboard" placeholder:"URL" help:"OpenID Connect provider for signing in, such as https://id.example.com. Register the redirect address PUBLIC-URL/dashboard/oidc/callback there."`
	OIDCClientID         string        `name:"oidc-client-id" key:"oidc.client-id" group:"Dashboard" placeholder:"ID" help:"Client id of this server at the provider."`
	OIDCClientSecret     string        `kong:"-" key:"oidc.client-secret" secret:"env" group:"Dashboard" help:"Client secret of this server at the provider."`
	OIDCClientSecretFile string        `name:"oidc-client-secret-file" key:"oidc.client-secret-file" group:"Dashboard" placeholder:"FILE" help:"File with that secret."`
	OIDCName             string        `name:"oidc-name" key:"oidc.name" group:"Dashboard" default:"single sign-on" help:"Name of the provider on the sign-in button."`
	OIDCScopes           []string      `name:"oidc-scopes" key:"oidc.scopes" group:"Dashboard" placeholder:"SCOPE" help:"Scopes to request in addition to openid, email and profile, such as groups."`
	OIDCGroupsClaim      string        `name:"oidc-groups-claim" key:"oidc.groups-claim" group:"Dashboard" default:"groups" help:"Claim that lists a person's groups."`
	OIDCRoles            []string      `name:"oidc-roles" key:"oidc.roles" group:"Dashboard" placeholder:"GROUP=ROLE" help:"Roles for groups of the provider: owner, admin, editor, viewer or guest. The highest role applies, and is assigned again at each sign-in. Groups that the provider manages by SCIM have these roles too."`
	OIDCDefaultRole      string        `name:"oidc-default-role" key:"oidc.default-role" oneof:"none,guest,viewer,editor,admin" group:"Dashboard" default:"none" help:"Role of people whose groups have no role. none: they need an invitation."`
	OIDCOrganization     string        `name:"oidc-organization" key:"oidc.organization" group:"Dashboard" placeholder:"ID" help:"Organization that these people join. Default: the server's first organization."`
	SAMLMetadataURL      string        `name:"saml-metadata-url" key:"saml.metadata-url" group:"Dashboard" placeholder:"URL" help:"Metadata of a SAML 2.0 provider for signing in, instead of OpenID Connect. Give the provider PUBLIC-URL/dashboard/saml/metadata, or the reply address PUBLIC-URL/dashboard/saml/acs."`
	SAMLMetadataFile     string        `name:"saml-metadata-file" key:"saml.metadata-file" group:"Dashboard" placeholder:"FILE" help:"File with that metadata, in XML. It is read at startup."`
	SAMLEntityID         string        `name:"saml-entity-id" key:"saml.entity-id" group:"Dashboard" placeholder:"ID" help:"Name by which the provider knows this server. Default: PUBLIC-URL/dashboard/saml/metadata."`
	SAMLName             string        `name:"saml-name" key:"saml.name" group:"Dashboard" default:"single sign-on" help:"Name of the provider on the sign-in button."`
	SAMLEmailAttribute   string        `name:"saml-email-attribute" key:"saml.email-attribute" group:"Dashboard" placeholder:"NAME" help:"Attribute with a person's e-mail address. Default: the usual names, such as email."`
	SAMLNameAttribute    string        `name:"saml-name-attribute" key:"saml.name-attribute" group:"Dashboard" placeholder:"NAME" help:"Attribute with a person's name. Default: the usual names, such as displayName."`
	SAMLGroupsAttribute  string        `name:"saml-groups-attribute" key:"saml.groups-attribute" group:"Dashboard" placeholder:"NAME" help:"Attribute that lists a person's groups. Default: the usual names, such as groups."`
	SAMLRoles            []string      `name:"saml-roles" key:"saml.roles" group:"Dashboard" placeholder:"GROUP=ROLE" help:"Roles for groups of the provider, as for oidc.roles."`
	SAMLDefaultRole      string        `name:"saml-default-role" key:"saml.default-role" oneof:"none,guest,viewer,editor,admin" group:"Dashboard" default:"none" help:"Role of people whose groups have no role. none: they need an invitation."`
	SAMLOrganization     string        `name:"saml-organization" key:"saml.organization" group:"Dashboard" placeholder:"ID" help:"Organization that these people join. Default: the server's first organization."`

	MailHost         string        `name:"mail-host" key:"mail.host" group:"Mail" placeholder:"HOST" help:"Mail server (SMTP) for invitations, password resets and alerts. Requires mail.from and public-url. Default: no mail is sent, and links are shown to copy."`
	MailPort         int           `name:"mail-port" key:"mail.port" group:"Mail" default:"587" help:"Port of the mail server; 465 is usual for implicit TLS."`
	MailTLS          string        `name:"mail-tls" key:"mail.tls" oneof:"starttls,implicit,none" group:"Mail" default:"starttls" help:"Encryption. starttls: required before anything is sent. implicit: from the start of the connection. none: only for a server on this machine or in a trusted network; no password is sent to another machine."`
	MailCAFile       string        `name:"mail-ca-file" key:"mail.ca-file" group:"Mail" placeholder:"FILE" help:"File with the root certificate (PEM) of your own certificate authority, if the system does not trust it."`
	MailUser         string        `name:"mail-user" key:"mail.user" group:"Mail" placeholder:"NAME" help:"User name at the mail server. Default: no authentication."`
	MailPassword     string        `kong:"-" key:"mail.password" secret:"env" group:"Mail" help:"Password at the mail server."`
	MailPasswordFile string        `name:"mail-password-file" key:"mail.password-file" group:"Mail" placeholder:"FILE" help:"File with that password."`
	MailFrom         string        `name:"mail-from" key:"mail.from" group:"Mail" placeholder:"ADDRESS" help:"Sender of emails, such as lectern@example.com; a name may precede the address, which is then in angle brackets."`
	MailReplyTo      string        `name:"mail-reply-to" key:"mail.reply-to" group:"Mail" placeholder:"ADDRESS" help:"Address for replies. Default: the sender."`
	MailTimeout      time.Duration `name:"mail-timeout" key:"mail.timeout" group:"Mail" default:"15s" help:"How long the mail server may take to answer, 1s to 2m. An email that could not be sent is tried again for three days."`

	DeploymentType    string `name:"deployment-type" key:"deployment.type" oneof:"cloud,client-hosted,air-gapped" group:"Features" default:"client-hosted" help:"Deployment type; determines which features are available."`
	FeaturesSearch    string `name:"features-search" key:"features.search" oneof:"on,off,local" group:"Features" default:"on" help:"Search. local: runs entirely inside the site, also when air-gapped."`
	FeaturesAnalytics string `name:"features-analytics" key:"features.analytics" oneof:"on,off" group:"Features" default:"on" help:"Web analytics."`
	FeaturesAssistant string `name:"features-assistant" key:"features.assistant" oneof:"auto,local,off" group:"Features" default:"auto" help:"AI assistant. auto: on if assistant.endpoint is set; on cloud also without it, as local. local: quotes passages without a model, entirely inside the server, also when air-gapped."`
	PagesExternal     string `name:"pages-external" key:"pages.external" oneof:"auto,on,off" group:"Features" default:"auto" help:"Whether authors may let pages load scripts, styles and fonts from other hosts, with integrations and security.allow in docs.json. auto: on, except on an air-gapped deployment."`

	AssistantEndpoint   string        `name:"assistant-endpoint" key:"assistant.endpoint" group:"Assistant" placeholder:"URL" help:"Address of the assistant's model, such as https://api.anthropic.com, https://api.openai.com/v1 or a server in your own network."`
	AssistantModel      string        `name:"assistant-model" key:"assistant.model" group:"Assistant" placeholder:"MODEL" help:"Model to use there: anthropic:NAME, or openai:NAME for any server with that API."`
	AssistantKey        string        `kong:"-" key:"assistant.key" secret:"env" group:"Assistant" help:"API key for the model; your own server may not need one."`
	AssistantKeyFile    string        `name:"assistant-key-file" key:"assistant.key-file" group:"Assistant" placeholder:"FILE" help:"File with that key."`
	AssistantOrigins    []string      `name:"assistant-origins" key:"assistant.origins" group:"Assistant" placeholder:"ORIGIN" help:"Origins of other sites that may show the assistant as a widget, such as https://app.example.com."`
	AssistantPerVisitor int           `name:"assistant-per-visitor" key:"assistant.per-visitor" group:"Assistant" default:"60" help:"Questions per hour from one visitor. 0: no limit."`
	AssistantPerSite    int           `name:"assistant-per-site" key:"assistant.per-site" group:"Assistant" default:"10000" help:"Questions per hour on one site. 0: no limit."`
	AssistantKeepFor    time.Duration `name:"assistant-keep-for" key:"assistant.keep-for" group:"Assistant" default:"720h" help:"How long questions and answers are stored. 0: they are not stored."`

	PlaygroundOrigins []string `name:"playground-origins" key:"playground.origins" group:"Playground" placeholder:"ORIGIN" help:"Origins that the API playground may call in addition to those in the site's published API descriptions, also at non-public addresses, such as https://api.internal.example. On an air-gapped server these are the only ones; without any, the playground is off."`
	PlaygroundProxy   string   `name:"playground-proxy" key:"playground.proxy" oneof:"on,off" group:"Playground" default:"on" help:"Whether the server forwards requests of the playground, for APIs that browsers may not call from another origin."`

	AnalyticsKeepFor       time.Duration `name:"analytics-keep-for" key:"analytics.keep-for" group:"Analytics" default:"17520h" help:"How long counts of visits and searches, and readers' feedback, are stored. 0: forever."`
	AnalyticsBundles       string        `name:"analytics-bundles" key:"analytics.bundles" oneof:"on,off" group:"Analytics" default:"off" help:"Whether pages of exported bundles report visits to the published site, wherever they are hosted. off: they contact no server."`
	AnalyticsForward       string        `name:"analytics-forward" key:"analytics.forward" oneof:"on,off" group:"Analytics" default:"off" help:"Whether the server reports visits to the analytics tools in docs.json. Never when air-gapped."`
	AnalyticsGA4Secret     string        `kong:"-" key:"analytics.ga4-secret" secret:"env" group:"Analytics" help:"Measurement Protocol secret of Google Analytics 4, required to forward visits there."`
	AnalyticsGA4SecretFile string        `name:"analytics-ga4-secret-file" key:"analytics.ga4-secret-file" group:"Analytics" placeholder:"FILE" help:"File with that secret."`

	GitPollInterval time.Duration `name:"git-poll-interval" key:"git.poll-interval" group:"Work" default:"5m" help:"How often repositories are polled for new commits. 0: never."`
	ExportLinkLife  time.Duration `name:"export-link-life" key:"export.link-life" group:"Work" default:"1h" help:"How long a bundle's download link is valid; at most 168h."`
	Workers         int           `name:"workers" key:"workers" group:"Work" default:"0" help:"Number of concurrent jobs. 0: one per processor, at least 2. -1: none; lectern worker runs them."`
	JobLease        time.Duration `name:"job-lease" key:"job.lease" group:"Work" default:"15s" help:"How long a job stays assigned to a worker that does not respond, before another worker takes it; at most 45s."`
	JobHeartbeat    time.Duration `name:"job-heartbeat" key:"job.heartbeat" group:"Work" default:"500ms" help:"How often a worker renews its lease and checks whether its job was cancelled; at most a third of the lease."`
	JobMaxRunning   int           `name:"job-max-running-per-organization" key:"job.max-running-per-organization" group:"Work" default:"8" help:"Updates and exports of one organization that run at once, across all workers; others wait. Agent jobs are counted separately, up to the same number. 0: no limit."`
	JobMaxTime      time.Duration `name:"job-max-time" key:"job.max-time" group:"Work" default:"2h" help:"How long one update may run in total, over all attempts, before it is stopped and fails. For exports see export.max-time, for agent jobs agent.max-time. 0: no limit."`
	JobOutageLimit  time.Duration `name:"job-outage-limit" key:"job.outage-limit" group:"Work" default:"12h" help:"How long a job retries, with pauses of up to 5 minutes, while object storage, database or disk are unavailable or full. Then it fails."`
	Repositories    string        `name:"repositories" key:"repositories" group:"Work" placeholder:"FOLDER" help:"Folder of the embedded code host's repositories, for servers and workers that share a PostgreSQL database: a volume that all of them mount. Default: the data folder, if the server runs all jobs itself."`
	ShutdownGrace   time.Duration `name:"shutdown-grace" key:"shutdown-grace" group:"Work" default:"20s" help:"How long a stopping server waits for requests and jobs in progress."`
	ShutdownDelay   time.Duration `name:"shutdown-delay" key:"shutdown-delay" group:"Work" default:"0s" help:"How long a stopping server keeps accepting requests after /readyz reports not ready, so that load balancers can remove it first; at most 5m."`

	PreviewMaxPulls   int `name:"preview-max-pulls" key:"preview.max-pulls" group:"Work" default:"20" help:"Pull requests of one project that have a preview at once. For the next one, the preview of a fork that was updated longest ago is removed, or else the oldest one; a fork never replaces a preview of the repository itself."`
	PublishMaxRemoved int `name:"publish-max-removed" key:"publish.max-removed" group:"Work" default:"50" help:"Percentage of the live pages that an update may remove although the source does not remove them. Above it, the update fails until someone confirms it. 100: no limit."`

	ProseVale        string        `name:"prose-vale" key:"prose.vale" group:"Work" placeholder:"PROGRAM" help:"Program of Vale, which checks the prose of pages that a pull request changes if the docs folder has a .vale.ini. It runs in a sandbox without network, for forks too, for at most 2 minutes. Default: prose is not checked. Requires Linux."`
	SamplesLanguages []string      `name:"samples-languages" key:"samples.languages" group:"Work" placeholder:"LANGUAGE" help:"Languages of code samples that are run, in a sandbox without network, when a pull request or an agent changes a page with blocks marked to be tested: bash, sh, python, javascript, ruby, perl, lua, or any other with its program, as in go=/usr/local/go/bin/go run. Samples of forks run too. At most 5 minutes for one pull request. Default: none. Requires Linux."`
	SamplesFolders   []string      `name:"samples-folders" key:"samples.folders" group:"Work" placeholder:"FOLDER" help:"Folders that samples may read and execute in addition to the system's own, such as that of a compiler."`
	SamplesMaxTime   time.Duration `name:"samples-max-time" key:"samples.max-time" group:"Work" default:"30s" help:"How long one sample may run; at most 10m."`
	LinksCheck       bool          `name:"links-check" key:"links.check" group:"Work" help:"Request pages on other sites that links of live sites lead to, once a day, and raise an alert about those that stay gone. Private addresses are not contacted unless allow-address lists them."`
	LinksDeadAfter   time.Duration `name:"links-dead-after" key:"links.dead-after" group:"Work" default:"72h" help:"How long a link must lead nowhere before links.check raises an alert; at least 24h."`

	ExportSigningKey     string        `name:"export-signing-key" key:"export.signing-key" group:"Exports" placeholder:"FILE" help:"File with an Ed25519 private key in PEM that signs the manifest of every bundle. All workers need the same key."`
	ExportMaxPages       int           `name:"export-max-pages" key:"export.max-pages" group:"Exports" default:"100000" help:"Maximum number of pages in one export; a larger export fails. 0: no limit."`
	ExportMaxBytes       int           `name:"export-max-bytes" key:"export.max-bytes" group:"Exports" default:"10737418240" help:"Maximum size of one export's files in bytes, before compression; a larger export fails. 0: no limit."`
	ExportMaxTime        time.Duration `name:"export-max-time" key:"export.max-time" group:"Exports" default:"30m" help:"How long one export may run before it is stopped. 0: no limit."`
	ExportMaxRunning     int           `name:"export-max-running-per-organization" key:"export.max-running-per-organization" group:"Exports" default:"2" help:"Exports of one organization that run at once; others wait. 0: no limit."`
	ExportMaxQueued      int           `name:"export-max-queued-per-organization" key:"export.max-queued-per-organization" group:"Exports" default:"100" help:"Maximum number of queued exports of one organization; further ones are refused with 429. 0: no limit."`
	ExportKeepFor        time.Duration `name:"export-keep-for" key:"export.keep-for" group:"Exports" default:"720h" help:"How long the bundles of a completed export are kept; longer only while a link to them is valid. 0: forever."`
	ExportMaxStoredBytes int           `name:"export-max-stored-bytes" key:"export.max-stored-bytes" group:"Exports" default:"21474836480" help:"Maximum size of one organization's bundles in bytes. Above it, the oldest are removed, except the newest three of a domain and those with a valid link. 0: no limit."`

	AgentModels           []string      `name:"agent-models" key:"agent.models" group:"Agent" default:"builtin" placeholder:"MODEL" help:"Models that agent jobs may use, the default first: builtin, anthropic:NAME, openai:NAME (any server with that API), command."`
	AgentAnthropicURL     string        `name:"agent-anthropic-url" key:"agent.anthropic-url" group:"Agent" default:"https://api.anthropic.com" placeholder:"URL" help:"Address for models of the form anthropic:NAME."`
	AgentAnthropicKey     string        `kong:"-" key:"agent.anthropic-key" secret:"env" group:"Agent" help:"API key for these models."`
	AgentAnthropicKeyFile string        `name:"agent-anthropic-key-file" key:"agent.anthropic-key-file" group:"Agent" placeholder:"FILE" help:"File with that key."`
	AgentOpenAIURL        string        `name:"agent-openai-url" key:"agent.openai-url" group:"Agent" default:"https://api.openai.com/v1" placeholder:"URL" help:"Address for models of the form openai:NAME; can be a server in your own network."`
	AgentOpenAIKey        string        `kong:"-" key:"agent.openai-key" secret:"env" group:"Agent" help:"API key for these models; your own server may not need one."`
	AgentOpenAIKeyFile    string        `name:"agent-openai-key-file" key:"agent.openai-key-file" group:"Agent" placeholder:"FILE" help:"File with that key."`
	AgentPrices           []string      `name:"agent-prices" key:"agent.prices" group:"Agent" placeholder:"MODEL=IN/OUT" help:"Prices in US dollars per million input and output tokens, such as anthropic:NAME=3/15, to calculate the cost of jobs."`
	AgentCommand          []string      `name:"agent-command" key:"agent.command" group:"Agent" placeholder:"WORD" help:"Program and arguments for the model command: it reads the prompt from standard input and works in a copy of the docs folder."`
	AgentCommandEnv       []string      `name:"agent-command-env" key:"agent.command-env" group:"Agent" placeholder:"NAME" help:"Environment variables that are passed to the program, such as the key of its own model."`
	AgentCommandNetwork   string        `name:"agent-command-network" key:"agent.command-network" oneof:"on,off" group:"Agent" default:"off" help:"Whether the program may use the network, through the server's proxy, to public hosts and those in allow-address."`
	AgentCommandFolders   []string      `name:"agent-command-folders" key:"agent.command-folders" group:"Agent" placeholder:"FOLDER" help:"Folders that the program may read and execute in addition to the system's own, such as its installation folder."`
	AgentCommandSandbox   string        `name:"agent-command-sandbox" key:"agent.command-sandbox" oneof:"on,off" group:"Agent" default:"on" help:"Whether the program runs in a sandbox, which requires Linux. off: it has all permissions of the server's user."`
	AgentShell            string        `name:"agent-shell" key:"agent.shell" oneof:"on,off" group:"Agent" default:"off" help:"Whether models get a tool that runs commands in a sandbox without network."`
	AgentMaxRunning       int           `name:"agent-max-running" key:"agent.max-running" group:"Agent" default:"4" help:"Agent jobs that one process runs at once, in addition to its other jobs."`
	AgentMaxSteps         int           `name:"agent-max-steps" key:"agent.max-steps" group:"Agent" default:"80" help:"Maximum number of model responses in one round of a job."`
	AgentMaxTokens        int           `name:"agent-max-tokens" key:"agent.max-tokens" group:"Agent" default:"4000000" help:"Maximum number of input and output tokens in one round of a job."`
	AgentMaxTime          time.Duration `name:"agent-max-time" key:"agent.max-time" group:"Agent" default:"30m" help:"How long one round of a job may take; at most 2h."`
	AgentMaxFiles         int           `name:"agent-max-files" key:"agent.max-files" group:"Agent" default:"200" help:"Maximum number of files that one round may change."`
	AgentMaxBytes         int           `name:"agent-max-bytes" key:"agent.max-bytes" group:"Agent" default:"8388608" help:"Maximum size in bytes of the files that one round changes."`
	AgentAllowFiles       []string      `name:"agent-allow-files" key:"agent.allow-files" group:"Agent" placeholder:"PATTERN" help:"Files that agents may change although they are protected by default, such as .github/**."`
	AgentNewHosts         string        `name:"agent-new-hosts" key:"agent.new-hosts" oneof:"tell,refuse" group:"Agent" default:"tell" help:"Links to hosts that the docs did not mention before. tell: the pull request lists them. refuse: the job fails."`
	AgentLabels           []string      `name:"agent-labels" key:"agent.labels" group:"Agent" placeholder:"LABEL" help:"Labels of pull requests."`
	AgentReviewers        []string      `name:"agent-reviewers" key:"agent.reviewers" group:"Agent" placeholder:"NAME" help:"Reviewers of pull requests."`
	AgentKeepFor          time.Duration `name:"agent-keep-for" key:"agent.keep-for" group:"Agent" default:"720h" help:"Time after which a finished job is archived; its record is removed after the same time again. 0: never."`

	ForgeHosts []string `name:"forge-hosts" key:"forge.hosts" group:"Agent" placeholder:"HOST=KIND" help:"Code hosts whose kind cannot be recognized by their name, such as git.example.com=gitea. Append @URL if the API is not at the usual address. The guide to code hosts lists the kinds."`

	MetricsListen string `name:"metrics-listen" key:"metrics.listen" group:"Observation" default:"127.0.0.1:9090" help:"Address of the Prometheus metrics. off: no metrics. Port 0: any free port."`
	LogFormat     string `name:"log-format" key:"log.format" oneof:"auto,text,json" group:"Observation" default:"auto" help:"Log format. auto: text on a terminal, otherwise json."`
	LogLevel      string `name:"log-level" key:"log.level" oneof:"debug,info,warn,error" group:"Observation" default:"info" help:"Minimum level of logged messages."`

	OtelEndpoint string   `name:"otel-endpoint" key:"otel.endpoint" group:"Observation" placeholder:"URL" help:"OTLP address of a collector, such as http://collector:4318, or http://collector:4317 for gRPC. Default: OTEL_EXPORTER_OTLP_ENDPOINT. If neither is set, nothing is sent."`
	OtelProtocol string   `name:"otel-protocol" key:"otel.protocol" oneof:"auto,http/protobuf,grpc" group:"Observation" default:"auto" help:"Protocol of the collector. auto: OTEL_EXPORTER_OTLP_PROTOCOL, or http/protobuf if it is not set."`
	OtelSignals  []string `name:"otel-signals" key:"otel.signals" group:"Observation" default:"traces" placeholder:"SIGNAL" help:"Signals that are sent to the collector: traces, metrics, logs."`
}
