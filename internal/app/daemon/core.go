package daemon

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/docs"
	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/app/telemetry"
	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/build/buildcache"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/foundation/scratch"
	"github.com/lectern-docs/lectern/internal/script/jsrun"
	"github.com/lectern-docs/lectern/internal/serve/apierror"
	"github.com/lectern-docs/lectern/internal/site/openapi"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/source/outbound"
	"github.com/lectern-docs/lectern/internal/source/snapshot"
	"github.com/lectern-docs/lectern/internal/store/blob"
	"github.com/lectern-docs/lectern/internal/store/blob/disk"
	"github.com/lectern-docs/lectern/internal/store/blob/s3"
)

// core contains the parts that servers and workers share. They are closed in the reverse order of opening.
type core struct {
	Options
	*Ledger
	processID string
	blob      blob.Store
	links     http.Handler // serves signed links of the disk driver; S3 serves its own links
	source    *snapshot.Fetcher
	scratch   *scratch.Space
	memory    *memory
	storage   *storage
	press     *build.Tools
	cache     *buildcache.Store  // nil = none
	signer    ed25519.PrivateKey // key for signing bundles; nil = not signed
	scripts   jsrun.Host
	fetch     openapi.Fetch
	guard     *outbound.Guard
	agents    *agents
	metrics   *telemetry.Metrics
	tracing   *telemetry.Tracing
	export    *telemetry.Export
	serves    bool          // whether it also handles requests, not only tasks
	baseURL   func() string // URL at which callers reach the server; available once it listens

	closers []func() error
}

func openCore(ctx context.Context, opt Options, baseURL func() string) (c *core, err error) {
	c = &core{Options: opt, processID: id.Source{Rand: opt.Rand}.New("proc_"), baseURL: baseURL}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.close())
		}
	}()
	if err = c.openExport(ctx); err != nil {
		return c, err
	}
	opt.Logger = c.Logger
	if c.Ledger, err = OpenLedger(ctx, opt); err != nil {
		return c, err
	}
	c.onClose(c.Store.Close)
	if err = c.openBlob(ctx); err != nil {
		return c, err
	}
	c.watchBlob()
	c.storage = &storage{dir: opt.Config.Data, blob: c.blob, now: opt.Now, log: opt.Logger}
	if c.scratch, err = scratch.Open(filepath.Join(opt.Config.Data, "work")); err != nil {
		return c, err
	}
	c.onClose(c.scratch.Close)
	if c.press, err = build.NewTools(); err != nil {
		return c, err
	}
	c.onClose(c.press.Close)
	c.memory = newMemory(c.forget, c.releaseProgram)
	c.onClose(c.memory.close)
	c.openCache()
	if err := c.loadSigner(); err != nil {
		return c, err
	}
	c.scripts = ScriptHost(opt.Config.Scripts, opt.SelfExe, opt.Logger)
	return c, c.openSource(ctx)
}

// forget frees the caches shared by builds, while no build is running.
func (c *core) forget() {
	if err := c.press.Forget(); err != nil {
		c.Logger.Warn("failed to free memory used by builds", "error", err)
	}
}

func (c *core) releaseProgram() {
	if err := releaseProgramPages(); err != nil {
		c.Logger.Warn("failed to free memory used by the program file", "error", err)
	}
}

// problems returns the writer of error responses that all endpoints share.
func (c *core) problems() apierror.Writer {
	return apierror.Writer{Log: c.Logger, IDs: id.Source{Rand: c.Rand}}
}

func (c *core) onClose(f func() error) { c.closers = append(c.closers, f) }

func (c *core) close() error {
	if c.export != nil { // first, while metrics can still be read from the database
		c.export.Close()
	}
	var errs []error
	for i := len(c.closers) - 1; i >= 0; i-- {
		errs = append(errs, c.closers[i]())
	}
	return errors.Join(errs...)
}

func (c *core) openBlob(ctx context.Context) error {
	place, onS3, err := c.Config.OnS3()
	if err != nil {
		return err
	}
	if onS3 {
		c.blob, err = s3.Open(ctx, s3.Options{Endpoint: place.Endpoint, Region: place.Region, Bucket: place.Bucket,
			Prefix: place.Prefix, PathStyle: place.PathStyle,
			AccessKey: c.Config.S3AccessKey, SecretKey: c.Config.S3SecretKey, SessionToken: c.Config.S3SessionToken})
		c.links = http.NotFoundHandler() // S3 serves its own links
		return badPlace(err, "blob", "the bucket cannot be used.", "Check the bucket, its endpoint and region, and "+
			config.EnvName("s3.access-key")+" and "+config.EnvName("s3.secret-key")+".")
	}
	if err := c.checkBlobFolder(ctx); err != nil {
		return err
	}
	signer, err := blob.NewSigner(c.Secrets.Current, c.Secrets.Previous, c.Now)
	if err != nil {
		return err
	}
	d, err := disk.Open(filepath.Join(c.Config.Data, "blobs"), signer, c.baseURL,
		disk.WithErrorWriter(c.problems().Write))
	if err != nil {
		return err
	}
	c.blob, c.links = d, d
	c.onClose(d.Close)
	return nil
}

// badPlace turns an error about a location given in a setting into a fault that names the setting.
func badPlace(err error, setting, sentence, hint string) error {
	if _, isFault := fault.As(err); err == nil || isFault {
		return err
	}
	return fault.New(fault.Invalid, "bad_setting", setting+": "+sentence).WithField(setting).WithHint(hint).
		WithCause(err)
}

// mirrorLife is how long an unused mirror of a repository is kept. Each process removes its own old mirrors at its
// start.
const mirrorLife = 30 * 24 * time.Hour

func (c *core) openSource(ctx context.Context) error {
	guard, err := newGuard(c.Config)
	if err != nil {
		return err
	}
	c.fetch = guard.Getter(outbound.Limits{Retries: 2})
	proxy, err := guard.Proxy(context.WithoutCancel(ctx))
	if err != nil {
		return fmt.Errorf("start outbound guard: %w", err)
	}
	c.onClose(proxy.Close)
	git, err := git.Open(filepath.Join(c.Config.Data, "git"),
		git.Options{Proxy: proxy, SelfExe: c.SelfExe, Own: c.repositories().dir})
	if err != nil {
		return err
	}
	if n, err := git.Prune(c.Now().Add(-mirrorLife)); err != nil {
		c.Logger.Warn("failed to remove old mirrors", "error", err) // they only use disk space
	} else if n > 0 {
		c.Logger.Info("removed old mirrors", "mirrors", n)
	}
	c.source = &snapshot.Fetcher{Git: git, Credentials: c.credential, Local: c.localSources(c.Store).Allow,
		Private: c.Config.Data, Blob: c.blob, BuiltIn: docs.Site, Built: c.Built,
		Own: c.repositories().dir, OwnReady: c.repositories().check}
	return c.openAgents(ctx, guard)
}

func (c *core) slots() int { return c.Config.WorkerCount(runtime.NumCPU()) }

// canonical returns a site's origin as used in its pages. It depends only on the domain, so that the same commit gives
// the same bytes on every server. Names below localhost are the exception: they point to this machine, so their origin
// contains the configured port.
func (c *core) canonical(domain string) string {
	host, path := project.SplitDomain(domain)
	if !strings.HasSuffix(host, ".localhost") {
		return "https://" + domain
	}
	_, port, _ := net.SplitHostPort(c.Config.Listen) // validated before
	return atPort("http://"+host, port) + path
}

// atPort adds a port to an origin, unless the port is the default one or is still unknown because the server does not
// listen yet.
func atPort(origin, port string) string {
	if port == "" || port == "0" || port == "80" {
		return origin
	}
	return origin + ":" + port
}
