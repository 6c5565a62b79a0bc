package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/app/daemon"
	"github.com/lectern-docs/lectern/internal/app/telemetry"
	"github.com/lectern-docs/lectern/internal/domain/feature"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/jobs/bundlestore"
	"github.com/lectern-docs/lectern/internal/store/blob/s3"
)

type serveBundleCommands struct {
	Run      serveBundle         `cmd:"" default:"withargs" help:"Fetch, verify and serve a bundle."`
	Versions serveBundleVersions `cmd:"" help:"List the stored bundles."`
	Rollback serveBundleRollback `cmd:"" help:"Go back to an older bundle; a running server switches within a second or two."`
}

// bundleData contains the flag for the folder with bundles.
type bundleData struct {
	Data string `default:"lectern-bundles" placeholder:"DIR" help:"Folder that stores the last good bundles; use persistent storage. Default: ./lectern-bundles."`
}

type serveBundle struct {
	Source     string `placeholder:"URL|FILE" help:"Bundle: an http or https address, s3://BUCKET/KEY?region=R&endpoint=URL&path-style=true, or a file. A presigned link is a secret; pass it by variable or file. [LECTERN_BUNDLE_SOURCE]"`
	SourceFile string `placeholder:"FILE" help:"File that contains the source; it is read again before each fetch."`
	bundleData
	Shared       bool          `help:"Other processes also use --data: a link that was replaced there by a newer one activates nothing, even at startup."`
	Version      string        `placeholder:"VERSION" help:"Serve only this version: not ready until it is fetched or found in --data."`
	SHA256       string        `name:"sha256" placeholder:"HEX" help:"Required SHA-256 of the archive."`
	VerifyKey    string        `placeholder:"FILE" help:"File with the public key. Bundles must be signed with the matching private key."`
	MaxSize      int64         `default:"17179869184" placeholder:"BYTES" help:"Maximum size of the archive, in bytes."`
	Listen       string        `default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Address to serve on."`
	HealthListen string        `aliases:"metrics-listen" placeholder:"HOST:PORT" help:"Separate address for /healthz, /readyz, /version and /metrics only. [LECTERN_METRICS_LISTEN]"`
	BasePath     string        `placeholder:"PATH" help:"Base path of the site, such as /docs."`
	Keep         int           `default:"3" help:"Number of bundles to keep, at least 2."`
	Poll         time.Duration `placeholder:"DURATION" help:"How often to check for a new bundle, such as 5m. Default: only at startup and on SIGHUP."`
	Check        string        `default:"sizes" enum:"sizes,full" placeholder:"sizes|full" help:"How stored bundles are checked at startup: by file sizes only, or also by contents."`
	Proxy        string        `placeholder:"URL" help:"Forward proxy to fetch through, such as http://proxy.example.com:3128. Pass it by variable if it has a password. HTTPS_PROXY is not used. [LECTERN_BUNDLE_PROXY]"`

	PlaygroundProxy   string   `enum:",on,off" default:"" placeholder:"on|off" help:"Forward requests of the API playground, for APIs that browsers may not call from another origin: to origins in the bundle's API descriptions, and to --playground-origins. Default: off. [LECTERN_PLAYGROUND_PROXY]"`
	PlaygroundOrigins []string `placeholder:"ORIGIN" help:"Additional origins for these requests, also at non-public addresses; the only ones if LECTERN_DEPLOYMENT_TYPE is air-gapped. [LECTERN_PLAYGROUND_ORIGINS]"`
	PlaygroundHosts   []string `placeholder:"HOST" help:"Host names under which readers may use the proxy, such as docs.example.com. IP addresses and localhost are always allowed. [LECTERN_PLAYGROUND_HOSTS]"`

	PasswordFile string `placeholder:"FILE" help:"Ask readers for a password: file with the password, or with its Argon2id hash."`
	ReadersFile  string `placeholder:"FILE" help:"Ask readers to sign in: JSON file with mode (password, oidc, saml or jwt) and its settings, as the API takes them for published sites."`

	ShutdownDelay *time.Duration `aliases:"drain" placeholder:"DURATION" help:"At shutdown, how long to keep serving after /readyz reports not ready. Default: 0s. [LECTERN_SHUTDOWN_DELAY]"`
	ShutdownGrace *time.Duration `aliases:"grace" placeholder:"DURATION" help:"At shutdown, how long to wait for requests in progress. Default: 20s. [LECTERN_SHUTDOWN_GRACE]"`

	proxy *url.URL // nil = none
}

// defaultGrace is the default time for requests in progress to finish.
const defaultGrace = 20 * time.Second

// Help returns the long description.
func (serveBundle) Help() string {
	return `The bundle is fetched at startup, verified (archive, manifest, version, signature), unpacked into --data and served. Until a new bundle is verified, and whenever one is rejected or cannot be fetched, the last verified one is served, even after the link has expired or without network. With --version, only that version is served; until the server has it, it is not ready and keeps retrying.

/healthz succeeds while the process is running, /readyz while it serves a bundle. The deployment type is set with LECTERN_DEPLOYMENT_TYPE; a bundle with features beyond that type is served with a warning in the log.

With --playground-proxy on, pages of the bundle can call APIs that do not allow other origins. Visitors are identified by their addresses; list the proxies in front of this server in LECTERN_TRUSTED_PROXIES.

    lectern serve-bundle --source site.tar.gz --listen 127.0.0.1:8080
    LECTERN_BUNDLE_SOURCE='https://…' lectern serve-bundle --version v1.2 --data /var/lib/lectern-bundles --listen 0.0.0.0:8080
    lectern serve-bundle --source 's3://bucket/site.tar.gz?region=eu-central-1' --poll 5m --base-path /docs
    lectern serve-bundle versions --data /var/lib/lectern-bundles
    lectern serve-bundle rollback --data /var/lib/lectern-bundles

S3 keys are read from LECTERN_S3_ACCESS_KEY, LECTERN_S3_SECRET_KEY and LECTERN_S3_SESSION_TOKEN, or from files named by the same variables with _FILE.`
}

var sha256Form = lazyregexp.New(`^[0-9a-f]{64}$`)

func (c *serveBundle) Run(ctx context.Context, r *run) error {
	env, err := r.env.Bundle()
	if err != nil {
		return err
	}
	if err := c.settle(env); err != nil {
		return err
	}
	proxies, err := env.Proxies()
	if err != nil {
		return err
	}
	readers, err := c.readers(r.Rand, r.Now)
	if err != nil {
		return err
	}
	key, err := (&bundleVerify{PublicKey: c.VerifyKey}).key()
	if err != nil {
		return err
	}
	logger, err := telemetry.NewLogger(r.Stderr,
		telemetry.LogOptions{Format: orElse(env.LogFormat, "auto"), Level: orElse(env.LogLevel, "info"),
			Redactor: telemetry.NewRedactor(env.SecretKey, env.SessionToken, proxyPassword(c.proxy))})
	if err != nil {
		return err
	}
	limits := config.Defaults()
	again := make(chan struct{}, 1)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGHUP)
	defer signal.Stop(signals)
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-signals:
				select {
				case again <- struct{}{}:
				default: // a request is already pending
				}
			}
		}
	}()
	return daemon.ServeBundle(ctx, daemon.BundleOptions{
		Source: func() (bundlestore.Source, error) { return c.source(env) },
		Expect: bundlestore.Expect{Version: c.Version, SHA256: c.SHA256, PublicKey: key, MaxBytes: c.MaxSize},
		Data:   c.Data, Shared: c.Shared, Keep: c.Keep, Poll: c.Poll, Full: c.Check == "full", Listen: c.Listen,
		HealthListen: c.HealthListen, BasePath: c.BasePath,
		Delay: *c.ShutdownDelay, Grace: *c.ShutdownGrace, Deployment: feature.Type(env.DeploymentType),
		Local:    feature.Inside{Search: env.SearchLocal, Assistant: env.AssistantLocal},
		External: env.External, PlaygroundProxy: c.PlaygroundProxy == "on", PlaygroundOrigins: c.PlaygroundOrigins,
		PlaygroundHosts: c.PlaygroundHosts, Proxies: proxies, Readers: readers, ReaderLimits: limits.SessionLimits(),
		Again: again, Version: r.Version, Now: r.Now, Rand: r.Rand, Logger: logger,
	})
}

// proxyPassword returns the password in a proxy's URL, which must not be logged.
func proxyPassword(proxy *url.URL) string {
	if proxy == nil {
		return ""
	}
	password, _ := proxy.User.Password()
	return password
}

// settle fills in settings from the environment, and validates all of them before anything starts.
func (c *serveBundle) settle(env config.Bundle) error {
	if c.Source == "" && c.SourceFile == "" {
		c.Source = env.Source
	}
	none, grace := time.Duration(0), defaultGrace
	c.ShutdownDelay = cmp.Or(c.ShutdownDelay, env.ShutdownDelay, &none)
	c.ShutdownGrace = cmp.Or(c.ShutdownGrace, env.ShutdownGrace, &grace)
	c.HealthListen = orElse(c.HealthListen, env.MetricsListen)
	if c.PlaygroundProxy == "" && env.PlaygroundProxy {
		c.PlaygroundProxy = "on"
	}
	if len(c.PlaygroundOrigins) == 0 {
		c.PlaygroundOrigins = env.PlaygroundOrigins
	}
	if len(c.PlaygroundHosts) == 0 {
		c.PlaygroundHosts = env.PlaygroundHosts
	}
	if err := config.CheckHosts(c.PlaygroundHosts); err != nil {
		return err
	}
	if err := config.CheckOrigins("playground.origins", c.PlaygroundOrigins); err != nil {
		return err
	}
	var err error
	if c.proxy, err = config.ProxyURL(orElse(c.Proxy, env.Proxy)); err != nil {
		return err
	}
	bad := func(field, text string) error {
		return fault.New(fault.Invalid, "bad_setting", field+": "+text).WithField(field)
	}
	c.SHA256 = strings.ToLower(strings.TrimPrefix(c.SHA256, "sha256:"))
	switch {
	case c.Source == "" && c.SourceFile == "":
		return fault.New(fault.Invalid, "bad_setting", "source: the source of the bundle is missing.").
			WithField("source").
			WithHint("Set --source, --source-file or LECTERN_BUNDLE_SOURCE.")
	case c.Source != "" && c.SourceFile != "":
		return bad("source", "set twice, by --source and by --source-file; use only one.")
	case c.SHA256 != "" && !sha256Form.MatchString(c.SHA256):
		return bad("sha256", "must be 64 hex digits.")
	case c.Keep < 2:
		return bad("keep", "must be at least 2: the current bundle and one to go back to.")
	case c.Poll < 0 || c.Poll > 0 && c.Poll < time.Second:
		return bad("poll", "must be at least 1s.")
	case c.MaxSize <= 0:
		return bad("max-size", "must be more than 0.")
	case *c.ShutdownDelay < 0 || *c.ShutdownDelay > 5*time.Minute:
		return bad("shutdown-delay", "must be between 0s and 5m.")
	case *c.ShutdownGrace < 0:
		return bad("shutdown-grace", "must not be less than 0s.")
	}
	if c.SourceFile == "" {
		_, err := c.source(env)
		return err
	}
	return nil
}

// source returns the source for the next fetch.
func (c *serveBundle) source(env config.Bundle) (bundlestore.Source, error) {
	address := c.Source
	if c.SourceFile != "" {
		data, err := readBounded(c.SourceFile)
		if err != nil {
			return nil, fault.Newf(fault.Unavailable, "source_missing", "The file %s with the source cannot be read.",
				c.SourceFile).WithField("source-file").WithCause(err)
		}
		address = strings.TrimSpace(string(data))
	}
	scheme, rest, hasScheme := strings.Cut(address, "://")
	switch {
	case hasScheme && scheme == "s3":
		return bucketSource(address, env, c.proxy)
	case hasScheme && scheme == "file":
		if u, err := url.Parse(address); err == nil && u.Host == "" {
			return bundlestore.FromFile{Path: u.Path}, nil
		}
		return bundlestore.FromFile{Path: rest}, nil
	case hasScheme:
		return bundlestore.NewFromWeb(address, c.MaxSize, c.proxy)
	case address == "":
		return nil, fault.Newf(fault.Unavailable, "source_missing", "The file %s does not contain a source.",
			c.SourceFile).WithField("source-file")
	}
	return bundlestore.FromFile{Path: address}, nil
}

func readBounded(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // read only
	return io.ReadAll(io.LimitReader(f, maxKeyFile))
}

func bucketSource(address string, env config.Bundle, proxy *url.URL) (bundlestore.Source, error) {
	place, err := config.S3Object(address)
	if err != nil {
		return nil, err
	}
	connect := func(ctx context.Context) (bundlestore.Objects, error) {
		return s3.Open(ctx, s3.Options{Endpoint: place.Endpoint, Region: place.Region, Bucket: place.Bucket,
			PathStyle: place.PathStyle,
			AccessKey: env.AccessKey, SecretKey: env.SecretKey, SessionToken: env.SessionToken,
			Proxy: func(*http.Request) (*url.URL, error) { return proxy, nil }})
	}
	return bundlestore.FromBucket{Bucket: place.Bucket, Key: place.Prefix, Connect: connect}, nil
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

type serveBundleVersions struct {
	bundleData
	JSON bool `name:"json" help:"Print one JSON object."`
}

func (c *serveBundleVersions) Run(_ context.Context, r *run) error {
	volume, err := bundlestore.Existing(c.Data, r.Now)
	if err != nil {
		return err
	}
	list, err := volume.List()
	if err != nil {
		return err
	}
	now, err := volume.Current()
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(r.Stdout, map[string]any{"current": now.Digest, "held": append([]string{}, now.Held...),
			"versions": append([]bundlestore.Record{}, list...)})
	}
	w := tabwriter.NewWriter(r.Stdout, 0, 4, 2, ' ', 0)
	for _, v := range list {
		mark := ""
		if v.Digest == now.Digest {
			mark = "current"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d pages\t%s\n", orDash(v.Version), v.Digest[:12],
			v.Received.UTC().Format(time.RFC3339), v.Pages, mark)
	}
	return w.Flush()
}

type serveBundleRollback struct {
	Version string `arg:"" optional:"" help:"Version label, or the start of a digest. Default: the bundle before the current one."`
	bundleData
}

func (c *serveBundleRollback) Run(_ context.Context, r *run) error {
	volume, err := bundlestore.Existing(c.Data, r.Now)
	if err != nil {
		return err
	}
	to, err := volume.Rollback(c.Version)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(r.Stdout, "%s\n", to.Name())
	return err
}
