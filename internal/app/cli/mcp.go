package cli

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/hostname"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/script/jsrun"
	"github.com/lectern-docs/lectern/internal/serve/mcp"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/source/git"
)

type mcpCommand struct {
	Dir       string `arg:"" optional:"" default:"." placeholder:"DIR|BUNDLE" help:"Docs folder (with docs.json), or an exported bundle: a tar.gz, a zip, or the folder it was unpacked to. Default: the current folder."`
	Listen    string `placeholder:"HOST:PORT" help:"Serve MCP over HTTP at /mcp on this loopback address instead, such as 127.0.0.1:8090."`
	Version   string `placeholder:"VERSION" help:"Required version label of the bundle."`
	SHA256    string `name:"sha256" placeholder:"HEX" help:"Required SHA-256 of the bundle's archive."`
	VerifyKey string `placeholder:"FILE" help:"File with the public key. The bundle must be signed with the matching private key."`
	groupsFlag
	scriptFlag
}

// Help returns the long description.
func (mcpCommand) Help() string {
	return `An agent on this machine starts this command and uses MCP over standard input and output to search the folder's pages and read
them. The folder is built once, when the command starts.

    {"mcpServers": {"docs": {"command": "lectern", "args": ["mcp", "/home/me/docs"]}}}

An exported bundle is verified as serve-bundle does, unpacked to a temporary folder and served as it is, without a network. The agent reads in
the server's instructions which version, commit and digest it has. --version, --sha256 and --verify-key refuse any other bundle.

    lectern mcp site.tar.gz --version v1.2

With --listen, agents that need an address can use HTTP. Only programs on this machine can connect: addresses other than
loopback are refused, and so are web pages from other origins.

    lectern mcp ./docs --listen 127.0.0.1:8090`
}

func (c *mcpCommand) Run(ctx context.Context, r *run) error {
	if err := c.checkListen(); err != nil {
		return err
	}
	if isBundle(c.Dir) {
		if len(c.Groups) > 0 {
			return fault.Newf(fault.Invalid, "invalid_field",
				"%s is a bundle: the groups of its readers were chosen when it was exported.", c.Dir).WithField("groups")
		}
		return c.runBundle(ctx, r)
	}
	if c.Version != "" || c.SHA256 != "" || c.VerifyKey != "" {
		return fault.Newf(fault.Invalid, "invalid_field",
			"%s is a docs folder: --version, --sha256 and --verify-key are for bundles.", c.Dir).WithField("dir")
	}
	scripts, err := c.scripts(r)
	if err != nil {
		return err
	}
	if c.Listen != "" {
		return c.listen(ctx, r, scripts)
	}
	built, err := r.buildSite(ctx, c.Dir, "", c.view(), scripts, true)
	if err != nil {
		return err
	}
	fmt.Fprintf(r.Stderr, "Serving %s to an agent over standard input and output.\n", built.Manifest.Name)
	return mcp.Run(ctx, built.Library(), r.Version, slog.New(slog.NewTextHandler(r.Stderr, nil)), r.Stdin, r.Stdout)
}

// checkListen rejects addresses that other machines can reach.
func (c *mcpCommand) checkListen() error {
	if c.Listen == "" {
		return nil
	}
	host, _, err := net.SplitHostPort(c.Listen)
	if err != nil || !hostname.IsLocal(host) {
		return fault.Newf(fault.Invalid, "invalid_field", "--listen must be a loopback address with a port, not %q.",
			c.Listen).
			WithField("listen").WithHint(
			"Write 127.0.0.1:8090. For other machines, publish the site: each one has an MCP server at /mcp.")
	}
	return nil
}

// listen serves the folder over HTTP until the command is stopped.
func (c *mcpCommand) listen(ctx context.Context, r *run, scripts jsrun.Host) error {
	server, err := r.serveBuilt(ctx, c.Dir, c.Listen, c.view(), scripts, true)
	if err != nil {
		return err
	}
	server.wait(ctx, r)
	return nil
}

// wait prints the address of the server, and stops it when the command ends.
func (l *localServer) wait(ctx context.Context, r *run) {
	defer l.Close()
	fmt.Fprintf(r.Stderr, "MCP server at http://%s%s. Stop it with Ctrl-C.\n", l.Listener.Addr(), deploy.AgentPath)
	<-ctx.Done()
}

// buildSite builds a folder in memory, the way publishing would. origin is the origin at which the site is served, or
// "" if there is none.
func (r *run) buildSite(
	ctx context.Context, dir, origin string, view reader.View, scripts jsrun.Host, quiet bool,
) (*sitehost.Built, error) {
	src, closeSource, err := openSource(dir, "")
	if err != nil {
		return nil, err
	}
	defer closeSource()
	built, dates := &sitehost.Built{}, modified(git.LocalDates(ctx, "", dir))
	opt := build.Options{BaseURL: origin, Links: link.Clean, Tool: r.Version, Now: build.Day(r.Now()), Scripts: scripts,
		Offers: capability.Offers{Search: true}, View: view,
		Modified: func(file string) time.Time { return changed(src, dates, file) }}
	if origin != "" {
		opt.MCP = origin + deploy.AgentPath
	}
	bar := r.progress(quiet)
	opt.Progress = bar.build
	report, err := build.Build(ctx, src, opt, built)
	bar.end()
	if err != nil {
		return nil, err
	}
	if report.Pages == 0 {
		printDiagnostics(r.Stderr, report.Diagnostics, "lectern check --all")
		return nil, fault.Newf(fault.Invalid, "no_pages", "The folder %s has no page that can be built.", dir).
			WithField("dir").WithHint("Run lectern check to see the errors.")
	}
	built.Manifest.Name, built.Manifest.Origin, built.Manifest.Redirects = report.Name, origin,
		publish.Rules(report.Redirects)
	return built, nil
}

// changed returns the date of a file's last commit, just like on a published site, or the modification time of a file
// that was never committed. The output is not stored, so it may differ between machines.
func changed(src fs.FS, dates func(string) time.Time, file string) time.Time {
	if dates != nil {
		if at := dates(file); !at.IsZero() {
			return at
		}
	}
	info, err := fs.Stat(src, file)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// localServer serves a built folder on this machine.
type localServer struct {
	Listener net.Listener
	server   *http.Server
}

// Close stops the server immediately.
func (l *localServer) Close() { _ = l.server.Close() }

// serveBuilt builds a folder and serves it at a local address, by the same rules as published sites.
func (r *run) serveBuilt(
	ctx context.Context, dir, address string, view reader.View, scripts jsrun.Host, quiet bool,
) (*localServer, error) {
	listener, err := listenLocal(ctx, address)
	if err != nil {
		return nil, err
	}
	built, err := r.buildSite(ctx, dir, "http://"+listener.Addr().String(), view, scripts, quiet)
	if err != nil {
		_ = listener.Close()
		return nil, err
	}
	const cache = 64 << 20 // bytes
	handler := sitehost.Single(sitehost.Options{CacheBytes: cache, Now: r.Now, Logger: slog.New(slog.DiscardHandler),
		Agents: r.localAgents()}, built)
	return startLocal(listener, handler), nil
}

// localAgents returns the MCP handler for programs on this machine.
func (r *run) localAgents() *mcp.Handler {
	return mcp.New(mcp.Options{Version: r.Version, Local: true, Now: r.Now, Logger: slog.New(slog.DiscardHandler)})
}

func listenLocal(ctx context.Context, address string) (net.Listener, error) {
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fault.Newf(fault.Invalid, "invalid_field", "--listen: cannot listen on %s.", address).
			WithField("listen").WithCause(err).
			WithHint("The port may be in use, or the name may not resolve. Use an address such as 127.0.0.1:8090.")
	}
	return listener, nil
}

// startLocal serves requests on a listener until Close.
func startLocal(listener net.Listener, handler http.Handler) *localServer {
	l := &localServer{Listener: listener,
		server: &http.Server{Handler: refuseOtherNames(handler), ReadHeaderTimeout: 10 * time.Second}}
	go func() { _ = l.server.Serve(listener) }() // ends with Close
	return l
}

// refuseOtherNames accepts only host names of this machine. With DNS rebinding, a foreign web page whose name
// resolves here could read every response, and the folder may not be public.
func refuseOtherNames(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !hostname.IsLocal(r.Host) {
			siteapi.Refuse(w, http.StatusForbidden, "host_not_allowed",
				"This server only accepts host names of this machine, such as localhost.")
			return
		}
		next.ServeHTTP(w, r)
	})
}
