package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/serve/apierror"
	"github.com/lectern-docs/lectern/internal/serve/apiproxy"
	"github.com/lectern-docs/lectern/internal/serve/devserve"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/serve/sitesearch"
	"github.com/lectern-docs/lectern/internal/site/integration"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/source/filewatch"
)

type devCommand struct {
	Dir               string   `arg:"" optional:"" default:"." help:"Docs folder: the folder with docs.json. Default: the current folder."`
	Port              int      `default:"3000" help:"Port. If it is in use, the next free port is used."`
	Host              string   `default:"127.0.0.1" help:"Address to listen on. With an address other than loopback, other machines can read the preview."`
	Open              bool     `negatable:"" help:"Open the site in a browser."`
	Poll              bool     `help:"Poll for changes instead of using file system notifications; for network drives."`
	PlaygroundOrigins []string `placeholder:"ORIGIN" help:"Origins at non-public addresses that the API playground may call through the preview, such as http://localhost:8080."`
	groupsFlag
	scriptFlag
	cacheFlags
	fetchFlags
}

// Help returns the long description.
func (devCommand) Help() string {
	return `Pages reload when you save them, and show their errors at the top. Nothing is fetched without --fetch: an API description at
a web address is skipped with a warning unless the folder has a copy. With --fetch, the last valid copy is used while the host returns
an invalid one.

    lectern dev
    lectern dev ./docs --port 4000 --open
    lectern dev ./docs --groups partner`
}

func (c *devCommand) Run(ctx context.Context, r *run) error {
	started := r.Now()
	src, closeSource, err := c.source()
	if err != nil {
		return err
	}
	defer closeSource()
	scripts, err := c.scripts(r)
	if err != nil {
		return err
	}
	fetcher, err := c.fetcher()
	if err != nil {
		return err
	}
	cache, err := c.begin(r, c.Dir)
	if err != nil {
		return err
	}
	defer cache.close()
	if err := config.CheckOrigins("playground.origins", c.PlaygroundOrigins); err != nil {
		return err
	}
	listener, err := listenNear(ctx, c.Host, c.Port)
	if err != nil {
		return err
	}
	tools, err := build.NewTools()
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer tools.Close()
	live := build.NewLive(src, cache.into(build.Options{
		Links: link.Clean, Tool: r.Version, Now: build.Day(r.Now()), Scripts: scripts, Fetch: fetcher, Tools: tools,
		Workers: runtime.GOMAXPROCS(0), Offers: devOffers(c.PlaygroundOrigins), Repository: repository(ctx, c.Dir),
		View: c.view(),
	}))
	defer live.Close()
	d := &devRun{run: r, command: c, listener: listener, started: started}
	d.server = devserve.New(devserve.Options{Live: live, Endpoints: c.endpoints(r), Source: src,
		Hosts: []string{c.Host}, Now: r.Now, Say: d.printLine, Passed: cache.flush})
	return d.serve(ctx)
}

// source opens the folder, which must contain docs.
func (c *devCommand) source() (fs.FS, func(), error) {
	src, closeSource, err := openSource(c.Dir, "")
	if err != nil {
		return nil, nil, err
	}
	for _, name := range []string{"docs.json", "mint.json"} {
		if _, err := fs.Stat(src, name); err == nil {
			return src, closeSource, nil
		}
	}
	closeSource()
	return nil, nil, fault.Newf(fault.Invalid, "invalid_field", "The folder %s has no docs.json.", c.Dir).
		WithField("dir").
		WithHint("Pass the folder that has one, or create a site with \"lectern new " + c.Dir + "\".")
}

// portsTried is the number of ports tried if the requested one is in use.
const portsTried = 20

// listenNear listens on the port or, if it is in use, on the next free one. Port 0 means any.
func listenNear(ctx context.Context, host string, port int) (net.Listener, error) {
	var err error
	for p := port; p < port+portsTried && p < 65536; p++ {
		var l net.Listener
		if l, err = (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(p))); err == nil {
			return l, nil
		}
		if !errors.Is(err, syscall.EADDRINUSE) {
			break
		}
	}
	return nil, fault.Newf(fault.Invalid, "invalid_field", "The preview cannot listen on port %d of %s.", port, host).
		WithField("port").
		WithHint("Choose another port with --port.").WithCause(err)
}

// devRun is one preview.
type devRun struct {
	*run
	command  *devCommand
	server   *devserve.Server
	listener net.Listener
	started  time.Time
	mu       sync.Mutex // serializes output lines
}

func (d *devRun) printLine(line string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	fmt.Fprintln(d.Stderr, harmless(line))
}

// serve runs the watcher, the background build and the server until ctx ends or one of them fails.
func (d *devRun) serve(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	watching := make(chan struct{})
	failed := make(chan error, 2)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	wg.Go(func() {
		opt := filewatch.Options{Dir: d.command.Dir, ByPoll: d.command.Poll,
			Ready: sync.OnceFunc(func() { close(watching) })}
		err := filewatch.Run(ctx, opt, func(files []string) {
			if err := d.server.Changed(ctx, files); err != nil && ctx.Err() == nil {
				failed <- err
			}
		})
		if err != nil {
			failed <- err
		}
	})
	select {
	case <-watching: // watch before the first scan, so that no change is missed
	case err := <-failed:
		return errors.Join(err, d.listener.Close())
	case <-ctx.Done():
		return d.listener.Close()
	}
	if err := d.server.Changed(ctx, nil); err != nil {
		return errors.Join(err, d.listener.Close())
	}
	wg.Go(func() { d.server.Run(ctx) })
	refusals := apierror.Writer{Log: slog.New(slog.DiscardHandler), IDs: id.Source{Rand: d.Rand}}
	server := &http.Server{Handler: d.server.Handler(), ReadHeaderTimeout: 10 * time.Second,
		BaseContext: func(net.Listener) context.Context { return ctx }}
	wg.Go(func() {
		if err := refusals.Serve(server, d.listener); !errors.Is(err, http.ErrServerClosed) {
			failed <- fmt.Errorf("serve preview: %w", err)
		}
	})
	d.greet()
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
	}
	cancel()
	return errors.Join(err, server.Close())
}

// greet prints the address of the preview.
func (d *devRun) greet() {
	address := "http://" + d.listener.Addr().String()
	fmt.Fprintf(d.Stdout, "Preview at %s, ready in %d ms. Stop it with Ctrl-C.\n", address,
		d.Now().Sub(d.started).Milliseconds())
	if ip := net.ParseIP(d.command.Host); d.command.Host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		d.printLine("Warning: every machine that can reach this address can read the preview.")
	}
	if d.command.Open {
		if err := openBrowser(address); err != nil {
			d.printLine("The browser cannot be opened: " + err.Error())
		}
	}
}

// openBrowser opens an address in the desktop's browser.
func openBrowser(address string) error {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	cmd := exec.Command(name, args...)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // not waited for
	return nil
}

// endpoints returns the endpoints of the preview.
func (c *devCommand) endpoints(r *run) map[string]siteapi.Endpoint {
	return map[string]siteapi.Endpoint{capability.SearchPath: sitesearch.New(), capability.ProxyPath: apiproxy.New(apiproxy.Options{Origins: c.PlaygroundOrigins,
		Previews: true, Now: r.Now, Logger: slog.New(slog.DiscardHandler)})}
}

// devOffers returns the preview's features: everything that works without a Lectern server, and the playground's proxy.
// Integrations would count the author's own visits, so pages load none.
func devOffers(origins []string) capability.Offers {
	return capability.Offers{Search: true, Playground: capability.Playground{On: true, Proxy: capability.HasProxy,
		Origins: origins}, Assistant: capability.Assistant{On: true, InBrowser: true},
		External: capability.External{On: true, Without: integration.Names()}}
}
