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

	PublicURL     string `name:"public-url" key:"public-url" group:"Basics" placeholder:"URL" help:"Address under which callers reach this server, such as https://lectern.example.com. Without it, http and the listen address."`
	PreviewDomain string `name:"preview-domain" key:"preview-domain" group:"Basics" default:"preview.localhost" help:"Domain under which previews get a host name each."`
	FirstSite     string `name:"first-site" key:"first-site" oneof:"auto,off" group:"Basics" default:"auto" help:"auto: the first start publishes Lectern's own docs. off: it starts empty."`

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
	CredentialsDir        string   `name:"credentials-dir" key:"credentials.dir" group:"Security" placeholder:"DIR" help:"Folder with one file per repository credential, named like it. Variables LECTERN_CREDENTIAL_NAME come first."`
	SourcesLocal          string   `name:"sources-local" key:"sources.local" oneof:"auto,on,off" group:"Security" default:"auto" help:"Whether projects may have their source on this server's disk. auto: only while it listens on loopback alone."`
	AllowAddress          []string `name:"allow-address" key:"allow-address" group:"Security" placeholder:"HOST" help:"Host names, IP addresses and CIDR blocks that addresses given by authors and API callers may reach although they are not public."`
	TrustedProxies        []string `name:"trusted-proxies" key:"trusted-proxies" group:"Security" placeholder:"CIDR" help:"Proxies whose X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host are believed."`
	Scripts               string   `name:"scripts" key:"scripts" oneof:"process,off" group:"Security" default:"process" help:"JavaScript of authors. process: it runs in processes without files, network or environment, with limits. off: it is not run, and pages show nothing in its place."`
	RateLimit             int      `name:"rate-limit" key:"rate-limit" group:"Security" default:"6000" help:"Requests a minute for each key. 0: no limit."`

	DeploymentType    string   `name:"deployment-type" key:"deployment.type" oneof:"cloud,client-hosted,air-gapped" group:"Features" default:"client-hosted" help:"Kind of deployment; decides which features there can be."`
	FeaturesSearch    string   `name:"features-search" key:"features.search" oneof:"on,off,local" group:"Features" default:"on" help:"Search. local: wholly inside the site, also when air-gapped."`
	FeaturesAnalytics string   `name:"features-analytics" key:"features.analytics" oneof:"on,off" group:"Features" default:"on" help:"Web analytics."`
	FeaturesAssistant string   `name:"features-assistant" key:"features.assistant" oneof:"auto,local,off" group:"Features" default:"auto" help:"AI assistant. auto: on once assistant.endpoint is set. local: wholly inside the server, also when air-gapped."`
	AssistantEndpoint string   `name:"assistant-endpoint" key:"assistant.endpoint" group:"Features" placeholder:"URL" help:"Model endpoint of the assistant."`
	PlaygroundOrigins []string `name:"playground-origins" key:"playground.origins" group:"Features" placeholder:"ORIGIN" help:"Origins that the API playground may call when air-gapped, such as https://api.internal.example."`

	GitPollInterval time.Duration `name:"git-poll-interval" key:"git.poll-interval" group:"Work" default:"5m" help:"How often repositories are asked for new commits. 0: never."`
	ExportLinkLife  time.Duration `name:"export-link-life" key:"export.link-life" group:"Work" default:"1h" help:"How long a bundle's download link works; 168h at most."`
	Workers         int           `name:"workers" key:"workers" group:"Work" default:"0" help:"Jobs done at once. 0: one for each processor, at least 2. -1: none here, lectern worker does them."`
	JobLease        time.Duration `name:"job-lease" key:"job.lease" group:"Work" default:"15s" help:"How long a job whose worker went silent waits for another; 45s at most."`
	JobHeartbeat    time.Duration `name:"job-heartbeat" key:"job.heartbeat" group:"Work" default:"500ms" help:"How often a worker renews its lease and looks whether its job was cancelled; a third of the lease at most."`
	ShutdownGrace   time.Duration `name:"shutdown-grace" key:"shutdown-grace" group:"Work" default:"20s" help:"How long a stopping server waits for requests and jobs under way."`

	ExportSigningKey     string        `name:"export-signing-key" key:"export.signing-key" group:"Exports" placeholder:"FILE" help:"File with an Ed25519 private key in PEM; the manifest of every bundle is then signed with it. All workers need the same."`
	ExportMaxPages       int           `name:"export-max-pages" key:"export.max-pages" group:"Exports" default:"100000" help:"Most pages of one export; one with more fails. 0: no limit."`
	ExportMaxBytes       int           `name:"export-max-bytes" key:"export.max-bytes" group:"Exports" default:"10737418240" help:"Most bytes of one export's files, before compression; one with more fails. 0: no limit."`
	ExportMaxTime        time.Duration `name:"export-max-time" key:"export.max-time" group:"Exports" default:"30m" help:"How long one export may run before it is stopped. 0: no limit."`
	ExportMaxRunning     int           `name:"export-max-running-per-organization" key:"export.max-running-per-organization" group:"Exports" default:"2" help:"Exports of one organization that run at once; others wait for their turn. 0: no limit."`
	ExportMaxQueued      int           `name:"export-max-queued-per-organization" key:"export.max-queued-per-organization" group:"Exports" default:"100" help:"Exports of one organization that may wait; starts above it are refused with 429. 0: no limit."`
	ExportKeepFor        time.Duration `name:"export-keep-for" key:"export.keep-for" group:"Exports" default:"720h" help:"How long the bundles of a completed export are kept, and longer only while a link to them works. 0: for ever."`
	ExportMaxStoredBytes int           `name:"export-max-stored-bytes" key:"export.max-stored-bytes" group:"Exports" default:"21474836480" help:"Most bytes of one organization's bundles. Above it the oldest are removed, but neither the newest three of a domain nor those with a link that works. 0: no limit."`

	MetricsListen string `name:"metrics-listen" key:"metrics.listen" group:"Observation" default:"127.0.0.1:9090" help:"Address of the Prometheus metrics; off for none. Port 0: any free port."`
	LogFormat     string `name:"log-format" key:"log.format" oneof:"auto,text,json" group:"Observation" default:"auto" help:"Form of the log. auto: text on a terminal, json elsewhere."`
	LogLevel      string `name:"log-level" key:"log.level" oneof:"debug,info,warn,error" group:"Observation" default:"info" help:"Least important message that is logged."`
	OtelEndpoint  string `name:"otel-endpoint" key:"otel.endpoint" group:"Observation" placeholder:"URL" help:"OTLP/HTTP address for traces, such as http://collector:4318. Without it, none are made."`
}
