package daemon

import (
	"context"
	"fmt"
	"net/http"

	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/app/telemetry"
	"github.com/lectern-docs/lectern/internal/jobs/doctor"
)

// openExport creates metrics and spans, and starts sending the signals that the operator chose. If these include logs,
// the log is sent to the collector from then on.
func (c *core) openExport(ctx context.Context) error {
	c.metrics = telemetry.NewMetrics(c.Version, c.Now)
	to := map[string]telemetry.Collector{}
	for _, signal := range config.Signals() {
		collector, err := c.Config.Collector(c.Env, signal)
		if err != nil {
			return err
		}
		to[signal] = telemetry.Collector(collector)
	}
	export, err := telemetry.OpenExport(ctx, telemetry.ExportOptions{
		Traces: to[config.SignalTraces], Metrics: to[config.SignalMetrics], Logs: to[config.SignalLogs],
		Version: c.Version, Instance: c.processID, Registry: c.metrics, Redactor: c.Redactor, Log: c.Logger,
	})
	if err != nil {
		return fmt.Errorf("start sending telemetry: %w", err)
	}
	c.export, c.tracing, c.Logger = export, export.Tracing, export.Log
	return nil
}

// collectors returns the endpoints to which telemetry is sent, each once.
func (c *clinic) collectors(trusted *http.Client) (all []doctor.Endpoint) {
	seen := map[string]bool{}
	for _, signal := range config.Signals() {
		to, err := c.Config.Collector(c.Env, signal)
		if err != nil || to.URL == "" || seen[to.URL] { // settings were validated before
			continue
		}
		seen[to.URL] = true
		client := *trusted
		if to.GRPC { // gRPC servers do not support HTTP/1
			var protocols http.Protocols
			protocols.SetHTTP2(true)
			protocols.SetUnencryptedHTTP2(true)
			client.Transport = &http.Transport{Protocols: &protocols, DisableKeepAlives: true}
		}
		all = append(all, doctor.Endpoint{Setting: "otel.endpoint", URL: to.URL, Client: &client})
	}
	return all
}
