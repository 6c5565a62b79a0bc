package daemon

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"syscall"
	"time"

	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// operations is the listener for operators, with metrics and health checks, separate from the public listeners.
type operations struct {
	server *http.Server // nil if it is off
	done   chan error
}

// startOperations starts the listener for metrics and health checks. ready returns whether the process is fully
// operational, sites whether it can at least serve sites.
func (c *core) startOperations(ctx context.Context, ready, sites func(context.Context) error) (*operations, error) {
	if c.Config.MetricsListen == "off" {
		return &operations{}, nil
	}
	l, err := c.listenOperations(ctx)
	if err != nil {
		return nil, fmt.Errorf("listen for metrics (setting metrics.listen): %w", err)
	}
	c.countReadiness(ready)
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", c.metrics.Handler(c.Logger))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		ask := ready
		if r.URL.Query().Get("for") == "sites" {
			ask = sites
		}
		if err := ask(r.Context()); err != nil {
			http.Error(w, "not ready: "+reason(err), http.StatusServiceUnavailable)
			return
		}
		_, _ = w.Write([]byte("ready\n"))
	})
	o := &operations{server: &http.Server{Handler: c.problems().Identify(mux), ReadHeaderTimeout: 5 * time.Second,
		WriteTimeout: 30 * time.Second}, done: make(chan error, 1)}
	go func() { o.done <- c.problems().Serve(o.server, l) }()
	c.Logger.Info("serving metrics and health checks", "url", "http://"+l.Addr().String()+"/metrics")
	return o, nil
}

// reason returns the code of the problem that makes a process not ready. The log has the details.
func reason(err error) string {
	if f, ok := fault.Outage(err); ok {
		return f.Code
	}
	return fault.CodeUnavailable
}

// listenOperations listens on the configured address. If the default address is in use, it uses any free port
// instead, so that a first start does not fail because of metrics.
func (c *core) listenOperations(ctx context.Context) (net.Listener, error) {
	l, err := listen(ctx, "metrics-listen", c.Config.MetricsListen)
	if errors.Is(err, syscall.EADDRINUSE) && c.Config.MetricsListen == config.Defaults().MetricsListen {
		c.Logger.Warn("default metrics address is in use, listening on a free port instead",
			"address", c.Config.MetricsListen)
		return listen(ctx, "metrics-listen", "127.0.0.1:0")
	}
	return l, err
}

func (o *operations) stop(ctx context.Context) error {
	if o.server == nil {
		return nil
	}
	err := o.server.Shutdown(ctx)
	if serveErr := <-o.done; !errors.Is(serveErr, http.ErrServerClosed) {
		err = errors.Join(err, serveErr)
	}
	return err
}
